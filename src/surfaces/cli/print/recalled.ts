import type { Coverage, RecalledMemory, RecallResult } from '../../../domain/results.ts';
import { bar } from '../terminal/table.ts';
import { age } from '../terminal/times.ts';
import { clip, wrap } from '../terminal/width.ts';
import { explainLines, explainRecallLines } from './explained.ts';
import { count, windowLine, type Page, type Printer } from './page.ts';

const BODY_LINES = 6;
const INDENT = '   ';

export const printRecall: Printer<RecallResult> = (result, page) => {
  const { results, coverage, tokens_used, why_not, explain, window } = result;
  const tokens = count(tokens_used, 'token');
  const newest = coverage.newest === null ? [] : [`newest ${age(coverage.newest, page.nowMs)}`];
  const found = [count(results.length, 'memory', 'memories'), tokens, ...newest].join(', ');
  return [
    ...results.flatMap((memory, i) => [...recalledLines(memory, i + 1, page), '']),
    results.length === 0 ? 'Nothing found.' : page.style.dim(found),
    ...lacking(coverage, page),
    ...windowLine(window, page),
    ...(why_not ? [`${page.style.bold(why_not.id)}: ${why_not.message}`] : []),
    ...(explain ? ['', ...explainRecallLines(explain, page)] : []),
  ];
};

function recalledLines(memory: RecalledMemory, rank: number, page: Page): string[] {
  const { style, width, nowMs } = page;
  const { id, type, status, speaker, project, agent, score, created_at, tags } = memory;
  const state = status === 'active' ? null : status;
  const about = [type, age(created_at, nowMs), speaker, project, agent, state];
  const topics = tags.map((tag) => `#${tag}`).join(' ');
  return [
    `${String(rank).padStart(2)} ${style.green(bar(score, 10))} ${score.toFixed(2)}  ${style.bold(id)}`,
    INDENT +
      style.dim(clip([...about.filter(Boolean), topics].filter(Boolean).join(' · '), width - 3)),
    ...bodyLines(memory, width - INDENT.length).map((line) => INDENT + line),
    ...memory.signals.map(({ message }) => INDENT + style.yellow(`! ${message}`)),
    ...(memory.explain ? explainLines(memory.explain, page) : []),
  ];
}

function bodyLines({ title, body, truncated }: RecalledMemory, width: number): string[] {
  const lines = wrap(body.trim(), width).filter((line, i, all) => line !== '' || all[i - 1] !== '');
  const shown = lines.slice(0, BODY_LINES);
  const isCut = truncated === true || lines.length > shown.length;
  return [...(title ? [clip(title, width)] : []), ...shown, ...(isCut ? ['…'] : [])];
}

/** What the answer does not speak of, so that nobody takes silence for an answer. */
function lacking(
  { unmatched, respelled = [], strength, stopped_at }: Coverage,
  { style }: Page,
): string[] {
  const readAs = respelled.map(({ from, to }) => `${from} as ${to}`);
  return [
    strength === 'weak' ? 'The best of these matches little of the question.' : '',
    readAs.length > 0 ? `Read ${readAs.join(', ')}` : '',
    unmatched.length > 0 ? `No memory holds: ${unmatched.join(', ')}` : '',
    stopped_at ? `Stopped at the tier ${stopped_at}, which answers; --no-progressive goes on.` : '',
  ]
    .filter((line) => line !== '')
    .map((line) => style.dim(line));
}
