import { diffLines } from '../../../domain/line-diff.ts';
import type { RunResult, StepShown } from '../../../domain/results.ts';
import type { RunChange, RunShown, RunsResult } from '../../../domain/upkeep-results.ts';
import type { FieldChange } from '../../../domain/upkeep.ts';
import { table } from '../terminal/table.ts';
import { age } from '../terminal/times.ts';
import { clip } from '../terminal/width.ts';
import { count, type Page, type Printer } from './page.ts';

const SIGNS = { same: ' ', removed: '-', added: '+' } as const;
const PAINTS = { same: 'dim', removed: 'red', added: 'green' } as const;

export const printRun: Printer<RunResult> = (result, page) => runLines(result, page);

/** What a run of upkeep did, or would do, memory by memory. */
export function runLines(
  { run, dry_run, changes, skipped }: RunResult,
  page: Page,
): readonly string[] {
  const { style } = page;
  const left = skipped.map(({ id, reason }) => style.yellow(`left alone: ${id}: ${reason}`));
  if (changes.length === 0) return ['Nothing to do.', ...left];
  const would = dry_run ? 'would be made; nothing was written' : `made by run ${run}`;
  return [
    ...changes.flatMap((change) => stepLines(change, page)),
    '',
    style.bold(`${count(changes.length, 'change')} ${would}`),
    ...left,
  ];
}

export const printRuns: Printer<RunsResult> = ({ runs, total, changes }, page) => {
  const [first] = runs;
  if (!first) return ['Upkeep has changed nothing in this project yet.'];
  if (!changes) return listed(runs, total, page);
  const { style } = page;
  return [
    ...listed(runs, total, page),
    '',
    ...changes.flatMap((change) => changeLines(change, page)),
    ...(changes.length < first.applied
      ? [style.yellow(`${first.applied - changes.length} changes are not in the log any more.`)]
      : []),
  ];
};

function listed(runs: readonly RunShown[], total: number, { style, width, nowMs }: Page): string[] {
  const columns = [
    { heading: 'run', paint: style.cyan },
    { heading: 'verb' },
    { heading: 'when' },
    { heading: 'memories', align: 'right' },
    { heading: 'taken back', align: 'right' },
    { heading: 'by rule', grows: true },
  ] as const;
  const rows = runs.map((run) => [
    run.id,
    run.verb,
    age(run.at, nowMs),
    String(run.memories),
    run.undone === 0 ? '' : run.undone === run.memories ? 'all' : String(run.undone),
    run.undoes === null ? rulesOf(run) : `of ${run.undoes}`,
  ]);
  const more = total > runs.length ? ['', style.dim(`${total - runs.length} older ones`)] : [];
  return [...table(columns, rows, width, style.dim), ...more];
}

function rulesOf({ rules }: RunShown): string {
  return Object.entries(rules)
    .map(([rule, number]) => `${rule} ${number}`)
    .join(', ');
}

function stepLines({ id, rule, reason, fields }: StepShown, page: Page): string[] {
  const { style } = page;
  return [`${style.cyan(rule)}  ${id}  ${style.dim(reason)}`, ...fieldLines(fields, page)];
}

function changeLines({ event, id, kind, reason, fields }: RunChange, page: Page): string[] {
  const { style } = page;
  const what = kind.replace('memory.', '');
  return [
    `${style.cyan(what)}  ${id}  ${style.dim(`${reason ?? ''} (event ${event})`.trim())}`,
    ...(fields ? fieldLines(fields, page) : [style.dim('    what was before is not in the log')]),
  ];
}

function fieldLines(fields: readonly FieldChange[], page: Page): string[] {
  const shown = fields.filter(({ field }) => field !== 'status_reason');
  return shown.flatMap((change) => {
    const { field, before, after } = change;
    if (field !== 'body' || typeof before !== 'string' || typeof after !== 'string') {
      return [clip(`    ${field}: ${plain(before)} → ${plain(after)}`, page.width)];
    }
    return ['    body:', ...bodyLines(before, after, page)];
  });
}

/** Lines that are kept are shown only next to those that are not. */
function bodyLines(before: string, after: string, { style, width }: Page): string[] {
  const lines = diffLines(before, after);
  const isNear = (i: number): boolean =>
    [i - 1, i, i + 1].some((at) => lines[at] !== undefined && lines[at].kind !== 'same');
  return lines.flatMap(({ kind, text }, i) => {
    if (!isNear(i)) return isNear(i - 1) ? [style.dim('      …')] : [];
    return [style[PAINTS[kind]](clip(`    ${SIGNS[kind]} ${text}`, width))];
  });
}

function plain(value: unknown): string {
  if (value === null) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
