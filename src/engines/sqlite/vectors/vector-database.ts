import { isDamage, type Database } from '../drivers/driver.ts';
import { rollBack, tryBegin, untilFree } from '../lock.ts';
import { wipe } from '../wipe.ts';
import { createVectorTables, hasVectorTables } from './tables.ts';

/** Vectors can wait: a write gives up soon when somebody else holds the lock. */
const LOCK_DEADLINE_MS = 50;

export interface VectorDatabaseOptions {
  /** The database that vectors are kept in; one is made only when something is to be written. */
  readonly open: (forWriting: boolean) => Database | undefined;
  readonly location: string;
  /** Of a file of its own, which may be taken away while it is open. */
  readonly inode?: () => number | undefined;
  /** Removes a damaged file of its own. */
  readonly drop?: () => void;
}

/** The connection to where vectors are kept: opened when it is needed, and again when it is lost. */
export class VectorDatabase {
  readonly #options: VectorDatabaseOptions;
  /** Called when what was read from the database may not hold any more. */
  readonly #forget: () => void;
  #database: Database | undefined;
  #hasTables = false;
  #inode: number | undefined;

  constructor(options: VectorDatabaseOptions, forget: () => void) {
    this.#options = options;
    this.#forget = forget;
  }

  /** Undefined as long as nothing was ever written: reading makes nothing. */
  reader(): Database | undefined {
    const database = this.#open(false);
    if (!database) return undefined;
    this.#hasTables ||= hasVectorTables(database);
    return this.#hasTables ? database : undefined;
  }

  /** What is damaged is dropped, and the work done on what is left. */
  sound<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!isDamage(error) || !this.#options.drop) throw error;
      this.close();
      this.#options.drop();
      return work();
    }
  }

  /**
   * One transaction from begin to end without a pause: this connection serves several callers.
   * @throws LociError busy
   */
  write(work: (database: Database) => void): Promise<void> {
    const database = this.#open(true) as Database;
    const once = (): void => {
      database.prepare('BEGIN IMMEDIATE').run();
      finish(database, work);
    };
    return untilFree(once, this.#options.location, LOCK_DEADLINE_MS);
  }

  /** The same, if nobody else holds the lock. */
  writeIfFree(work: (database: Database) => void): boolean {
    const database = this.#open(true) as Database;
    if (!tryBegin(database)) return false;
    finish(database, work);
    return true;
  }

  async wipe(): Promise<void> {
    const database = this.#open(false);
    if (database) await wipe(database, this.#options.location);
  }

  close(): void {
    this.#database?.close();
    this.#database = undefined;
    this.#hasTables = false;
    this.#forget();
  }

  #open(forWriting: boolean): Database | undefined {
    if (this.#database && this.#options.inode?.() !== this.#inode) this.close();
    this.#database ??= this.#options.open(forWriting);
    this.#inode = this.#options.inode?.();
    return this.#database;
  }
}

function finish(database: Database, work: (database: Database) => void): void {
  try {
    createVectorTables(database);
    work(database);
    database.exec('COMMIT');
  } catch (error) {
    rollBack(database);
    throw error;
  }
}
