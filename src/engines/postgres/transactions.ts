import { LociError } from '../../domain/errors.ts';
import type { LogEvent } from '../../domain/event.ts';
import { LostConnection, type Driver, type Session } from './driver.ts';
import { beginCommit, beginDerived, beginSnapshot, lockOf, type Schemas } from './names.ts';
import { databaseError, isAway, isContention } from './postgres-error.ts';

export interface TransactionParts {
  readonly driver: Driver;
  readonly schemas: Schemas;
  readonly location: string;
  /** Milliseconds a write waits for other processes, and for a server that is away. */
  readonly deadlineMs: number;
}

/** Between attempts to reach a server that is away, milliseconds. */
const PAUSE_MS = 100;
/** Waiting for a lock on derived rows, milliseconds: vectors and counts can wait. */
const DERIVED_WAIT_MS = 2000;

/** The kinds of transactions of one store, and what becomes of those that fail. */
export class Transactions {
  readonly #parts: TransactionParts;

  constructor(parts: TransactionParts) {
    this.#parts = parts;
  }

  /** Several reads that see one state. A connection may have been lost unnoticed: the second is new. */
  async read<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const { driver, schemas, location } = this.#parts;
    const options = { begin: beginSnapshot(schemas), readOnly: true };
    for (let attempt = 1; ; attempt++) {
      try {
        return await driver.transaction(options, work);
      } catch (error) {
        if (attempt === 2 || !isAway(error)) throw databaseError(error, location);
      }
    }
  }

  /** Work that holds the commit lock. */
  write<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const { driver, schemas } = this.#parts;
    return this.#patiently((leftMs) =>
      driver.transaction({ begin: beginCommit(schemas, leftMs) }, work),
    );
  }

  /**
   * The same for a commit: if its answer is lost, the log tells whether it came through.
   * @param events what the work has put on the log
   */
  async commit(
    work: (session: Session) => Promise<void>,
    events: () => readonly LogEvent[],
  ): Promise<void> {
    const { driver, schemas } = this.#parts;
    await this.#patiently(async (leftMs) => {
      try {
        await driver.transaction({ begin: beginCommit(schemas, leftMs) }, work);
      } catch (error) {
        if (!(error instanceof LostConnection)) throw error;
        if (!(await this.#landed(events()))) throw error.cause;
      }
    });
  }

  /** Writes of what is derived, without the commit lock. */
  async derive<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const { driver, schemas, location } = this.#parts;
    try {
      return await driver.transaction({ begin: beginDerived(schemas, DERIVED_WAIT_MS) }, work);
    } catch (error) {
      throw databaseError(error, location);
    }
  }

  /** The same while nobody commits; otherwise nothing is done, without waiting. */
  async deriveIfFree(work: (session: Session) => void): Promise<void> {
    await this.derive(async (session) => {
      const [row] = await session.query(
        `SELECT pg_try_advisory_xact_lock(${lockOf(this.#parts.schemas)}) AS ok`,
      );
      if (row?.['ok'] === true) work(session);
    });
  }

  /** Whether the events of a commit are on the log, when its answer was lost. */
  async #landed([event]: readonly LogEvent[]): Promise<boolean> {
    if (!event) return true;
    try {
      // Whoever has the lock knows that the lost transaction is over.
      return await this.write(async (session) => {
        const rows = await session.query(
          'SELECT 1 FROM events WHERE subject = $1::text AND id = $2::text',
          [event.subject, event.id],
        );
        return rows.length > 0;
      });
    } catch (error) {
      throw new LociError(
        'unavailable',
        `${this.#parts.location}: the connection was lost, and it is not known whether the change was stored`,
        'Look for it before you store it again.',
        { cause: error },
      );
    }
  }

  /** Tries again while the server is away or others are in the way, until the deadline. */
  async #patiently<T>(work: (leftMs: number) => Promise<T>): Promise<T> {
    const { deadlineMs, location } = this.#parts;
    const giveUpAt = performance.now() + deadlineMs;
    for (;;) {
      try {
        return await work(Math.max(1, giveUpAt - performance.now()));
      } catch (error) {
        const mayPass = isAway(error) || isContention(error);
        if (!mayPass || performance.now() + PAUSE_MS > giveUpAt) {
          throw databaseError(error, location);
        }
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * (0.5 + Math.random())));
    }
  }
}
