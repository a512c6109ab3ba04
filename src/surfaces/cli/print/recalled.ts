import type {
  Coverage,
  Explanation,
  RecalledMemory,
  RecallResult,
} from '../../../domain/results.ts';
import { bar, table } from '../terminal/table.ts';
import { age } from '../terminal/times.ts';
import { clip, wrap } from '../terminal/width.ts';
import { count, windowLine, type Page, type Printer } from './page.ts';

const BODY_LINES = 6;
const INDENT = '   ';

export const printRecall: Printer<RecallResult> = (result, page) => {
  const { results, coverage, tokens_used, why_not, window } = result;
  const notes = [
    ...(coverage.strength === 'weak'
      ? [page.style.yellow('None of them holds much of the question.')]
      : []),
    ...unmatched(coverage, page),
    ...windowLine(window, page),
    ...(why_not ? [`${why_not.id}: ${why_not.message}`] : []),
  ];
  if (results.length === 0) return ['Nothing found.', ...notes];
  const tokens = count(tokens_used, 'token');
  return [
    ...results.flatMap((memory, i) => [...recalledLines(memory, i + 1, page), '']),
    page.style.dim(`${count(results.length, 'memory', 'memories')}, ${tokens}`),
    ...notes,
  ];
};

function recalledLines(memory: RecalledMemory, rank: number, page: Page): string[] {
  const { style, width, nowMs } = page;
  const { id, type, status, project, agent, score, created_at, tags } = memory;
  const about = [type, age(created_at, nowMs), project, agent, status === 'active' ? null : status];
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

function explainLines(explanation: Explanation, { style, width }: Page): string[] {
  const { terms, keyword, meaning, factors, session, pairs_and_subject } = explanation;
  const most = Math.max(0, ...terms.map(({ part }) => part));
  const termRows = terms.map(({ term, part, documents }) => [
    term,
    bar(most > 0 ? part / most : 0, 10),
    part.toFixed(3),
    String(documents),
  ]);
  const paint = (text: string) => style.cyan(text);
  const parts: [string, number][] = [
    ['words', keyword],
    ...meaning.map(({ embedder, cosine, part }): [string, number] => {
      return [`meaning, ${embedder} (cosine ${cosine.toFixed(2)})`, part];
    }),
    ['session', session],
  ];
  const channelRows = parts.map(([name, part]) => [
    name,
    bar(Math.max(0, Math.min(1, part)), 10),
    part.toFixed(3),
  ]);
  const named = { pairs_and_subject, ...factors };
  const applied = Object.entries(named).filter(([, factor]) => factor !== 1);
  const lines = [
    ...table(
      [
        { heading: 'word' },
        { heading: '', paint },
        { heading: 'part', align: 'right' },
        { heading: 'memories', align: 'right' },
      ],
      termRows,
      width,
      style.dim,
    ),
    ...table(
      [
        { heading: 'share of what was asked' },
        { heading: '', paint },
        { heading: 'part', align: 'right' },
      ],
      channelRows,
      width,
      style.dim,
    ),
    ...applied.map(([name, factor]) => style.dim(`× ${factor.toFixed(2)} ${name}`)),
  ];
  return lines.map((line) => INDENT + line);
}

function unmatched({ unmatched: words }: Coverage, { style }: Page): string[] {
  return words.length === 0 ? [] : [style.dim(`No memory holds: ${words.join(', ')}`)];
}
