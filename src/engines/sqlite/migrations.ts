import { LociError } from '../../domain/errors.ts';
import { DELTA_DOCS } from './delta-key.ts';
import type { Database } from './drivers/driver.ts';

/**
 * Numbered, contiguous migrations; each runs once, in the transaction its caller holds, and is
 * recorded. A released one is never changed.
 */
export const MIGRATIONS: readonly { readonly version: number; readonly sql: string }[] = [
  {
    version: 1,
    sql: `
      CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;

      -- The log, in order of local arrival.
      CREATE TABLE events (
        pos INTEGER PRIMARY KEY,
        id TEXT NOT NULL,
        subject TEXT NOT NULL,
        line TEXT NOT NULL
      );
      CREATE INDEX events_subject ON events (subject, id);
      CREATE TABLE projects (key TEXT PRIMARY KEY, name TEXT NOT NULL, line TEXT NOT NULL)
        WITHOUT ROWID;

      -- Current state. doc is the number that postings know a memory by; it changes with the text.
      CREATE TABLE memories (
        doc INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        space INTEGER NOT NULL,
        project TEXT NOT NULL,
        agent TEXT NOT NULL,
        type TEXT NOT NULL,
        tier TEXT NOT NULL,
        status TEXT NOT NULL,
        confidence REAL NOT NULL,
        source TEXT NOT NULL,
        session_id TEXT,
        turn INTEGER NOT NULL,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        created_ms INTEGER NOT NULL,
        starts_ms REAL,
        ends_ms REAL,
        superseded_ms INTEGER,
        content_key TEXT NOT NULL,
        length INTEGER NOT NULL,
        version INTEGER NOT NULL,
        heads TEXT NOT NULL,
        tokens INTEGER,
        front TEXT,
        conflict_of TEXT,
        data TEXT NOT NULL
      );
      CREATE INDEX memories_content ON memories (content_key);
      CREATE INDEX memories_created ON memories (created_at, id);
      CREATE INDEX memories_session ON memories (session_id, turn, created_at, id)
        WHERE session_id IS NOT NULL;
      CREATE INDEX memories_timed ON memories (doc) WHERE starts_ms IS NOT NULL OR ends_ms IS NOT NULL;
      CREATE INDEX memories_conflict ON memories (conflict_of) WHERE conflict_of IS NOT NULL;
      CREATE TABLE tags (tag TEXT, doc INTEGER, PRIMARY KEY (tag, doc)) WITHOUT ROWID;
      CREATE TABLE external_ids (external_id TEXT, doc INTEGER, PRIMARY KEY (external_id, doc))
        WITHOUT ROWID;
      CREATE TABLE relations (
        source TEXT, type TEXT, target TEXT, confidence REAL NOT NULL, origin TEXT NOT NULL,
        PRIMARY KEY (source, type, target)
      ) WITHOUT ROWID;
      CREATE INDEX relations_target ON relations (target);

      -- Keyword search. A space is one project and drawer: statistics never cross it.
      CREATE TABLE spaces (
        space INTEGER PRIMARY KEY,
        project TEXT NOT NULL,
        agent TEXT NOT NULL,
        documents INTEGER NOT NULL,
        total_length INTEGER NOT NULL,
        UNIQUE (project, agent)
      );
      CREATE TABLE segments (
        segment INTEGER PRIMARY KEY AUTOINCREMENT,
        space INTEGER NOT NULL,
        docs BLOB NOT NULL,
        lengths BLOB NOT NULL
      );
      CREATE INDEX segments_space ON segments (space);
      CREATE TABLE postings (segment INTEGER, term TEXT, list BLOB NOT NULL,
        PRIMARY KEY (segment, term)) WITHOUT ROWID;
      CREATE TABLE deltas (space INTEGER, doc INTEGER, entry TEXT NOT NULL,
        PRIMARY KEY (space, doc)) WITHOUT ROWID;
      CREATE TABLE doc_states (chunk INTEGER PRIMARY KEY, states BLOB NOT NULL);
    `,
  },
  {
    version: 2,
    sql: `
      -- By document, so that those of a new memory stand at the end: they are only asked of a row.
      ALTER TABLE tags RENAME TO tags_1;
      CREATE TABLE tags (doc INTEGER, tag TEXT, PRIMARY KEY (doc, tag)) WITHOUT ROWID;
      INSERT INTO tags SELECT doc, tag FROM tags_1;
      DROP TABLE tags_1;

      -- The key is space and document in one number: rows this large stand better by rowid.
      ALTER TABLE deltas RENAME TO deltas_1;
      CREATE TABLE deltas (key INTEGER PRIMARY KEY, entry TEXT NOT NULL);
      INSERT INTO deltas SELECT space * ${DELTA_DOCS} + doc, entry FROM deltas_1;
      DROP TABLE deltas_1;
    `,
  },
  {
    version: 3,
    sql: `
      -- Runs of upkeep, proposals and entities: what the log keeps beside memories.
      CREATE TABLE records (
        subject TEXT PRIMARY KEY,
        kind TEXT NOT NULL,
        project TEXT NOT NULL,
        agent TEXT NOT NULL,
        line TEXT NOT NULL
      );
      CREATE INDEX records_kind ON records (kind);
      ALTER TABLE events ADD COLUMN run TEXT;
      CREATE INDEX events_run ON events (run) WHERE run IS NOT NULL;
    `,
  },
  {
    version: 4,
    sql: `
      -- Evidence, by its hash. A vault keeps it in files.
      CREATE TABLE evidence (sha256 TEXT PRIMARY KEY, bytes BLOB NOT NULL);
    `,
  },
  {
    version: 5,
    sql: `
      -- Keys by which living memories with much the same text are found; see likeness-table.
      CREATE TABLE likeness (
        key INTEGER, created_ms INTEGER, id TEXT, PRIMARY KEY (key, created_ms, id)
      ) WITHOUT ROWID;
    `,
  },
];

/** The version from which on memories have keys of likeness. */
export const LIKENESS_VERSION = 5;

export const SCHEMA_VERSION = MIGRATIONS.length;

export function schemaVersion(database: Database): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
}

/**
 * Brings a database to this program's schema, inside the transaction that the caller holds.
 * @returns the versions that were applied
 * @throws LociError unsupported when it is newer than this program
 */
export function migrate(database: Database, what: string): number[] {
  const current = schemaVersion(database);
  requireKnownSchema(current, what);
  const applied: number[] = [];
  for (const { version, sql } of MIGRATIONS.slice(current)) {
    database.exec(sql);
    database.exec(`PRAGMA user_version = ${version}`);
    applied.push(version);
  }
  return applied;
}

export function requireKnownSchema(version: number, what: string): void {
  if (version <= SCHEMA_VERSION) return;
  throw new LociError(
    'unsupported',
    `${what} has schema version ${version}; this program knows versions up to ${SCHEMA_VERSION}`,
    'Nothing was changed. Update Loci on this machine.',
  );
}
