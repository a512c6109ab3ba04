import { chainHash, type LogEvent } from '../event.ts';
import { base32 } from '../identity.ts';

/**
 * Gives a part of a log a chain of its own, so that it can stand in another store: what was left out
 * would be missing in the chains and transactions that it comes from. Ids, times, authors and
 * contents stay, and with them history and the order of changes.
 */
export class Rechain {
  readonly #replica: string;
  #rseq = 0;
  #prev = '';

  /** @param idsHash in hex, over the ids of the events: the same ones get the same chain everywhere */
  constructor(idsHash: string) {
    this.#replica = base32(Buffer.from(idsHash, 'hex'), 26);
  }

  next(event: LogEvent): LogEvent {
    this.#rseq += 1;
    const link = { tx: event.id, i: 0, n: 1, replica: this.#replica, rseq: this.#rseq };
    const chained: LogEvent = { ...event, ...link, prev: this.#prev };
    this.#prev = chainHash(chained);
    return chained;
  }
}
