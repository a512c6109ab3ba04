import type { CommitState } from '../../domain/change.ts';
import { isMemoryEvent, type LogEvent } from '../../domain/event.ts';
import { evolve, foldSubject, type Evolved } from '../../domain/evolve.ts';
import { MOST_ALIKE } from '../../domain/hygiene/likeness-keys.ts';
import { contentKeyOf } from '../../domain/identity.ts';
import type { StoredMemory } from '../../domain/memory.ts';
import type { CommitRequest } from '../../ports/engine.ts';
import { commitState, type ReadBeside } from '../shared/commit-state.ts';
import type { Session } from './driver.ts';
import { keysOf, readAlike } from './likeness-table.ts';
import { list } from './parameters.ts';
import { anyCase, eventOf } from './reader.ts';
import { externalKey, heldOf, type Held } from './rows.ts';

/** A memory as a transaction leaves it. */
export interface Current {
  readonly stored: StoredMemory;
  readonly conflictOf?: string;
}

/** What became of one memory; absent = it was or is not there. */
export interface Touched {
  readonly before?: Held;
  readonly after?: Current;
}

/**
 * The memories that a transaction has to do with: as they were read, and as its events leave them. It
 * holds the commit lock, so nobody else changes them meanwhile.
 */
export class WorkingSet {
  readonly #session: Session;
  readonly #isolated: boolean;
  readonly #read = new Map<string, Held>();
  /** Ids asked for by themselves, whatever was found. */
  readonly #known = new Set<string>();
  readonly #changed = new Map<string, Current | undefined>();
  /** Ids of derived conflicts, by the memory they speak of. */
  readonly #conflicts = new Map<string, Set<string>>();
  readonly #events: LogEvent[] = [];
  /** Ids by key of likeness, newest first, as they were read. */
  #alike: ReadonlyMap<number, readonly string[]> = new Map();

  constructor(session: Session, isolated: boolean) {
    this.#session = session;
    this.#isolated = isolated;
  }

  /** Events that were accepted, in their order. */
  get events(): readonly LogEvent[] {
    return this.#events;
  }

