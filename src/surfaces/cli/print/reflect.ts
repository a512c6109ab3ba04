import type { MeditateResult, ReflectResult, ViewResult } from '../../../domain/upkeep-results.ts';
import { diagnosisLines } from './diagnoses.ts';
import { count, type Page, type Printer } from './page.ts';
import { printRun } from './runs.ts';

const CONFLICTS_SHOWN = 10;

export const printReflect: Printer<ReflectResult> = (result, page) => {
  const { conflicts, conflicts_total: total, proposed, views } = result;
  const { style } = page;
  const shown = conflicts.slice(0, CONFLICTS_SHOWN);
  const more = total - shown.length;
  return [
    ...printRun(result, page),
    ...heading(total, `${count(total, 'conflict')}; settle them with: loci resolve`, page),
    ...shown.map(({ reason, confidence }) => `  ${confidence.toFixed(2)}  ${reason}`),
    ...(more > 0 ? [style.dim(`  and ${more} more: loci conflicts`)] : []),
    ...heading(proposed.length, `${count(proposed.length, 'proposal')}: loci review`, page),
    ...proposed.map(({ id, reason }) => `  ${style.cyan(id)}  ${reason}`),
    ...pageLines(views, page),
  ];
};

export const printView: Printer<ViewResult> = ({ text }) => [text];

export const printMeditate: Printer<MeditateResult> = (result, page) => {
  const { duplicates, lint_findings: findings = [] } = result;
  const groups = count(duplicates.length, 'group');
  return [
    ...printRun(result, page),
    ...heading(duplicates.length, `${groups} of memories that say the same`, page),
    ...duplicates.map(({ ids, likeness }) => `  ${likeness.toFixed(2)}  ${ids.join('  ')}`),
    ...heading(findings.length, `${count(findings.length, 'finding')} of lint`, page),
    ...diagnosisLines(findings, page),
  ];
};

function heading(number: number, text: string, { style }: Page): string[] {
  return number === 0 ? [] : ['', style.yellow(text)];
}

function pageLines(views: ReflectResult['views'], { style, input }: Page): string[] {
  const changed = views.filter((view) => view.changed).map(({ name }) => name);
  const foreign = views.filter((view) => view.left_alone).map(({ name }) => name);
  const done = input['dryRun'] === true ? 'would be renewed' : 'renewed';
  return [
    ...(changed.length > 0 ? ['', `${done}: ${changed.join(', ')}`] : []),
    ...foreign.map((name) => style.yellow(`${name} is not ours and was left as it is`)),
  ];
}
