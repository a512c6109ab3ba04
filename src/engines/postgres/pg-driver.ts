import type { Writable } from 'node:stream';
import type { Pool, PoolClient, PoolConfig, QueryConfig } from 'pg';
import { LociError } from '../../domain/errors.ts';
import {
  LostConnection,
  type Driver,
  type Parameter,
  type Row,
  type Session,
  type TransactionOptions,
} from './driver.ts';
import { importPeer } from './peer.ts';
import { isLost } from './postgres-error.ts';
import { Statements } from './statements.ts';

/** Few are needed: writes of a process share a transaction, and a pooler may have no more to give. */
const CONNECTIONS = 4;
/** A server that does not answer at all, milliseconds. Waits for locks end much earlier. */
const SILENCE_MS = 120_000;

export interface PgOptions {
  readonly url: string;
  /** Milliseconds to wait for a connection. */
  readonly connectMs: number;
  /** Default 4. */
  readonly connections?: number;
  /** Milliseconds to wait for an answer, 0 = for ever. Default two minutes. */
  readonly silenceMs?: number;
}

/** Connections to a PostgreSQL server by the package `pg`. Nothing is connected until it is used. */
export async function openPg({
  url,
  connectMs,
  connections = CONNECTIONS,
  silenceMs = SILENCE_MS,
}: PgOptions): Promise<Driver> {
  const { default: pg } = await importPeer(() => import('pg'), 'PostgreSQL', 'pg@8');
  // `pipeline` sends statements without waiting for the answer to the one before.
  const config: PoolConfig & { readonly pipeline: boolean } = {
    connectionString: url,
    application_name: 'loci',
    max: connections,
    connectionTimeoutMillis: connectMs,
    query_timeout: silenceMs,
    keepAlive: true,
    allowExitOnIdle: true,
    pipeline: true,
    types: { getTypeParser: parserOf },
  };
  const pool = new pg.Pool(config);
  // A connection that breaks while nobody uses it is replaced when one is needed.
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return new PgDriver(pool);
}

/** By type: all others stay the text that came, or nobody looks at them. */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => text === 't',
  17: (text) => Buffer.from(text.slice(2), 'hex'),
  20: Number,
  21: Number,
  23: Number,
  700: Number,
  701: Number,
};

const asItIs = (text: string): unknown => text;

function parserOf(type: number): (text: string) => unknown {
  return PARSERS[type] ?? asItIs;
}

class PgDriver implements Driver {
  readonly #pool: Pool;
  #closed: Promise<void> | undefined;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async transaction<T>(
    { begin, readOnly = false }: TransactionOptions,
    work: (session: Session) => Promise<T>,
  ): Promise<T> {
    const client = await this.#pool.connect();
    const sent = new Statements(
      (text, parameters) => prepared(client, text, parameters),
      (sql) => {
        sendTogether(client);
        return client.query(sql);
      },
    );
    let asked = false;
    try {
      void sent.script(begin).catch(ignore);
      const result = await work(sent);
      sent.flush();
      asked = true;
      const committed = client.query('COMMIT');
      if (readOnly) {
        committed.then(
          () => client.release(),
          () => client.release(true),
        );
        return result;
      }
      committed.catch(ignore);
      await sent.all();
      await committed;
      client.release();
      return result;
    } catch (error) {
      const cause = await sent.firstFailure(error);
      const lost = isLost(cause) || isLost(error);
      if (lost) client.release(true);
      else if (asked) client.release();
      else
        client.query('ROLLBACK').then(
          () => client.release(),
          () => client.release(true),
        );
      if (lost && asked) throw new LostConnection(cause);
      // What we say ourselves says more than the failure behind it.
      throw error instanceof LociError ? error : cause;
    }
  }

  close(): Promise<void> {
    this.#closed ??= this.#pool.end();
    return this.#closed;
  }
}

/** Without a name, so that nothing of it stays behind. */
function prepared(
  client: PoolClient,
  text: string,
  parameters: readonly Parameter[],
): Promise<{ readonly rows: readonly Row[] }> {
  sendTogether(client);
  return client.query({
    text,
    values: parameters.map(bound),
    queryMode: 'extended',
  } as QueryConfig);
}

/** What is asked for in one turn goes out in one write: each costs the system more than its bytes do. */
function sendTogether(client: PoolClient): void {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Writable } })
    .connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

function bound(value: Parameter): unknown {
  return value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : value;
}

function ignore(): void {}
