import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { LociError } from '../../domain/errors.ts';
import { contentKeyOf } from '../../domain/identity.ts';
import { parsePostgresUrl } from '../../domain/postgres-url.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import type { Driver, Session } from './driver.ts';
import { PostgresEngine } from './engine.ts';
import { readHeader, type Header } from './header.ts';
import { databaseIdentity } from './identity.ts';
import { SCHEMA_VERSION } from './migrations.ts';
import { beginCommit, beginSnapshot, identifier } from './names.ts';
import { list } from './parameters.ts';
import { openPg } from './pg-driver.ts';
import { openPglite } from './pglite-driver.ts';
import { holdFile } from './pglite-lock.ts';
import { refusePooler } from './pooler.ts';
import type { VectorLimits } from './vectors.ts';
import { databaseError } from './postgres-error.ts';
import { memoryPages } from './reader.ts';
import {
  extensionSchema,
  requireKnownVersion,
  setUp,
  versionOf,
  type SetUpReport,
} from './set-up.ts';

export interface PostgresOptions {
  readonly url: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly isolated?: boolean;
  /** Milliseconds a write waits for other processes. Default 10,000. */
  readonly lockDeadlineMs?: number;
  /** Most connections at a time. Default 4. */
  readonly connections?: number;
  /** Default those that were measured. */
  readonly vectorLimits?: VectorLimits;
}

const DEADLINE_MS = 10_000;
/** Several may set up at once, and a migration may take its time. */
const SET_UP_MS = 60_000;

/**
 * Opens a store in a PostgreSQL database that `loci setup` has prepared. It makes and migrates
 * nothing.
 * @throws LociError unavailable, denied, unsupported, busy
 */
export async function openPostgres(options: PostgresOptions): Promise<PostgresEngine> {
  const { connect, shown, schema } = parsePostgresUrl(options.url);
  const { lockDeadlineMs = DEADLINE_MS, connections } = options;
  const driver = await openPg({
    url: connect,
    connectMs: lockDeadlineMs,
    ...(connections === undefined ? {} : { connections }),
  });
  return openOn(driver, { ...options, kind: 'postgres', location: shown, schema });
}

/** @throws LociError unsupported behind a pooler that gives each transaction another connection */
export async function setUpPostgres(
  options: Pick<PostgresOptions, 'url' | 'clock' | 'ids'>,
): Promise<SetUpReport> {
  const { connect, shown, schema, port } = parsePostgresUrl(options.url);
  const one = { url: connect, connectMs: DEADLINE_MS, connections: 1, silenceMs: 0 };
  const [driver, other] = [await openPg(one), await openPg(one)];
  try {
    await refusePooler([driver, other], port, shown);
    const parts = { ...options, driver, location: shown, schema, deadlineMs: SET_UP_MS };
    return await setUp({ ...parts, makesIndexes: true });
  } catch (error) {
    throw databaseError(error, shown);
  } finally {
    await Promise.all([driver.close(), other.close()]);
  }
}

export interface PgliteOptions extends Omit<PostgresOptions, 'url' | 'connections'> {
  /** Folder of the store, absolute. */
  readonly path: string;
}

/** How long a second process waits for one that may be about to end, milliseconds. */
const HOLDER_MS = 1000;

/**
 * Opens, and makes or migrates if need be, a store of PostgreSQL in this process.
 * @throws LociError busy while another process has it open
 */
export async function openPgliteStore(options: PgliteOptions): Promise<PostgresEngine> {
  const { path, lockDeadlineMs = DEADLINE_MS } = options;
  const location = `pglite:${path}`;
  try {
    mkdirSync(path, { recursive: true });
    const waitMs = Math.min(HOLDER_MS, lockDeadlineMs);
    const release = await holdFile(join(path, 'holder.json'), location, waitMs);
    const driver = await openPglite(join(path, 'data'), release).catch((error: unknown) => {
      release();
      throw error;
    });
    const parts = { ...options, kind: 'pglite', location, place: path, schema: 'loci' };
    await setUp({ ...parts, driver, deadlineMs: SET_UP_MS }).catch(async (error: unknown) => {
      await driver.close();
      throw error;
    });
    return await openOn(driver, parts);
  } catch (error) {
    throw databaseError(error, location);
  }
}

