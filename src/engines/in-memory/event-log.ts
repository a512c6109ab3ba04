import { advanceClock, type ChainTip } from '../../domain/append.ts';
import type { CompactionPlan } from '../../domain/compaction.ts';
import { chainHash, type LogEvent } from '../../domain/event.ts';
import type { KnownLog } from '../../domain/newcomers.ts';
import { purgedAmong, scrub } from '../../domain/purge.ts';
import type { FeedPage } from '../../ports/engine.ts';

/** Events in order of arrival; each has a number that is never given again. */
export class EventLog implements KnownLog {
  #events: LogEvent[];
  #positions: Map<string, number>;

  constructor(other?: EventLog) {
    this.#events = [...(other?.events ?? [])];
    this.#positions = new Map(other ? other.#positions : []);
  }

  get events(): readonly LogEvent[] {
    return this.#events;
  }

  /** Position of the last event; 0 = none. */
  get end(): number {
    const last = this.#events.at(-1);
    return last ? this.#position(last) : 0;
  }

  get folded(): ReadonlySet<string> {
    return new Set(this.#events.flatMap(({ folds = [] }) => folds));
  }

  has(id: string): boolean {
    return this.#positions.has(id);
  }

  of(subject: string): readonly LogEvent[] {
    return this.#events.filter((event) => event.subject === subject);
  }

  /** Adds those that are not there yet. */
  add(events: readonly LogEvent[]): void {
    for (const event of events) {
      if (this.has(event.id)) continue;
      this.#positions.set(event.id, this.end + 1);
      this.#events.push(event);
    }
  }

  page(after: number, limit: number): FeedPage {
    const events = this.#events.filter((event) => this.#position(event) > after).slice(0, limit);
    const last = events.at(-1);
    return { events, position: last ? this.#position(last) : after };
  }

  tip(replica: string, nowMs: number): ChainTip {
    const own = this.#events.filter((event) => event.replica === replica);
    const last = own.sort((a, b) => a.rseq - b.rseq).at(-1);
    return {
      replica,
      rseq: last?.rseq ?? 0,
      prev: last ? chainHash(last) : '',
      hlc: this.#events.reduce((hlc, event) => advanceClock(hlc, event, nowMs), 0),
    };
  }

  compact({ dropped, changed }: CompactionPlan): void {
    const kept = new Map(changed.map((event) => [event.id, event]));
    this.#events = this.#events
      .filter(({ id }) => !dropped.has(id))
      .map((event) => kept.get(event.id) ?? event);
    for (const id of dropped) this.#positions.delete(id);
  }

  /** Takes out whatever the log says was purged. Returns the events as they were. */
  scrub(): readonly LogEvent[] {
    const purged = purgedAmong(this.#events);
    const before = this.#events;
    this.#events = before.map((event) => scrub(event, purged));
    return before.filter((event, i) => event !== this.#events[i]);
  }

  #position({ id }: LogEvent): number {
    return this.#positions.get(id) as number;
  }
}
