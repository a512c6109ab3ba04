import type { Receipt } from '../../domain/results.ts';
import type { Result } from './text.ts';

/** Of a large batch: every refusal, as far as it fits, then the other receipts, in their order. */
export function receiptsThatFit(result: Result, full: (result: Result) => number): Result {
  const all = result.results as readonly Receipt[];
  const refused = all.filter(isRefused).length;
  const told = [...all.filter(isRefused), ...all.filter((receipt) => !isRefused(receipt))];
  let count = all.length;
  let shown = result;
  for (let over = full(shown); over > 1 && count > 1; over = full(shown)) {
    count = Math.max(1, Math.min(count - 1, Math.floor(count / over)));
    const kept = new Set(told.slice(0, count));
    const warnings = [
      ...((result.warnings ?? []) as readonly string[]).slice(0, 20),
      `${all.length - refused} of ${all.length} were stored; the receipts of ${all.length - count} are left out`,
    ];
    shown = { ...result, results: all.filter((receipt) => kept.has(receipt)), warnings };
  }
  return shown;
}

function isRefused({ outcome }: Receipt): boolean {
  return outcome === 'refused';
}
