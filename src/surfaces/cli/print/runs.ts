import type { GcResult, RunResult, StepShown } from '../../../domain/results.ts';
import type { FieldChange } from '../../../domain/upkeep.ts';
import { clip } from '../terminal/width.ts';
import { count, type Page, type Printer } from './page.ts';

export const printGc: Printer<GcResult> = (result, page) => runLines(result, page);

/** What a run of upkeep did, or would do, memory by memory, and how to take it back. */
function runLines({ run, dry_run, changes, skipped }: RunResult, page: Page): string[] {
  const { style } = page;
  const left = skipped.map(({ id, reason }) => style.yellow(`left alone: ${id}: ${reason}`));
  if (changes.length === 0) return ['Nothing to do.', ...left];
  const would = dry_run ? 'would change; nothing was written' : `changed by run ${run}`;
  return [
    ...changes.flatMap((change) => changeLines(change, page)),
    '',
    style.bold(`${count(changes.length, 'memory', 'memories')} ${would}`),
    ...left,
  ];
}

function changeLines({ id, rule, reason, fields }: StepShown, page: Page): string[] {
  const { style, width } = page;
  const shown = fields.filter(({ field }) => field !== 'status_reason');
  return [
    `${style.cyan(rule)}  ${id}  ${style.dim(reason)}`,
    ...shown.map((change) => clip(`    ${fieldLine(change)}`, width)),
  ];
}

function fieldLine({ field, before, after }: FieldChange): string {
  return `${field}: ${plain(before)} → ${plain(after)}`;
}

function plain(value: unknown): string {
  if (value === null) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
