import type { Change, CommitState } from '../../domain/change.ts';
import type { LogEvent } from '../../domain/event.ts';
import type { StoredMemory } from '../../domain/memory.ts';
import type { CommitRequest } from '../../ports/engine.ts';
import type { Prepared } from '../sqlite/store.ts';
import type { Vault } from './vault.ts';

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

  write(changes: readonly Change[], state: CommitState, actor: string): readonly LogEvent[] {
    this.#applyWaiting();
    const { options, index, local } = this.#vault;
    const { clock, ids } = options;
    const stamp = { replica: local.replica, actor, clock, ids };
    const prepared = index.store.prepare(changes, state, stamp);
    this.lines.push(...prepared.lines);
    this.#waiting = prepared;
    return prepared.events;
  }

  /** Brings the index up to everything that was decided; returns the memories it changed. */
  async apply(): Promise<ReadonlyMap<string, StoredMemory | undefined>> {
    this.#applyWaiting();
    return this.#touched;
  }

  #applyWaiting(): void {
    const prepared = this.#waiting;
    this.#waiting = undefined;
    if (!prepared || prepared.events.length === 0) return;
    const { index, options } = this.#vault;
    const { touched } = index.store.append(prepared.events, prepared.lines, options.clock.nowMs());
    for (const [id, stored] of touched) this.#touched.set(id, stored);
  }
}
