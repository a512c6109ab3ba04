import { Rechain } from '../domain/exchange/rechain.ts';
import type { LogEvent } from '../domain/event.ts';
import type { Engine } from '../ports/engine.ts';
import type { EventPlan } from './plan-events.ts';

/** Events merged at a time, as far as their transactions allow: each time the state is hashed. */
const BATCH = 4000;

/** Puts events on the log of a store, as a plan says, and counts them. */
export class EventTaker {
  readonly #engine: Engine;
  readonly #plan: EventPlan;
  readonly #chain: Rechain | undefined;
  readonly #isDry: boolean;
  readonly #memories = new Map<string, 'inserted' | 'updated' | 'skipped'>();
  readonly #entities = new Map<string, 'inserted' | 'skipped'>();
  #batch: LogEvent[] = [];
  #inserted = 0;
  #skipped = 0;

  constructor(engine: Engine, plan: EventPlan, isDry: boolean) {
    this.#engine = engine;
    this.#plan = plan;
    this.#isDry = isDry;
    this.#chain = plan.chainOf === undefined ? undefined : new Rechain(plan.chainOf);
  }

  async add(event: LogEvent): Promise<void> {
    const { known, leftOut } = this.#plan;
    const isTaken = !known.has(event.id) && !leftOut.has(event.subject);
    this.#count(event, isTaken);
    if (!isTaken) return;
    const taken = this.#chain?.next(event) ?? event;
    this.#batch.push(taken);
    // A transaction is not cut in two: half of one would count for nothing after a crash.
    if (this.#batch.length >= BATCH && taken.i === taken.n - 1) await this.flush();
  }

  async flush(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    if (batch.length === 0 || this.#isDry) return;
    const { events } = await this.#engine.merge(batch);
    // Of those that nobody here has, some were dropped here and are not taken again.
    this.#inserted -= batch.length - events;
    this.#skipped += batch.length - events;
  }

  get counts() {
    return {
      inserted: {
        memories: numberOf('inserted', this.#memories),
        events: this.#inserted,
        entities: numberOf('inserted', this.#entities),
      },
      skipped: {
        memories: numberOf('skipped', this.#memories),
        events: this.#skipped,
        entities: numberOf('skipped', this.#entities),
      },
      updated: numberOf('updated', this.#memories),
    };
  }

  #count({ kind, subject }: LogEvent, isTaken: boolean): void {
    if (isTaken) this.#inserted += 1;
    else this.#skipped += 1;
    if (kind.startsWith('memory.')) {
      const before = this.#memories.get(subject);
      const outcome = this.#plan.present.has(subject) ? 'updated' : 'inserted';
      if (isTaken && !this.#plan.purged.has(subject)) this.#memories.set(subject, outcome);
      else if (before === undefined) this.#memories.set(subject, 'skipped');
    } else if (kind === 'entity.recorded') {
      if (isTaken) this.#entities.set(subject, 'inserted');
      else if (!this.#entities.has(subject)) this.#entities.set(subject, 'skipped');
    }
  }
}

function numberOf(outcome: string, outcomes: ReadonlyMap<string, string>): number {
  return [...outcomes.values()].filter((one) => one === outcome).length;
}
