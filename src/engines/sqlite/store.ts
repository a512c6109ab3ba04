import { advanceClock, eventsOf, type ChainTip } from '../../domain/append.ts';
import type { Change, CommitState } from '../../domain/change.ts';
import type { LogEvent } from '../../domain/event.ts';
import { foldAll } from '../../domain/evolve.ts';
import type { Finding } from '../../domain/finding.ts';
import { stateHash } from '../../domain/state-hash.ts';
import type { StoredMemory } from '../../domain/memory.ts';
import { foldEntities, type StoreRecord } from '../../domain/record.ts';
import { VIEW_ALL } from '../../domain/view.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CommitRequest } from '../../ports/engine.ts';
import type { Progress } from '../../ports/log-life.ts';
import type { Ids } from '../../ports/ids.ts';
import { checkLog } from '../shared/check-log.ts';
import type { Database, Value } from './drivers/driver.ts';
import { dropTips, readMeta, readTip, writeMeta } from './meta.ts';
import { readForCommit, readMemories, readRecords } from './reader.ts';
import { Writer } from './writer.ts';

const STATE_TABLES = [
  'projects',
  'records',
  'memories',
  'likeness',
  'tags',
  'external_ids',
  'relations',
  'citations',
  'spaces',
  'segments',
  'postings',
  'deltas',
  'doc_states',
] as const;

/** Events folded at a time: each page makes one segment, so that it is not small. */
const REBUILD_PAGE = 8000;

export interface Applied {
  readonly events: readonly LogEvent[];
  /** The same as lines of the log, without their newline. */
  readonly lines: readonly string[];
  /** Memories whose state changed, by id; undefined for one that is no more. */
  readonly touched: ReadonlyMap<string, StoredMemory | undefined>;
}

/** Events of this replica that are not applied yet. */
export interface Prepared {
  readonly events: readonly LogEvent[];
  readonly lines: readonly string[];
}

export interface WriterStamp {
  readonly replica: string;
  readonly actor: string;
  readonly run?: string | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * Log and state as tables of one SQLite database. Everything that writes expects the caller to
 * hold a transaction.
 */
export class SqliteStore {
  readonly database: Database;
  readonly isolated: boolean;

  constructor(database: Database, isolated: boolean) {
    this.database = database;
    this.isolated = isolated;
  }

  meta(key: string): string | undefined {
    const value = readMeta(this.database, key);
    return value === undefined ? undefined : String(value);
  }

  setMeta(key: string, value: Value): void {
    writeMeta(this.database, key, value);
  }

  stateFor(request: CommitRequest): CommitState {
    return readForCommit(this.database, request);
  }

  /** Turns changes into events of this replica, which are then to be applied. */
  prepare(changes: readonly Change[], state: CommitState, stamp: WriterStamp): Prepared {
    if (changes.length === 0) return { events: [], lines: [] };
    const events = eventsOf(changes, this.chainTip(stamp.replica), {
      nowMs: stamp.clock.nowMs(),
      actor: stamp.actor,
      run: stamp.run,
      ulid: (nowMs) => stamp.ids.ulid(nowMs),
      salt: () => stamp.ids.salt(),
      headsOf: (subject) => state.get(subject)?.heads ?? this.#headsOf(subject),
    });
    return { events, lines: events.map((event) => JSON.stringify(event)) };
  }

  /** Applies events that may come from anywhere; those that are known already are passed over. */
  append(events: readonly LogEvent[], lines: readonly string[], nowMs: number): Applied {
    const writer = new Writer(this.database, this.isolated);
    const fresh = writer.log(events, lines);
    writer.apply(fresh);
    const hlc = fresh.reduce((last, event) => advanceClock(last, event, nowMs), this.#hlc());
    writer.meta.set('hlc', hlc);
    writer.finish();
    const isFresh = new Set(fresh.map((event) => event.id));
    const kept = lines.filter((_, i) => isFresh.delete(events[i]?.id ?? ''));
    return { events: fresh, lines: kept, touched: writer.touched };
  }

  chainTip(replica: string): ChainTip {
    const { rseq = 0, prev = '' } = readTip(this.database, replica) ?? {};
    return { replica, rseq, prev, hlc: this.#hlc() };
  }

  /** Drops the state and folds it again from the events that are there. */
  rebuild(progress?: Progress): void {
    for (const table of STATE_TABLES) this.database.exec(`DELETE FROM ${table}`);
    dropTips(this.database);
    this.setMeta('next_doc', 1);
    // Document numbers are given out anew: nobody may go on with what it knows of the old ones.
    this.setMeta('generation', Number(this.meta('generation') ?? 0) + 1);
    const total = Number(this.database.prepare('SELECT count(*) AS n FROM events').get()?.['n']);
    let done = 0;
    for (const events of this.eventPages()) {
      const writer = new Writer(this.database, this.isolated);
      writer.apply(events);
      writer.finish();
      done += events.length;
      progress?.(done, total);
    }
  }

  /** All events in order of local arrival, some at a time. */
  *eventPages(size = REBUILD_PAGE): Iterable<LogEvent[]> {
    const page = this.database.prepare(
      'SELECT pos, line FROM events WHERE pos > ? ORDER BY pos LIMIT ?',
    );
    for (let last = 0; ;) {
      const rows = page.all(last, size);
      if (rows.length === 0) return;
      yield rows.map((row) => JSON.parse(row['line'] as string) as LogEvent);
      last = Number(rows.at(-1)?.['pos']);
    }
  }

  stateHash(): string {
    return stateHash(readMemories(this.database), this.entities());
  }

  entities(): readonly StoreRecord[] {
    return readRecords(this.database, 'entity', VIEW_ALL);
  }

  /** Checks the log, and the state against a fold of the log that knows nothing of the tables. */
  check(): Finding[] {
    const events = [...this.eventPages()].flat();
    const findings = checkLog(events);
    const integrity = this.database.prepare('PRAGMA quick_check').get()?.['quick_check'];
    if (integrity !== 'ok') {
      findings.push({ check: 'index', severity: 'error', message: `SQLite says: ${integrity}` });
    }
    if (stateHash(foldAll(events), foldEntities(events)) !== this.stateHash()) {
      findings.push({
        check: 'index',
        severity: 'error',
        message: 'the state differs from what the log says',
        hint: 'Run: loci reindex',
      });
    }
    return findings;
  }

  #headsOf(subject: string): readonly string[] {
    const row = this.database.prepare('SELECT heads FROM memories WHERE id = ?').get(subject);
    return row ? (JSON.parse(row['heads'] as string) as string[]) : [];
  }

  #hlc(): number {
    return Number(this.meta('hlc') ?? 0);
  }
}
