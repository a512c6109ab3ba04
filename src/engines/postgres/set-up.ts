import { LociError } from '../../domain/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import type { Driver, Session } from './driver.ts';
import { databaseIdentity } from './identity.ts';
import { MIGRATIONS, SCHEMA_VERSION } from './migrations.ts';
import { beginCommit, beginSetUp, identifier } from './names.ts';
import { databaseError } from './postgres-error.ts';
import { indexVectors } from './vectors.ts';

export interface SetUpReport {
  readonly from: number;
  readonly to: number;
  /** Versions that were applied. */
  readonly applied: readonly number[];
}

export interface SetUpOptions {
  readonly driver: Driver;
  readonly location: string;
  readonly schema: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Milliseconds to wait for others who set up or write. */
  readonly deadlineMs: number;
  /** Makes the indexes that many vectors want, however long it takes. Default false. */
  readonly makesIndexes?: boolean;
  /** Default: all of this program. */
  readonly migrations?: typeof MIGRATIONS;
}

/**
 * Brings a database to this program's schema: numbered migrations, each in a transaction of its own
 * and recorded, under the commit lock. Run again it does nothing.
 * @throws LociError unsupported when the database is newer than this program; denied, unavailable
 */
export async function setUp(options: SetUpOptions): Promise<SetUpReport> {
  const report = await setUpSchema(options);
  await setUpSchema({ ...options, schema: documentSchema(options.schema) });
  return report;
}

/** Documents lie in a schema of their own, with the tables of memories. */
export function documentSchema(schema: string): string {
  return `${schema}_docs`;
}

async function setUpSchema(options: SetUpOptions): Promise<SetUpReport> {
  const { driver, location, schema, clock, ids, deadlineMs } = options;
  const { migrations = MIGRATIONS } = options;
  try {
    const extension = await driver.transaction({ begin: beginSetUp(deadlineMs) }, (session) =>
      prepare(session, schema, location),
    );
    const begin = beginCommit({ own: schema, extension }, deadlineMs);
    const from = await driver.transaction({ begin }, (session) => versionOf(session));
    requireKnownVersion(from, location);
    const applied: number[] = [];
    for (const { version, sql } of migrations) {
      // Read again under the lock: two may set up at once.
      const isApplied = await driver.transaction({ begin }, async (session) => {
        if ((await versionOf(session)) !== version - 1) return false;
        await session.script(sql);
        session.send('INSERT INTO migrations (version) VALUES ($1::integer)', [version]);
        return true;
      });
      if (isApplied) applied.push(version);
    }
    await driver.transaction({ begin }, async (session) => {
      const home = await databaseIdentity(session);
      const fresh = [0, 1, 2].map(() => ids.ulid(clock.nowMs()));
      session.send(
        `INSERT INTO store (id, replica, epoch, isolated, home)
         VALUES ($1::text, $2::text, $3::text, false, $4::text) ON CONFLICT DO NOTHING`,
        [...fresh, home],
      );
    });
    if (options.makesIndexes) await driver.transaction({ begin }, indexVectors);
    return { from, to: Math.max(from, migrations.length), applied };
  } catch (error) {
    throw databaseError(error, location);
  }
}

/** Makes what the migrations stand on: schema, extension and the record of migrations. */
async function prepare(session: Session, schema: string, location: string): Promise<string> {
  const extension = (await extensionSchema(session)) ?? (await installExtension(session, location));
  const [found] = await session.query('SELECT to_regnamespace($1::text) IS NOT NULL AS there', [
    identifier(schema),
  ]);
  if (found?.['there'] !== true) await session.script(`CREATE SCHEMA ${identifier(schema)}`);
  const table = `${identifier(schema)}.migrations`;
  const [known] = await session.query('SELECT to_regclass($1::text) IS NOT NULL AS there', [table]);
  if (known?.['there'] !== true) {
    await session.script(`CREATE TABLE ${table} (
      version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`);
  }
  return extension;
}

/** The schema in which the type `vector` lies; undefined where there is none. */
export async function extensionSchema(session: Session): Promise<string | undefined> {
  const [row] = await session.query(
    `SELECT n.nspname::text AS schema FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
     WHERE e.extname = 'vector'`,
  );
  return row?.['schema'] as string | undefined;
}

async function installExtension(session: Session, location: string): Promise<string> {
  try {
    await session.script('CREATE EXTENSION vector');
  } catch (error) {
    throw new LociError(
      'unavailable',
      `${location}: the extension vector (pgvector) is not there, and this user could not make it`,
      'Ask an administrator of the database to install pgvector and to run: CREATE EXTENSION vector;',
      { cause: error },
    );
  }
  return (await extensionSchema(session)) as string;
}

/** Version of the schema; 0 = nothing was applied yet. */
export async function versionOf(session: Session): Promise<number> {
  const [row] = await session.query('SELECT coalesce(max(version), 0) AS version FROM migrations');
  return Number(row?.['version']);
}

/** What the store stands on: the server with its extension, and the version of the tables. */
export async function readGround(
  session: Session,
): Promise<{ readonly driver: string; readonly version: number }> {
  const [version, [row]] = await Promise.all([
    versionOf(session),
    session.query(
      `SELECT current_setting('server_version') AS server,
         (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS vector`,
    ),
  ]);
  const [server] = String(row?.['server']).split(' ');
  return { driver: `PostgreSQL ${server}, pgvector ${String(row?.['vector'])}`, version };
}

export function requireKnownVersion(version: number, location: string): void {
  if (version <= SCHEMA_VERSION) return;
  throw new LociError(
    'unsupported',
    `${location} has schema version ${version}; this program knows versions up to ${SCHEMA_VERSION}`,
    'Nothing was changed. Update Loci on this machine.',
  );
}
