import type {
  RecallDocsResult,
  RecalledSection,
  ReindexDocsResult,
} from '../../../domain/documents.ts';
import { bar } from '../terminal/table.ts';
import { age } from '../terminal/times.ts';
import { clip, wrap } from '../terminal/width.ts';
import { count, facts, type Page, type Printer } from './page.ts';

const TEXT_LINES = 6;
const INDENT = '   ';

export const printRecallDocs: Printer<RecallDocsResult> = (result, page) => {
  const { results, coverage, tokens_used } = result;
  const unmatched = coverage.unmatched.join(', ');
  const missing = unmatched === '' ? [] : [page.style.dim(`No document holds: ${unmatched}`)];
  if (results.length === 0) return ['Nothing found.', ...missing];
  return [
    ...results.flatMap((section, i) => [...sectionLines(section, i + 1, page), '']),
    page.style.dim(`${count(results.length, 'section')}, ${count(tokens_used, 'token')}`),
    ...missing,
  ];
};

function sectionLines(section: RecalledSection, rank: number, page: Page): string[] {
  const { style, width, nowMs } = page;
  const { id, score, heading, tags, text, truncated, modified_at, stale, explain } = section;
  const about = [heading, age(modified_at, nowMs), tags.map((tag) => `#${tag}`).join(' ')];
  const lines = wrap(text.trim(), width - INDENT.length).filter(
    (line, i, all) => line !== '' || all[i - 1] !== '',
  );
  const shown = lines.slice(0, TEXT_LINES);
  return [
    `${String(rank).padStart(2)} ${style.green(bar(score, 10))} ${score.toFixed(2)}  ${style.bold(id)}`,
    INDENT + style.dim(clip(about.filter((part) => part !== '').join(' · '), width - 3)),
    ...shown.map((line) => INDENT + line),
    ...(truncated || lines.length > shown.length ? [`${INDENT}…`] : []),
    ...(stale ? [INDENT + style.yellow('! changed since it was indexed')] : []),
    ...(explain?.terms ?? []).map(({ term, part, documents }) =>
      style.dim(`${INDENT}${term}: ${part.toFixed(3)} (in ${count(documents, 'section')})`),
    ),
  ];
}

export const printReindexDocs: Printer<ReindexDocsResult> = (result, page) => {
  const { indexed, unchanged, removed, failed } = result.files;
  return facts(
    [
      ['folder', page.style.bold(result.root)],
      ['project', result.project],
      ['indexed', String(indexed)],
      ['unchanged', String(unchanged)],
      ['removed', String(removed)],
      ['failed', failed > 0 ? page.style.red(String(failed)) : '0'],
      ['sections', String(result.sections)],
    ],
    page,
  );
};
