import { envelopeHash, type LogEvent } from '../event.ts';

/**
 * Whether events that are seen one after another are a log of their own: each replica's chain from
 * its first event on, and every transaction whole. Only then do they stand in another store as they
 * are.
 */
export class LogSurvey {
  readonly #tips = new Map<string, { readonly rseq: number; readonly hash: string }>();
  /** Transactions of which something is still to come. */
  readonly #open = new Map<string, number>();
  #isChained = true;

  add(event: LogEvent): void {
    const { replica, rseq, prev, tx, n } = event;
    const tip = this.#tips.get(replica) ?? { rseq: 0, hash: '' };
    if (rseq !== tip.rseq + 1 || prev !== tip.hash) this.#isChained = false;
    this.#tips.set(replica, { rseq, hash: envelopeHash(event) });
    const seen = (this.#open.get(tx) ?? 0) + 1;
    if (seen === n) this.#open.delete(tx);
    else this.#open.set(tx, seen);
  }

  get isWhole(): boolean {
    return this.#isChained && this.#open.size === 0;
  }
}
