import type { CommitState } from '../../domain/change.ts';
import {
  compareEvents,
  isMemoryEvent,
  type LogEvent,
  type ProjectName,
} from '../../domain/event.ts';
import { foldSubject } from '../../domain/evolve.ts';
import { likenessKeysOf, MOST_ALIKE } from '../../domain/hygiene/likeness-keys.ts';
import { contentKeyOf } from '../../domain/identity.ts';
import { isLive } from '../../domain/lifecycle.ts';
import type { Memory, StoredMemory } from '../../domain/memory.ts';
import { purgedAmong, purgedSubject } from '../../domain/purge.ts';
import { foldEntities, latestRecords, type StoreRecord } from '../../domain/record.ts';
import { compareInSession } from '../../domain/session.ts';
import { stateHash } from '../../domain/state-hash.ts';
import { sees, type View } from '../../domain/view.ts';
import type { TokenCount } from '../../ports/engine.ts';
import { commitState } from '../shared/commit-state.ts';

interface Current {
  readonly stored: StoredMemory;
  readonly conflictOf?: string;
}

/** What the events of a log fold to, and the token counts that belong to it. */
export class State {
  readonly #current: Map<string, Current>;
  readonly #tokens: Map<string, number>;

  constructor(other?: State) {
    this.#current = new Map(other ? other.#current : []);
    this.#tokens = new Map(other ? other.#tokens : []);
  }

  get size(): number {
    return this.#current.size;
  }

  get memories(): readonly Memory[] {
    return [...this.#current.values()].map(({ stored }) => stored.memory);
  }

  headsOf(subject: string): readonly string[] {
    return this.#current.get(subject)?.stored.heads ?? [];
  }

  /** Folds some subjects anew. One pass for all of them together: a whole log may come at once. */
  fold(events: readonly LogEvent[], subjects: ReadonlySet<string>): void {
    const histories = new Map([...subjects].map((subject) => [subject, [] as LogEvent[]]));
    for (const event of events) histories.get(event.subject)?.push(event);
    for (const [id, { conflictOf }] of this.#current) {
      if (conflictOf !== undefined && histories.has(conflictOf)) this.remove(id);
    }
    for (const [subject, history] of histories) this.#foldSubject(subject, history);
  }

  #foldSubject(subject: string, history: readonly LogEvent[]): void {
    const evolved = foldSubject(history.filter(isMemoryEvent));
    this.#tokens.delete(subject);
    if (!evolved) return;
    this.#current.set(subject, { stored: evolved.stored });
    if (!evolved.conflict) return;
    const stored = { memory: evolved.conflict, version: 1, heads: [] };
    this.#current.set(evolved.conflict.id, { stored, conflictOf: subject });
  }

  /** Puts what no event stands for. */
  put(memory: Memory): void {
    this.#current.set(memory.id, { stored: { memory, version: 1, heads: [] } });
    this.#tokens.delete(memory.id);
  }

  remove(id: string): void {
    this.#current.delete(id);
    this.#tokens.delete(id);
  }

  putTokens({ id, version, tokens }: TokenCount): void {
    if (this.#current.get(id)?.stored.version !== version || this.#tokens.has(id)) return;
    this.#tokens.set(id, tokens);
  }

  /** Ids of the conflicts that are derived from concurrent edits, in order. */
  conflicts(): string[] {
    return [...this.#current]
      .filter(([, { conflictOf }]) => conflictOf !== undefined)
      .map(([id]) => id)
      .sort();
  }

  visible(view: View): StoredMemory[] {
    return [...this.#current.values()]
      .map(({ stored }) => this.#withTokens(stored))
      .filter(({ memory }) => sees(view, memory));
  }

  #withTokens(stored: StoredMemory): StoredMemory {
    const tokens = stored.tokens ?? this.#tokens.get(stored.memory.id);
    return tokens === undefined ? stored : { ...stored, tokens };
  }

  idsIn(view: View): Set<string> {
    return new Set(this.visible(view).map(({ memory }) => memory.id));
  }

  /** By id: the memory before one in its session, in the same project and drawer. */
  previous(): ReadonlyMap<string, Memory> {
    const sessions = new Map<string, Memory[]>();
    for (const memory of this.memories) {
      const { session_id, project, agent } = memory;
      if (session_id === undefined) continue;
      const key = JSON.stringify([session_id, project, agent]);
      const session = sessions.get(key);
      if (session) session.push(memory);
      else sessions.set(key, [memory]);
    }
    const previous = new Map<string, Memory>();
    for (const session of sessions.values()) {
      session.sort(compareInSession);
      for (const [i, before] of session.entries()) {
        const next = session[i + 1];
        if (next) previous.set(next.id, before);
      }
    }
    return previous;
  }

  hash(events: readonly LogEvent[]): string {
    return stateHash(this.memories, foldEntities(events));
  }

  /** All that a decision may ask for. */
  forCommit(events: readonly LogEvent[], isolated: boolean): CommitState {
    const read = [...this.#current.values()].map((current) => {
      return { ...current, contentKey: contentKeyOf(current.stored.memory, isolated) };
    });
    const records = [...latestRecords(events)].map(
      ([subject, { data }]) => [subject, data as StoreRecord] as const,
    );
    const purged = purgedAmong(events);
    let alike: Map<number, string[]> | undefined;
    return commitState(read, {
      alike: (key) => (alike ??= this.#alike(isolated)).get(key) ?? [],
      projects: projectsIn(events),
      records: new Map(records),
      purged: (id) => purged.has(purgedSubject(id)),
    });
  }

  /** By key of likeness: the ids of the newest living memories that have it. */
  #alike(isolated: boolean): Map<number, string[]> {
    const living = [...this.#current.values()]
      .filter(({ stored, conflictOf }) => isLive(stored.memory.status) && conflictOf === undefined)
      .map(({ stored }) => stored.memory)
      .sort((a, b) => {
        if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1;
        return a.id < b.id ? 1 : -1;
      });
    const ids = new Map<number, string[]>();
    for (const memory of living) {
      for (const key of likenessKeysOf(memory, isolated)) {
        const held = ids.get(key);
        if (!held) ids.set(key, [memory.id]);
        else if (held.length < MOST_ALIKE) held.push(memory.id);
      }
    }
    return ids;
  }
}

/** The name of each project by its key, as it was given last. */
export function projectsIn(events: readonly LogEvent[]): ProjectName[] {
  const names = new Map<string, ProjectName>();
  const named = events.filter((event) => event.kind === 'project.named');
  for (const event of named.sort(compareEvents)) {
    const project = event.data as ProjectName;
    names.set(project.key, project);
  }
  return [...names.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}
