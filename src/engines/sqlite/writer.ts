import { coversOf } from '../../domain/compaction.ts';
import {
  compareEvents,
  isMemoryEvent,
  type LogEvent,
  type ProjectName,
} from '../../domain/event.ts';
import { evolve, foldSubject, type Evolved } from '../../domain/evolve.ts';
import { contentKeyOf } from '../../domain/identity.ts';
import { endsAtMs, startsAtMs, type Memory, type StoredMemory } from '../../domain/memory.ts';
import { outranks, recordKindOf, type RecordKind, type StoreRecord } from '../../domain/record.ts';
import { entryOf } from '../../domain/ranking/entry.ts';
import { NO_TURN } from '../../domain/session.ts';
import { stateByte } from '../shared/doc-state.ts';
import { listOf } from '../shared/postings/codec.ts';
import { movedInSession, sameText } from '../shared/same-text.ts';
import { DocStateWriter } from './doc-states.ts';
import type { Database, Row, Value } from './drivers/driver.ts';
import { LikenessTable } from './likeness-table.ts';
import { readMeta, readTip, tipKey, tipOf, writeMetas, type Tip } from './meta.ts';
import { addToPostings, type NewDocument } from './postings-table.ts';
import { storedOf } from './rows.ts';

interface Place {
  readonly doc: number;
  readonly space: number;
  readonly length: number;
  readonly memory: Memory;
}

/**
 * Applies events to the tables of a store: log, state and postings. One writer serves one
 * transaction, which its caller begins and ends; `finish` writes what was collected.
 */
export class Writer {
  readonly #database: Database;
  readonly #isolated: boolean;
  readonly #states: DocStateWriter;
  readonly #likeness: LikenessTable;
  readonly #documents = new Map<number, NewDocument[]>();
  readonly #spaces = new Map<string, number>();
  readonly #counts = new Map<number, { documents: number; length: number }>();
  /** Values about the store that are written with what was collected. */
  readonly meta = new Map<string, Value>();
  /** Memories whose rows changed, by id; undefined for one that is no more. */
  readonly touched = new Map<string, StoredMemory | undefined>();
  #nextDoc: number;

  constructor(database: Database, isolated: boolean) {
    this.#database = database;
    this.#isolated = isolated;
    this.#states = new DocStateWriter(database);
    this.#likeness = new LikenessTable(database, isolated);
    this.#nextDoc = Number(readMeta(database, 'next_doc') ?? 1);
  }

