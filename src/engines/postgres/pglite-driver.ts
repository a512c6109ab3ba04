import { LociError } from '../../domain/errors.ts';
import { Turns } from '../shared/turns.ts';
import type { PGlite } from '@electric-sql/pglite';
import type { Driver, Parameter, Row, Session, TransactionOptions } from './driver.ts';
import { importPeer } from './peer.ts';
import { Statements } from './statements.ts';

const PACKAGES = '@electric-sql/pglite@0.5.14 @electric-sql/pglite-pgvector@0.0.15';

/** PostgreSQL in this process, on a folder of its own; made if it is not there. */
export async function openPglite(folder: string, release: () => void): Promise<Driver> {
  const [{ PGlite: Database }, { vector }] = await importPeer(
    () => Promise.all([import('@electric-sql/pglite'), import('@electric-sql/pglite-pgvector')]),
    'PGlite',
    PACKAGES,
  );
  const database = await Database.create({ dataDir: folder, extensions: { vector } });
  return new PgliteDriver(database as unknown as PGlite, release);
}

/** One connection, which transactions take in turn. */
class PgliteDriver implements Driver {
  readonly #database: PGlite;
  readonly #release: () => void;
  readonly #turns = new Turns();

  constructor(database: PGlite, release: () => void) {
    this.#database = database;
    this.#release = release;
  }

  transaction<T>(
    { begin }: TransactionOptions,
    work: (session: Session) => Promise<T>,
  ): Promise<T> {
    return this.#turns.take(async () => {
      const database = this.#database;
      const sent = new Statements(
        (sql, parameters) => database.query<Row>(sql, [...parameters] as Parameter[]),
        (sql) => database.exec(sql),
      );
      try {
        await sent.script(begin);
        const result = await work(sent);
        await sent.all();
        await database.exec('COMMIT');
        return result;
      } catch (error) {
        const cause = await sent.firstFailure(error);
        await database.exec('ROLLBACK');
        throw error instanceof LociError ? error : cause;
      }
    });
  }

  async close(): Promise<void> {
    await this.#turns.take(async () => {
      if (this.#database.closed) return;
      await this.#database.close();
      this.#release();
    });
  }
}
