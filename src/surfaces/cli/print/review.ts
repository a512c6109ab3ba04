import type {
  ConflictShown,
  ConflictsResult,
  ReviewResult,
  Waiting,
} from '../../../domain/upkeep-results.ts';
import { age } from '../terminal/times.ts';
import { clip, wrap } from '../terminal/width.ts';
import { count, type Page, type Printer } from './page.ts';
import { printRun } from './runs.ts';

/** Lines of a text that are shown of each side. */
const LINES_SHOWN = 4;

export const printReview: Printer<ReviewResult> = (result, page) => {
  if ('accepted' in result) {
    const refused = result.refused.map((id) => `refused ${id}`);
    return [...printRun(result, page), ...(refused.length > 0 ? ['', ...refused] : [])];
  }
  const { waiting, total } = result;
  if (waiting.length === 0) return ['Nothing waits.'];
  const more = total > waiting.length ? [page.style.dim(`and ${total - waiting.length} more`)] : [];
  return [...waiting.flatMap((one) => waitingLines(one, page)), ...more];
};

function waitingLines({ id, kind, why, at, title, stale }: Waiting, page: Page): string[] {
  const { style, width, nowMs } = page;
  const marks = [kind, age(at, nowMs), ...(stale ? ['changed since: refuse it'] : [])];
  return [
    `${style.cyan(id)}  ${style.dim(marks.join(', '))}`,
    ...(title === null ? [] : [clip(`    ${title}`, width)]),
    clip(`    ${why}`, width),
  ];
}

export const printConflicts: Printer<ConflictsResult> = ({ conflicts, total }, page) => {
  const { style } = page;
  if (conflicts.length === 0) return ['No conflicts.'];
  return [
    ...conflicts.flatMap((conflict) => conflictLines(conflict, page)),
    style.bold(`${count(total, 'conflict')}; settle one with: loci resolve ID --keep REF`),
  ];
};

function conflictLines({ id, reason, confidence, sides }: ConflictShown, page: Page): string[] {
  const { style, width, nowMs } = page;
  return [
    `${style.yellow(id)}  ${style.dim(confidence.toFixed(2))}`,
    clip(`  ${reason}`, width),
    ...sides.flatMap(({ ref, at, actor, body }) => [
      `  ${style.cyan(ref)}  ${style.dim([age(at, nowMs), ...(actor ? [actor] : [])].join(', '))}`,
      ...wrap(body.trim(), width - 4)
        .slice(0, LINES_SHOWN)
        .map((line) => `    ${line}`),
    ]),
    '',
  ];
}
