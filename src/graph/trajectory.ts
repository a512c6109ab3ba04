import { addUnits, floorTo } from '../domain/calendar.ts';
import { compareEvents, isMemoryEvent, type Envelope, type MemoryEvent } from '../domain/event.ts';
import { foldSubject } from '../domain/evolve.ts';
import { ClosureTally, closurePartOf, type ClosurePart } from '../domain/graph/closure.ts';
import type { ClosureResult } from '../domain/graph/results.ts';
import { toIso } from '../domain/time.ts';
import { sees, type View } from '../domain/view.ts';
import { instantAt, wallAt } from '../domain/zone.ts';
import type { Deps } from '../ports/deps.ts';
import type { Engine } from '../ports/engine.ts';
import { momentOf } from '../ports/scope.ts';

type Trajectory = NonNullable<ClosureResult['trajectory']>;

/** Events read at a time. */
const PAGE = 2000;

/** What is kept of an event: a log is larger than what it says here. */
interface Change {
  readonly envelope: Pick<Envelope, 'id' | 'base' | 'subject' | 'hlc' | 'replica' | 'rseq' | 'at'>;
  readonly part: ClosurePart | undefined;
}

/**
 * The measures at the end of each of the last days, as the log knew the store then: one pass over the
 * events in order of time, whatever the number of days. Days before the first event are left out.
 */
export async function trajectory(days: number, view: View, deps: Deps): Promise<Trajectory> {
  const { engine } = deps;
  const { nowMs, zone } = momentOf(deps);
  const changes = await readChanges(view, engine);
  const [first] = changes;
  if (!first) return [];
  const today = floorTo('day', wallAt(nowMs, zone));
  const rows: Trajectory[number][] = [];
  const past = new Past(engine);
  let at = 0;
  for (let back = days - 1; back >= 0; back--) {
    const day = addUnits('day', today, -back);
    const endMs = instantAt(addUnits('day', day, 1), zone);
    for (; at < changes.length; at++) {
      const change = changes[at] as Change;
      if (Date.parse(change.envelope.at) >= endMs) break;
      await past.apply(change);
    }
    if (Date.parse(first.envelope.at) >= endMs) continue;
    rows.push({ day: toIso(day).slice(0, 10), ...past.tally.measure() });
  }
  return rows;
}

async function readChanges(view: View, engine: Engine): Promise<Change[]> {
  const changes: Change[] = [];
  for (let after = 0; ; after += PAGE) {
    const page = await engine.events(after, PAGE);
    for (const event of page) {
      if (isMemoryEvent(event) && sees(view, event.data)) changes.push(changeOf(event));
    }
    if (page.length < PAGE) break;
  }
  return changes.sort(
    ({ envelope: a }, { envelope: b }) =>
      Date.parse(a.at) - Date.parse(b.at) || compareEvents(a, b),
  );
}

function changeOf(event: MemoryEvent): Change {
  const { id, base, subject, hlc, replica, rseq, at } = event;
  return {
    envelope: { id, base, subject, hlc, replica, rseq, at },
    part: closurePartOf(event.data),
  };
}

/** The store as it becomes, event by event. */
class Past {
  readonly tally = new ClosureTally();
  readonly #engine: Pick<Engine, 'history'>;
  readonly #heads = new Map<string, readonly string[]>();
  readonly #parts = new Map<string, ClosurePart>();

  constructor(engine: Pick<Engine, 'history'>) {
    this.#engine = engine;
  }

  async apply({ envelope, part }: Change): Promise<void> {
    const { id, base, subject } = envelope;
    const left = (this.#heads.get(subject) ?? []).filter((head) => !base.includes(head));
    this.#heads.set(subject, [...left, id]);
    // Of concurrent edits the snapshot of one is not the state: it is folded, which is seldom needed.
    this.#put(subject, left.length === 0 ? part : await this.#folded(subject));
  }

  async #folded(subject: string): Promise<ClosurePart | undefined> {
    const heads = new Set(this.#heads.get(subject));
    const events = (await this.#engine.history(subject)).filter(isMemoryEvent);
    const known = new Map(events.map((event) => [event.id, event]));
    const waiting = [...heads];
    const then = new Map<string, MemoryEvent>();
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const event = known.get(id);
      if (!event || then.has(id)) continue;
      then.set(id, event);
      waiting.push(...event.base);
    }
    const evolved = foldSubject([...then.values()]);
    return evolved && closurePartOf(evolved.stored.memory);
  }

  #put(subject: string, part: ClosurePart | undefined): void {
    const before = this.#parts.get(subject);
    if (before) this.tally.remove(before);
    if (part) {
      this.tally.add(part);
      this.#parts.set(subject, part);
    } else {
      this.#parts.delete(subject);
    }
  }
}
