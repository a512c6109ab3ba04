import { coversOf, type Compaction } from '../../domain/compaction.ts';
import { chainHash, digestOf, type LogEvent } from '../../domain/event.ts';
import type { Finding } from '../../domain/finding.ts';
import { isScrubbedBare } from '../../domain/purge.ts';

type Report = (message: string) => void;

/**
 * Checks the events of a log against themselves: digests, each replica's chain and numbering, and
 * whole transactions. Where the log says that events were dropped, they may be missing.
 */
export function checkLog(events: Iterable<LogEvent>): Finding[] {
  const findings: Finding[] = [];
  const byReplica = new Map<string, LogEvent[]>();
  const transactions = new Map<string, { n: number; seen: number }>();
  const all = [...events];
  const covers = coversOf(all);
  const report: Report = (message) => {
    findings.push({
      check: 'log',
      severity: 'error',
      message,
      hint: 'Restore events.ndjson from a backup or from git.',
    });
  };
  for (const event of all) {
    if (!isScrubbedBare(event) && digestOf(event.salt, event.data) !== event.digest) {
      report(`event ${event.id}: its content does not match its digest`);
    }
    const chain = byReplica.get(event.replica);
    if (chain) chain.push(event);
    else byReplica.set(event.replica, [event]);
    if (event.rseq <= (covers[event.replica]?.rseq ?? 0)) continue;
    const transaction = transactions.get(event.tx) ?? { n: event.n, seen: 0 };
    transaction.seen += 1;
    transactions.set(event.tx, transaction);
  }
  for (const [replica, chain] of byReplica) checkChain(chain, covers[replica], report);
  for (const [tx, { n, seen }] of transactions) {
    if (n !== seen) report(`transaction ${tx}: ${seen} of ${n} events are there`);
  }
  return findings;
}

function checkChain(
  chain: LogEvent[],
  covered: Compaction['covers'][string] | undefined,
  report: Report,
): void {
  chain.sort((a, b) => a.rseq - b.rseq);
  let previous = { rseq: 0, prev: '' };
  for (const event of chain) {
    const { replica, id, rseq } = event;
    if (covered && covered.rseq > previous.rseq && covered.rseq < rseq) previous = covered;
    if (rseq !== previous.rseq + 1) {
      const mayBeDropped = rseq > previous.rseq && rseq <= (covered?.rseq ?? 0);
      if (!mayBeDropped) {
        report(`replica ${replica}: event ${id} has number ${rseq}, expected ${previous.rseq + 1}`);
      }
    } else if (event.prev !== previous.prev) {
      report(`replica ${replica}: event ${id} does not follow the one before it`);
    }
    previous = { rseq, prev: chainHash(event) };
  }
}
