import { redactionText } from '../../../domain/hygiene/redaction.ts';
import type { ChangeResult, Receipt, RememberResult } from '../../../domain/results.ts';
import { count, type Page, type Printer } from './page.ts';

/** Batches longer than this are summed up, but for what was refused. */
const LISTED = 20;

export const printReceipts: Printer<RememberResult> = ({ results }, page) => {
  const listed = results.length <= LISTED ? results : results.filter(isRefused);
  const lines = listed.map((receipt) => receiptLine(receipt, page));
  return results.length === 1 ? lines : [...lines, summary(results)];
};

function receiptLine(receipt: Receipt, { style }: Page): string {
  const { id, outcome, reason, line, redacted, similar = [] } = receipt;
  const where = line === undefined ? '' : `line ${line}: `;
  const why = reason ? `: ${reason}` : '';
  const painted = outcome === 'refused' ? style.red(outcome) : style.green(outcome);
  const others = similar.filter(({ relation }) => relation === 'related_to');
  const like = others.length > 0 ? `; much like ${others.map((one) => one.id).join(', ')}` : '';
  return `${where}${painted}${id ? ` ${style.bold(id)}` : ''}${why}${like}${redactedText(redacted)}`;
}

function summary(results: readonly Receipt[]): string {
  const counts = new Map<string, number>();
  for (const { outcome } of results) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const parts = [...counts].map(([outcome, number]) => `${number} ${outcome}`);
  return [count(results.length, 'memory', 'memories'), ...parts].join(', ');
}

function isRefused({ outcome }: Receipt): boolean {
  return outcome === 'refused';
}

function redactedText(redacted: Receipt['redacted'] = []): string {
  return redacted.length > 0 ? `; redacted: ${redactionText(redacted)}` : '';
}

export const printChange: Printer<ChangeResult> = (change, { style }) => {
  const { id, version, outcome, redacted } = change;
  const now = style.dim(`(version ${version})`);
  return [`${style.green(outcome)} ${style.bold(id)} ${now}${redactedText(redacted)}`];
};
