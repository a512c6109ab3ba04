import { statSync } from 'node:fs';
import { LociError } from '../../domain/errors.ts';
import type { Database, Driver } from '../sqlite/drivers/driver.ts';
import { beginImmediate, rollBack, tryBegin } from '../sqlite/lock.ts';

/**
 * The lock of a vault: an immediate transaction on an empty SQLite file that is never written. The
 * kernel releases it when its holder dies, however it dies. Only SQLite opens the file: a read by
 * anything else would drop the locks this process has on it.
 */
export class VaultLock {
  readonly #driver: Driver;
  readonly #path: string;
  readonly #vault: string;
  #database: Database | undefined;
  #ino = 0;

  constructor(driver: Driver, path: string, vault: string) {
    this.#driver = driver;
    this.#path = path;
    this.#vault = vault;
  }

  /** @throws LociError busy at the deadline */
  async acquire(deadlineMs?: number): Promise<void> {
    for (;;) {
      const database = this.#open();
      await beginImmediate(database, this.#vault, deadlineMs);
      if (this.#isCurrent()) return;
      this.close();
    }
  }

  /** @returns false when another process holds it */
  tryAcquire(): boolean {
    for (;;) {
      if (!tryBegin(this.#open())) return false;
      if (this.#isCurrent()) return true;
      this.close();
    }
  }

  release(): void {
    if (this.#database) rollBack(this.#database);
  }

  close(): void {
    this.#database?.close();
    this.#database = undefined;
  }

  /** A lock on a file that was deleted or replaced keeps nobody out. */
  #isCurrent(): boolean {
    return statSync(this.#path, { throwIfNoEntry: false })?.ino === this.#ino;
  }

  #open(): Database {
    if (this.#database) return this.#database;
    if (!statSync(this.#vault, { throwIfNoEntry: false })?.isDirectory()) {
      throw new LociError(
        'unavailable',
        `the vault ${this.#vault} is gone`,
        'Put the folder back, or open another store.',
      );
    }
    const database = this.#driver.open(this.#path);
    database.exec('PRAGMA busy_timeout = 0');
    database.exec('PRAGMA journal_mode = MEMORY');
    this.#ino = statSync(this.#path).ino;
    this.#database = database;
    return database;
  }
}
