import type { Change, CommitState } from '../../domain/change.ts';
import type { LogEvent } from '../../domain/event.ts';
import type { StoredMemory } from '../../domain/memory.ts';
import type { CommitRequest } from '../../ports/engine.ts';
import type { Prepared } from '../sqlite/store.ts';
import type { Vault } from './vault.ts';

/** Events applied at a time: each part makes one segment, which should not be small. */
const PART = 2500;

/**
 * The decisions of one transaction. Events are applied to the index when the next decision has to
 * see them, the last ones by `apply`, which runs while the disk confirms the append.
 */
export class Transaction {
  readonly lines: string[] = [];
  readonly #vault: Vault;
  readonly #touched = new Map<string, StoredMemory | undefined>();
  #waiting: Prepared | undefined;

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  /** What a decision sees: everything decided before it, too. */
  stateFor(request: CommitRequest): CommitState {
    this.#applyWaiting();
    return this.#vault.index.store.stateFor(request);
  }

  write(
    changes: readonly Change[],
    state: CommitState,
    { actor, run }: Pick<CommitRequest, 'actor' | 'run'>,
  ): readonly LogEvent[] {
    this.#applyWaiting();
    const { options, index, local } = this.#vault;
    const { clock, ids } = options;
    const stamp = { replica: local.replica, actor, run, clock, ids };
    const prepared = index.store.prepare(changes, state, stamp);
    // Not spread into one call: a batch may hold more lines than a call takes arguments.
    for (const line of prepared.lines) this.lines.push(line);
    this.#waiting = prepared;
    return prepared.events;
  }

  /** Takes events of another log as they stand. @returns how many were not known */
  add(events: readonly LogEvent[]): number {
    this.#applyWaiting();
    const fresh = this.#vault.index.store.unknown(events);
    const lines = fresh.map((event) => JSON.stringify(event));
    for (const line of lines) this.lines.push(line);
    this.#waiting = { events: fresh, lines };
    return fresh.length;
  }

  /**
   * Brings the index up to everything that was decided, part by part, so that the files of one part
   * can be written while the next is applied. Yields the memories that were changed.
   */
  *apply(): Iterable<ReadonlyMap<string, StoredMemory | undefined>> {
    if (this.#touched.size > 0) yield this.#touched;
    const { events, lines } = this.#waiting ?? { events: [], lines: [] };
    this.#waiting = undefined;
    for (let at = 0; at < events.length; at += PART) {
      yield this.#append(events.slice(at, at + PART), lines.slice(at, at + PART));
    }
  }

  #applyWaiting(): void {
    const { events, lines } = this.#waiting ?? { events: [], lines: [] };
    this.#waiting = undefined;
    if (events.length === 0) return;
    for (const [id, stored] of this.#append(events, lines)) this.#touched.set(id, stored);
  }

  #append(
    events: readonly LogEvent[],
    lines: readonly string[],
  ): ReadonlyMap<string, StoredMemory | undefined> {
    const { index, options } = this.#vault;
    return index.store.append(events, lines, options.clock.nowMs()).touched;
  }
}
