import { LociError } from '../../domain/errors.ts';
import { isBusy, type Database } from './drivers/driver.ts';

/** How long a write waits for other processes before it says `busy`, milliseconds. */
const LOCK_DEADLINE_MS = 10_000;

const MAX_PAUSE_MS = 25;

/**
 * Begins an immediate transaction, waiting for whoever holds the lock.
 * @throws LociError busy at the deadline
 */
export function beginImmediate(
  database: Database,
  what: string,
  deadlineMs?: number,
): Promise<void> {
  return untilFree(() => void database.prepare('BEGIN IMMEDIATE').run(), what, deadlineMs);
}

/**
 * Does what needs a lock as soon as it is free, without blocking the event loop. Pauses grow and
 * are uneven, so that waiting processes do not march in step.
 * @throws LociError busy at the deadline
 */
export async function untilFree(
  work: () => void,
  what: string,
  deadlineMs = LOCK_DEADLINE_MS,
): Promise<void> {
  const giveUpAt = performance.now() + deadlineMs;
  for (let attempt = 0; ; attempt++) {
    if (isDone(work)) return;
    if (performance.now() > giveUpAt) {
      throw new LociError(
        'busy',
        `${what} has been locked by another process for ${deadlineMs / 1000} s`,
        'Nothing was changed. Try again when the other process is done.',
      );
    }
    const pauseMs = Math.min(MAX_PAUSE_MS, 0.5 * 2 ** Math.min(attempt, 8));
    await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.5 + Math.random())));
  }
}

/** @returns false when another connection holds the lock */
export function tryBegin(database: Database): boolean {
  return isDone(() => void database.prepare('BEGIN IMMEDIATE').run());
}

function isDone(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

/**
 * Runs synchronous work in an immediate transaction of its own: it is committed when the work
 * returns and rolled back when it throws.
 * @throws LociError busy at the deadline
 */
export async function inTransaction<T>(
  database: Database,
  what: string,
  work: () => T,
  { lockDeadlineMs }: { readonly lockDeadlineMs?: number | undefined } = {},
): Promise<T> {
  await beginImmediate(database, what, lockDeadlineMs);
  return finish(database, work);
}

/** Like `inTransaction`, but does nothing when another connection holds the lock. */
export function inTransactionIfFree(database: Database, work: () => void): void {
  if (tryBegin(database)) finish(database, work);
}

function finish<T>(database: Database, work: () => T): T {
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/**
 * Runs a part of a transaction that may fail alone: then only its own changes are undone.
 * @throws whatever the work throws
 */
export function withinTransaction<T>(database: Database, work: () => T): T {
  database.exec('SAVEPOINT part');
  try {
    const result = work();
    database.exec('RELEASE part');
    return result;
  } catch (error) {
    // Fails when SQLite has ended the whole transaction: then nobody's changes stand.
    database.exec('ROLLBACK TO part');
    database.exec('RELEASE part');
    throw error;
  }
}

/** Runs a part of a transaction for what it returns, and undoes what it did. */
export function withoutEffect<T>(database: Database, work: () => T): T {
  database.exec('SAVEPOINT part');
  try {
    return work();
  } finally {
    database.exec('ROLLBACK TO part');
    database.exec('RELEASE part');
  }
}

/** Runs several reads as one: they see one state, whatever others commit in between. */
export function inSnapshot<T>(database: Database, work: () => T): T {
  database.prepare('SAVEPOINT snapshot').run();
  try {
    return work();
  } finally {
    database.prepare('RELEASE snapshot').run();
  }
}

/** Some failures end the transaction by themselves; then there is nothing to roll back. */
export function rollBack(database: Database): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // Nothing is open any more, which is what was wanted.
  }
}
