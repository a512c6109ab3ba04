import type { Finding } from '../../../domain/finding.ts';
import { isDamage, type Database } from '../drivers/driver.ts';
import { rollBack, tryBegin, untilFree } from '../lock.ts';
import { wipe } from '../wipe.ts';
import { newerVectors, prepareVectorTables, VECTOR_FORMAT, vectorFormat } from './format.ts';

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
  #isReady = false;
  #wasDamaged = false;
  #inode: number | undefined;

  constructor(options: VectorDatabaseOptions, forget: () => void) {
    this.#options = options;
    this.#forget = forget;
  }

  /**
   * Undefined as long as nothing was ever written, for reading makes nothing, and where the vectors are
   * of a newer program.
   */
  reader(): Database | undefined {
    const database = this.#open(false);
    if (!database || this.#isReady) return database;
    const format = vectorFormat(database);
    // Older tables are brought up to date by whoever meets them first.
    this.#isReady = format === VECTOR_FORMAT || (format === 1 && this.writeIfFree(() => undefined));
    return this.#isReady ? database : undefined;
  }

  /** What is wrong with a file of its own; one that holds other things is checked with those. */
  damage(): Finding | undefined {
    if (!this.#options.drop) return undefined;
    try {
      const checked = this.#open(false)?.prepare('PRAGMA quick_check').get();
      if (!checked || checked['quick_check'] === 'ok') return undefined;
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
    return {
      check: 'vectors',
      severity: 'error',
      message: `${this.#options.location} is damaged`,
      hint: 'Run: loci reindex. The file is removed then, and memories are embedded again.',
    };
  }

  /** @throws LociError unsupported when the vectors are of a newer program */
  requireKnownFormat(): void {
    const format = this.#format();
    if (format > VECTOR_FORMAT) throw newerVectors(format, this.#options.location);
  }

  /** What is damaged is dropped, and the work done on what is left. */
  sound<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!isDamage(error) || !this.#options.drop) throw error;
      this.dropDamaged();
      return work();
    }
  }

  /** Removes a file that is damaged: what was in it is made again. */
  dropDamaged(): void {
    this.close();
    this.#options.drop?.();
    this.#wasDamaged = true;
  }

  /**
   * One transaction from begin to end without a pause: this connection serves several callers.
   * @throws LociError busy; unsupported when the vectors are of a newer program
   */
  write(work: (database: Database) => void, deadlineMs = LOCK_DEADLINE_MS): Promise<void> {
    const once = (): void => {
      this.sound(() => {
        const database = this.#open(true) as Database;
        database.prepare('BEGIN IMMEDIATE').run();
        this.#finish(database, work);
      });
    };
    return untilFree(once, this.#options.location, deadlineMs);
  }

  /** The same, if nobody else holds the lock. */
  writeIfFree(work: (database: Database) => void): boolean {
    const database = this.#open(true) as Database;
    if (!tryBegin(database)) return false;
    this.#finish(database, work);
    return true;
  }

  /** What is wrong with the database as a whole, and what was. */
  findings(): Finding[] {
    const { location } = this.#options;
    const format = this.#format();
    if (format > VECTOR_FORMAT) {
      const { message, hint } = newerVectors(format, location);
      return [{ check: 'vectors', severity: 'warning', message, ...(hint ? { hint } : {}) }];
    }
    if (!this.#wasDamaged) return [];
    return [
      {
        check: 'vectors',
        severity: 'warning',
        message: `${location} was damaged and was removed; memories are embedded again`,
        hint: 'To have it done now, run: loci re-embed',
      },
    ];
  }

  /** Takes the bytes of what was deleted out of the file. */
  async wipe(): Promise<void> {
    const database = this.#open(false);
    if (database) await wipe(database, this.#options.location);
  }

  close(): void {
    this.#database?.close();
    this.#database = undefined;
    this.#isReady = false;
    this.#forget();
  }

  #format(): number {
    return this.sound(() => {
      const database = this.#open(false);
      return database ? vectorFormat(database) : 0;
    });
  }

  #open(forWriting: boolean): Database | undefined {
    if (this.#database && this.#options.inode?.() !== this.#inode) this.close();
    this.#database ??= this.#options.open(forWriting);
    this.#inode = this.#options.inode?.();
    return this.#database;
  }

  #finish(database: Database, work: (database: Database) => void): void {
    try {
      prepareVectorTables(database, this.#options.location);
      work(database);
      database.exec('COMMIT');
    } catch (error) {
      rollBack(database);
      throw error;
    }
  }
}