export interface OpenParts {
  readonly kind: string;
  readonly location: string;
  readonly schema: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly isolated?: boolean;
  readonly lockDeadlineMs?: number;
  readonly vectorLimits?: VectorLimits;
  /** The folder that it lies in, if it is on this machine. */
  readonly place?: string;
}

/** An engine over connections that are there; they are closed when it cannot be. */
export async function openOn(driver: Driver, parts: OpenParts): Promise<PostgresEngine> {
  const { kind, location, schema, clock, ids, isolated = false } = parts;
  const deadlineMs = parts.lockDeadlineMs ?? DEADLINE_MS;
  try {
    const { header, home, extension } = await look(driver, schema, location);
    const schemas = { own: schema, extension };
    if (header.home !== home || header.isolated !== isolated) {
      await driver.transaction({ begin: beginCommit(schemas, deadlineMs) }, (session) =>
        adopt(session, { home, isolated, clock, ids }),
      );
    }
    return new PostgresEngine({
      kind,
      location,
      driver,
      schemas,
      clock,
      ids,
      isolated,
      deadlineMs,
      ...(parts.place === undefined ? {} : { place: parts.place }),
      ...(parts.vectorLimits === undefined ? {} : { vectorLimits: parts.vectorLimits }),
    });
  } catch (error) {
    await driver.close();
    throw databaseError(error, location);
  }
}

interface Found {
  readonly header: Header;
  readonly home: string;
  readonly extension: string;
}

/** Everything that opening needs to know, in one exchange. */
async function look(driver: Driver, schema: string, location: string): Promise<Found> {
  // Where the extension lies is not known yet, and none of this needs it.
  const begin = beginSnapshot({ own: schema, extension: schema });
  const options = { begin, readOnly: true };
  const [, extension, home, version, header] = await driver.transaction(options, (session) =>
    Promise.all([
      // By its full name: without the right to look into the schema that is what fails.
      session.query(`SELECT 1 FROM ${identifier(schema)}.migrations LIMIT 1`),
      extensionSchema(session),
      databaseIdentity(session),
      versionOf(session),
      readHeader(session),
    ]),
  );
  requireKnownVersion(version, location);
  if (version < SCHEMA_VERSION || !header) {
    throw new LociError(
      'unavailable',
      `${location} has schema version ${version}, and this program needs ${SCHEMA_VERSION}`,
      'Run once, as the owner of the tables: loci setup --store URL',
    );
  }
  if (extension === undefined) {
    throw new LociError(
      'unavailable',
      `${location}: the extension vector (pgvector) is not there any more`,
      'Ask an administrator of the database to run: CREATE EXTENSION vector;',
    );
  }
  return { header, home, extension };
}

/** Settles who this replica is, and whose content is unique in what, inside the commit lock. */
async function adopt(
  session: Session,
  {
    home,
    isolated,
    clock,
    ids,
  }: { home: string; isolated: boolean } & Pick<PostgresOptions, 'clock' | 'ids'>,
): Promise<void> {
  const header = await readHeader(session);
  if (header && header.home !== home) {
    session.send('UPDATE store SET home = $1::text, replica = $2::text, epoch = $3::text', [
      home,
      ids.ulid(clock.nowMs()),
      ids.ulid(clock.nowMs()),
    ]);
    // Transactions are counted anew here, and nobody has seen anything yet.
    session.send('DELETE FROM vector_writes');
  }
  if (!header || header.isolated === isolated) return;
  for await (const memories of memoryPages(session)) {
    session.send(
      `UPDATE memories m SET content_key = q.key
       FROM unnest($1::text[], $2::text[], $3::text[]) AS q (project, id, key)
       WHERE m.project = q.project AND m.id = q.id`,
      [
        list(memories.map(({ project }) => project)),
        list(memories.map(({ id }) => id)),
        list(memories.map((memory) => contentKeyOf(memory, isolated))),
      ],
    );
  }
  session.send('UPDATE store SET isolated = $1::boolean', [isolated]);
}