  /**
   * Puts events on the log.
   * @param lines the events as they stand in a log file, in the same order
   * @returns the events that were not there yet
   */
  log(events: readonly LogEvent[], lines: readonly string[]): LogEvent[] {
    const insert = this.#database.prepare(
      `INSERT INTO events (id, subject, line, run) SELECT ?, ?, ?, ?
       WHERE NOT EXISTS (SELECT 1 FROM events WHERE subject = ? AND id = ?)`,
    );
    return events.filter(({ id, subject, run = null }, i) => {
      return Number(insert.run(id, subject, lines[i] as string, run, subject, id).changes) > 0;
    });
  }

  /** Brings the state up to events that are on the log. */
  apply(events: readonly LogEvent[]): void {
    this.#recordTips(events);
    const states = new Map<string, Evolved>();
    // What does not follow what is there is folded with its whole history: once, not at each event.
    const parted = new Set<string>();
    for (const event of events) {
      const { subject } = event;
      if (isMemoryEvent(event)) {
        if (parted.has(subject)) continue;
        const next = evolve(states.get(subject)?.stored ?? this.#stored(subject), event);
        if (next) states.set(subject, next);
        else parted.add(subject);
      } else if (event.kind === 'project.named') this.#nameProject(event);
      else if (recordKindOf(event)) this.#record(event, recordKindOf(event) as RecordKind);
    }
    for (const subject of parted) states.set(subject, this.#fold(subject));
    for (const [subject, evolved] of states) this.#writeSubject(subject, evolved);
  }

  /** Writes what no event stands for: it is derived from something outside of the store. */
  put(memory: Memory): void {
    this.#write({ memory, version: 1, heads: [] }, null);
  }

  /** Takes away a memory and leaves no trace of it in the state. */
  remove(id: string): void {
    const place = this.#place(id);
    if (!place) return;
    this.touched.set(id, undefined);
    this.#likeness.replace(place.memory, undefined);
    this.#deleteRows(place);
    this.#replace(place);
  }

  finish(): void {
    const isCurrent = (doc: number): boolean => this.#states.get(doc) !== 0;
    for (const [space, documents] of this.#documents) {
      const current = documents.filter(({ doc }) => isCurrent(doc));
      addToPostings(this.#database, space, current, isCurrent);
    }
    this.#documents.clear();
    this.#states.flush();
    this.#likeness.flush();
    this.#writeCounts();
    this.meta.set('next_doc', this.#nextDoc);
    writeMetas(this.#database, this.meta);
    this.meta.clear();
  }

  #fold(subject: string): Evolved {
    const history = this.#database
      .prepare('SELECT line FROM events WHERE subject = ? ORDER BY pos')
      .all(subject)
      .map((row) => JSON.parse(row['line'] as string) as LogEvent)
      .filter(isMemoryEvent);
    return foldSubject(history) as Evolved;
  }

  #stored(id: string): StoredMemory | undefined {
    const row = this.#database.prepare('SELECT * FROM memories WHERE id = ?').get(id);
    return row && storedOf(row);
  }

  /** Where each replica's chain of events has come to. */
  #recordTips(events: readonly LogEvent[]): void {
    const tips = new Map<string, Tip>(Object.entries(coversOf(events)));
    const last = new Map<string, LogEvent>();
    for (const event of events) {
      if ((last.get(event.replica)?.rseq ?? 0) < event.rseq) last.set(event.replica, event);
    }
    for (const [replica, event] of last) {
      if ((tips.get(replica)?.rseq ?? 0) < event.rseq) tips.set(replica, tipOf(event));
    }
    for (const [replica, tip] of tips) {
      if ((readTip(this.#database, replica)?.rseq ?? 0) >= tip.rseq) continue;
      this.meta.set(tipKey(replica), JSON.stringify(tip));
    }
  }

  /** Of two names for one key the later event's holds, whatever order they arrived in. */
  #nameProject(event: LogEvent): void {
    const { key, name } = event.data as ProjectName;
    const row = this.#database.prepare('SELECT line FROM projects WHERE key = ?').get(key);
    if (row && compareEvents(JSON.parse(row['line'] as string) as LogEvent, event) > 0) return;
    this.#database
      .prepare('INSERT OR REPLACE INTO projects (key, name, line) VALUES (?, ?, ?)')
      .run(key, name, JSON.stringify(event));
  }

  /** Of two snapshots of one record the later event's holds, as with names. */
  #record(event: LogEvent, kind: RecordKind): void {
    const { subject } = event;
    const row = this.#database.prepare('SELECT line FROM records WHERE subject = ?').get(subject);
    if (!outranks(event, row && (JSON.parse(row['line'] as string) as LogEvent))) return;
    const { project, agent = '' } = event.data as StoreRecord;
    this.#database
      .prepare(
        `INSERT OR REPLACE INTO records (subject, kind, project, agent, line)
         VALUES (?, ?, ?, ?, ?)`,
      )
      .run(subject, kind, project, agent, JSON.stringify(event));
  }

  #writeSubject(subject: string, { stored, conflict }: Evolved): void {
    if (!this.#write(stored, null) && !conflict) return;
    const conflicts = this.#database
      .prepare('SELECT id FROM memories WHERE conflict_of = ?')
      .all(subject)
      .map((row) => row['id'] as string);
    for (const id of conflicts) if (id !== conflict?.id) this.remove(id);
    // Written even if it is there: an ancestor that arrives late changes what is in dispute.
    if (conflict) this.#write({ memory: conflict, version: 1, heads: [] }, subject);
  }

  /** @returns whether it was there before */
  #write(stored: StoredMemory, conflictOf: string | null): boolean {
    const { memory } = stored;
    const before = this.#place(memory.id);
    const space = this.#space(memory);
    const keepsText = before?.space === space && sameText(before.memory, memory);
    this.touched.set(memory.id, stored);
    if (before) this.#deleteRows(before);
    let doc = before?.doc ?? 0;
    let length = before?.length ?? 0;
    if (!keepsText) {
      if (before) this.#replace(before);
      ({ doc, length } = this.#index(memory, space));
    }
    this.#states.set(doc, stateByte(memory));
    // What no event stands for is never compared: sections of documents, conflicts.
    this.#likeness.replace(before?.memory, stored.heads.length > 0 ? memory : undefined);
    this.#insertRow(stored, { doc, space, length, conflictOf });
    if (!keepsText) {
      this.#reindexSuccessor(memory, space);
      if (before && (before.space !== space || movedInSession(before.memory, memory))) {
        this.#reindexSuccessor(before.memory, before.space);
      }
    }
    return before !== undefined;
  }

  /** Gives a memory a new document number and collects its entry. */
  #index(memory: Memory, space: number): { doc: number; length: number } {
    const doc = this.#nextDoc;
    this.#nextDoc += 1;
    const entry = entryOf(memory, this.#neighbour(memory, space, 'before')?.memory);
    const documents = this.#documents.get(space);
    const waiting = { doc, entry: listOf(entry) };
    if (documents) documents.push(waiting);
    else this.#documents.set(space, [waiting]);
    this.#countIn(space, 1, entry.length);
    return { doc, length: entry.length };
  }

  /** The document of a place is no longer current. */
  #replace({ doc, space, length }: Place): void {
    this.#states.set(doc, 0);
    this.#countIn(space, -1, -length);
  }

  /** The memory after one whose text changed has another context now. */
  #reindexSuccessor(memory: Memory, space: number): void {
    const next = this.#neighbour(memory, space, 'after');
    if (!next) return;
    this.#replace(next);
    const { doc, length } = this.#index(next.memory, space);
    this.#states.set(doc, stateByte(next.memory));
    this.#deleteLists(next);
    this.#database
      .prepare('UPDATE memories SET doc = ?, length = ? WHERE doc = ?')
      .run(doc, length, next.doc);
    this.#insertLists(next.memory, doc);
  }

  /** The memory right before or after one in its session. */
  #neighbour(memory: Memory, space: number, side: 'before' | 'after'): Place | undefined {
    if (memory.session_id === undefined) return undefined;
    const [sign, order] = side === 'before' ? ['<', 'DESC'] : ['>', 'ASC'];
    const row = this.#database
      .prepare(
        `SELECT doc, space, length, data FROM memories WHERE session_id = ? AND space = ?
         AND (turn, created_at, id) ${sign} (?, ?, ?)
         ORDER BY turn ${order}, created_at ${order}, id ${order} LIMIT 1`,
      )
      .get(memory.session_id, space, memory.turn ?? NO_TURN, memory.created_at, memory.id);
    return row && placeOf(row);
  }

  #place(id: string): Place | undefined {
    const row = this.#database
      .prepare('SELECT doc, space, length, data FROM memories WHERE id = ?')
      .get(id);
    return row && placeOf(row);
  }

  #space({ project, agent = '' }: Memory): number {
    const key = JSON.stringify([project, agent]);
    let space = this.#spaces.get(key);
    if (space === undefined) {
      space = this.#knownSpace(project, agent) ?? this.#newSpace(project, agent);
      this.#spaces.set(key, space);
    }
    return space;
  }

  #knownSpace(project: string, agent: string): number | undefined {
    const row = this.#database
      .prepare('SELECT space FROM spaces WHERE project = ? AND agent = ?')
      .get(project, agent);
    return row && Number(row['space']);
  }

  #newSpace(project: string, agent: string): number {
    this.#database
      .prepare('INSERT INTO spaces (project, agent, documents, total_length) VALUES (?, ?, 0, 0)')
      .run(project, agent);
    return this.#knownSpace(project, agent) as number;
  }

  #countIn(space: number, documents: number, length: number): void {
    const counts = this.#counts.get(space) ?? { documents: 0, length: 0 };
    counts.documents += documents;
    counts.length += length;
    this.#counts.set(space, counts);
  }

  #writeCounts(): void {
    const update = this.#database.prepare(
      'UPDATE spaces SET documents = documents + ?, total_length = total_length + ? WHERE space = ?',
    );
    for (const [space, { documents, length }] of this.#counts) {
      update.run(documents, length, space);
    }
    this.#counts.clear();
  }

  #deleteRows(place: Place): void {
    this.#database.prepare('DELETE FROM memories WHERE doc = ?').run(place.doc);
    this.#deleteLists(place);
    if (place.memory.relations.length > 0) {
      this.#database.prepare('DELETE FROM relations WHERE source = ?').run(place.memory.id);
    }
  }

  #deleteLists({ doc, memory }: Place): void {
    this.#database.prepare('DELETE FROM tags WHERE doc = ?').run(doc);
    const external = this.#database.prepare(
      'DELETE FROM external_ids WHERE external_id = ? AND doc = ?',
    );
    for (const id of memory.external_ids) external.run(id, doc);
  }

  #insertLists(memory: Memory, doc: number): void {
    const tag = this.#database.prepare('INSERT OR IGNORE INTO tags (doc, tag) VALUES (?, ?)');
    for (const name of memory.tags) tag.run(doc, name);
    const external = this.#database.prepare(
      'INSERT OR IGNORE INTO external_ids (external_id, doc) VALUES (?, ?)',
    );
    for (const id of memory.external_ids) external.run(id, doc);
  }

  #insertRow(
    { memory, version, heads, tokens, front }: StoredMemory,
    at: { doc: number; space: number; length: number; conflictOf: string | null },
  ): void {
    const starts = startsAtMs(memory);
    const ends = endsAtMs(memory);
    this.#database
      .prepare(
        `INSERT INTO memories (doc, id, space, project, agent, type, tier, status, confidence,
          source, session_id, turn, created_at, updated_at, created_ms, starts_ms, ends_ms,
          superseded_ms, content_key, length, version, heads, tokens, front, conflict_of, data)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        at.doc,
        memory.id,
        at.space,
        memory.project,
        memory.agent ?? '',
        memory.type,
        memory.tier,
        memory.status,
        memory.confidence,
        memory.source,
        memory.session_id ?? null,
        memory.turn ?? NO_TURN,
        memory.created_at,
        memory.updated_at,
        Date.parse(memory.created_at),
        starts === -Infinity ? null : starts,
        ends === Infinity ? null : ends,
        memory.superseded_at === undefined ? null : Date.parse(memory.superseded_at),
        contentKeyOf(memory, this.#isolated),
        at.length,
        version,
        JSON.stringify(heads),
        tokens ?? null,
        front ?? null,
        at.conflictOf,
        JSON.stringify(memory),
      );
    this.#insertLists(memory, at.doc);
    const edge = this.#database.prepare(
      'INSERT OR REPLACE INTO relations (source, type, target, confidence, origin) VALUES (?, ?, ?, ?, ?)',
    );
    for (const { type, target, confidence, origin } of memory.relations) {
      edge.run(memory.id, type, target, confidence, origin);
    }
  }
}

function placeOf(row: Row): Place {
  return {
    doc: Number(row['doc']),
    space: Number(row['space']),
    length: Number(row['length']),
    memory: JSON.parse(row['data'] as string) as Memory,
  };
}
