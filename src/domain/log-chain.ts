import { chainHash, type LogEvent } from './event.ts';
import type { Compaction } from './compaction.ts';

/** What the checks of a log need of an event. */
interface Link {
  readonly id: string;
  readonly tx: string;
  readonly n: number;
  readonly rseq: number;
  readonly prev: string;
  /** What the next event of the replica names as `prev`. */
  readonly hash: string;
}

function linkOf(event: LogEvent): Link {
  const { id, tx, n, rseq, prev } = event;
  return { id, tx, n, rseq, prev, hash: chainHash(event) };
}

/** The chains of replicas, from events in any order. */
export class LogChains {
  readonly #byReplica = new Map<string, Link[]>();

  add(event: LogEvent): void {
    const chain = this.#byReplica.get(event.replica);
    if (chain) chain.push(linkOf(event));
    else this.#byReplica.set(event.replica, [linkOf(event)]);
  }

  /**
   * Where chains or transactions have holes, in words.
   * @param covers how far there may be holes, because history was dropped
   */
  problems(covers: Compaction['covers']): string[] {
    const transactions = new Map<string, { n: number; seen: number }>();
    const found: string[] = [];
    for (const [replica, chain] of this.#byReplica) {
      const covered = covers[replica];
      found.push(...chainProblems(replica, chain, covered));
      for (const { tx, n, rseq } of chain) {
        if (rseq <= (covered?.rseq ?? 0)) continue;
        const transaction = transactions.get(tx) ?? { n, seen: 0 };
        transaction.seen += 1;
        transactions.set(tx, transaction);
      }
    }
    for (const [tx, { n, seen }] of transactions) {
      if (n !== seen) found.push(`transaction ${tx}: ${seen} of ${n} events are there`);
    }
    return found;
  }
}

function chainProblems(
  replica: string,
  chain: Link[],
  covered: Compaction['covers'][string] | undefined,
): string[] {
  const found: string[] = [];
  chain.sort((a, b) => a.rseq - b.rseq);
  let previous = { rseq: 0, prev: '' };
  for (const { id, rseq, prev, hash } of chain) {
    if (covered && covered.rseq > previous.rseq && covered.rseq < rseq) previous = covered;
    if (rseq !== previous.rseq + 1) {
      const mayBeDropped = rseq > previous.rseq && rseq <= (covered?.rseq ?? 0);
      if (!mayBeDropped) {
        const expected = previous.rseq + 1;
        found.push(`replica ${replica}: event ${id} has number ${rseq}, expected ${expected}`);
      }
    } else if (prev !== previous.prev) {
      found.push(`replica ${replica}: event ${id} does not follow the one before it`);
    }
    previous = { rseq, prev: hash };
  }
  return found;
}