  /**
   * Reads all that these requests name, who holds the same content and who may say nearly the same, all
   * at once: each exchange with the server costs more than what is asked in it.
   */
  async readFor(requests: readonly CommitRequest[]): Promise<void> {
    const likenessKeys = requests.flatMap((request) => request.likenessKeys ?? []);
    const refs = requests.flatMap(({ ids }) => ids);
    const ids = anyCase(refs);
    const external = list(refs.map(externalKey));
    const keys = requests.flatMap(({ contentKeys }) => contentKeys);
    if (refs.length === 0 && keys.length === 0 && likenessKeys.length === 0) return;
    // More than are looked at: some may change in the same transaction.
    const most = MOST_ALIKE + requests.length;
    const reading = readAlike(this.#session, likenessKeys, most);
    const named = this.#session.query('SELECT * FROM memories_named($1, $2, $3, $4)', [
      list(ids),
      external,
      list(new Set(likenessKeys)),
      most,
    ]);
    const holders = this.#session.query('SELECT * FROM memories_holding($1, $2, $3)', [
      list(keys),
      list(ids),
      external,
    ]);
    const [alike, ...rows] = await Promise.all([reading, named, holders]);
    this.#alike = alike;
    for (const row of rows.flat()) this.#keep(heldOf(row));
    for (const id of ids) this.#known.add(id);
  }

  /** Makes sure that these memories, and conflicts about them, have been read. */
  async know(ids: Iterable<string>): Promise<void> {
    const unknown = [...ids].filter((id) => !this.#known.has(id));
    if (unknown.length === 0) return;
    const rows = await this.#session.query(
      'SELECT * FROM memories WHERE id = ANY($1::text[]) OR conflict_of = ANY($1::text[])',
      [list(unknown)],
    );
    for (const row of rows) this.#keep(heldOf(row));
    for (const id of unknown) this.#known.add(id);
  }

  get(id: string): Current | undefined {
    return this.#changed.has(id) ? this.#changed.get(id) : this.#read.get(id);
  }

  /** What a decision sees now. */
  state(beside: Pick<ReadBeside, 'projects' | 'records' | 'purged'>): CommitState {
    const ids = new Set([...this.#read.keys(), ...this.#changed.keys()]);
    const read = [...ids].flatMap((id) => {
      const current = this.get(id);
      if (!current) return [];
      return [{ ...current, contentKey: contentKeyOf(current.stored.memory, this.#isolated) }];
    });
    return commitState(read, { ...beside, alike: (key) => this.#alikeTo(key) });
  }

  /** What events make of their subjects, in their order. Nothing is kept of it until `accept`. */
  async evolve(events: readonly LogEvent[]): Promise<ReadonlyMap<string, Evolved>> {
    const memoryEvents = events.filter(isMemoryEvent);
    await this.know(new Set(memoryEvents.map(({ subject }) => subject)));
    const states = new Map<string, Evolved>();
    // What does not follow what is there is folded with its whole history: once, not at each event.
    const parted = new Set<string>();
    for (const event of memoryEvents) {
      const { subject } = event;
      if (parted.has(subject)) continue;
      const current = states.get(subject)?.stored ?? this.get(subject)?.stored;
      const next = evolve(current, event);
      if (next) states.set(subject, next);
      else parted.add(subject);
    }
    for (const subject of parted) states.set(subject, await this.#fold(subject, memoryEvents));
    return states;
  }

  /** Keeps events and what they made of their subjects. */
  accept(events: readonly LogEvent[], states: ReadonlyMap<string, Evolved>): void {
    this.#events.push(...events);
    for (const [subject, { stored, conflict }] of states) {
      this.#changed.set(subject, { stored });
      for (const id of this.#conflicts.get(subject) ?? []) this.#changed.set(id, undefined);
      if (!conflict) continue;
      const derived = { memory: conflict, version: 1, heads: [] };
      this.#changed.set(conflict.id, { stored: derived, conflictOf: subject });
      this.#noteConflict(conflict.id, subject);
    }
  }

  /** Changes what no event stands for; it must be known. */
  put(id: string, stored: StoredMemory | undefined): void {
    this.#changed.set(id, stored && { stored });
  }

  /** All memories that became another, by id. */
  touched(): ReadonlyMap<string, Touched> {
    const touched = new Map<string, Touched>();
    for (const [id, after] of this.#changed) {
      const before = this.#read.get(id);
      if (before || after) {
        touched.set(id, { ...(before && { before }), ...(after && { after }) });
      }
    }
    return touched;
  }

  /** The newest memories that share a key of likeness now. */
  #alikeTo(key: number): readonly string[] {
    const unchanged = (this.#alike.get(key) ?? []).filter((id) => !this.#changed.has(id));
    const changed = [...this.#changed].flatMap(([id, current]) =>
      current && keysOf(current.stored, this.#isolated).includes(key) ? [id] : [],
    );
    const createdAt = (id: string): number =>
      Date.parse(this.get(id)?.stored.memory.created_at ?? '');
    return [...unchanged, ...changed]
      .sort((a, b) => createdAt(b) - createdAt(a) || (a < b ? 1 : -1))
      .slice(0, MOST_ALIKE);
  }

  async #fold(subject: string, pending: readonly LogEvent[]): Promise<Evolved> {
    const rows = await this.#session.query(
      'SELECT line FROM events WHERE subject = $1::text ORDER BY pos',
      [subject],
    );
    const history = new Map<string, LogEvent>();
    for (const event of [...rows.map(eventOf), ...this.#events, ...pending]) {
      if (event.subject === subject) history.set(event.id, event);
    }
    return foldSubject([...history.values()].filter(isMemoryEvent)) as Evolved;
  }

  #keep(held: Held): void {
    const { id } = held.stored.memory;
    this.#read.set(id, held);
    if (held.conflictOf !== undefined) this.#noteConflict(id, held.conflictOf);
  }

  #noteConflict(id: string, subject: string): void {
    const known = this.#conflicts.get(subject);
    if (known) known.add(id);
    else this.#conflicts.set(subject, new Set([id]));
  }
}
