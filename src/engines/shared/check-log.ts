import { digestOf, envelopeHash, type LogEvent } from '../../domain/event.ts';
import type { Finding } from '../../domain/finding.ts';

/**
 * Checks the events of a log against themselves: digests, each replica's chain and numbering, and
 * whole transactions.
 */
export function checkLog(events: Iterable<LogEvent>): Finding[] {
  const findings: Finding[] = [];
  const byReplica = new Map<string, LogEvent[]>();
  const transactions = new Map<string, { n: number; seen: number }>();
  const report = (message: string): void => {
    findings.push({
      check: 'log',
      severity: 'error',
      message,
      hint: 'Restore events.ndjson from a backup or from git.',
    });
  };
  for (const event of events) {
    if (digestOf(event.salt, event.data) !== event.digest) {
      report(`event ${event.id}: its content does not match its digest`);
    }
    const chain = byReplica.get(event.replica);
    if (chain) chain.push(event);
    else byReplica.set(event.replica, [event]);
    const transaction = transactions.get(event.tx) ?? { n: event.n, seen: 0 };
    transaction.seen += 1;
    transactions.set(event.tx, transaction);
  }
  for (const [replica, chain] of byReplica) checkChain(replica, chain, report);
  for (const [tx, { n, seen }] of transactions) {
    if (n !== seen) report(`transaction ${tx}: ${seen} of ${n} events are there`);
  }
  return findings;
}

function checkChain(replica: string, chain: LogEvent[], report: (message: string) => void): void {
  chain.sort((a, b) => a.rseq - b.rseq);
  let previous: LogEvent | undefined;
  for (const event of chain) {
    const expected = (previous?.rseq ?? 0) + 1;
    if (event.rseq !== expected) {
      report(
        `replica ${replica}: event ${event.id} has number ${event.rseq}, expected ${expected}`,
      );
    } else if (event.prev !== (previous ? envelopeHash(previous) : '')) {
      report(`replica ${replica}: event ${event.id} does not follow the one before it`);
    }
    previous = event;
  }
}
