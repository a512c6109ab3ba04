import type { Finding } from '../../../domain/finding.ts';
import type {
  EmbeddingStatus,
  RebuildResult,
  ReEmbedResult,
  StatusResult,
  VerifyResult,
} from '../../../domain/results.ts';
import { bar, table } from '../terminal/table.ts';
import { count, facts, type Page, type Printer } from './page.ts';

const TAGS_SHOWN = 12;

export const printStatus: Printer<StatusResult> = (status, page) => {
  const { memories, tags, embeddings, log } = status;
  return [
    ...facts(
      [
        ['store', page.style.bold(status.store)],
        ['engine', status.engine],
        ['project', status.project],
        ['memories', String(memories.total)],
        ['log', `${count(log.events, 'event')}, position ${log.position}`],
        ['index', status.index],
        ['embeddings', embeddings.models.map(embeddingLine).join('; ') || 'none'],
        ['version', status.version],
      ],
      page,
    ),
    ...counts('By type', memories.by_type, page),
    ...counts('By tier', memories.by_tier, page),
    ...counts('By status', memories.by_status, page),
    ...counts('By project', memories.by_project, page),
    ...counts('By agent', named(status.agents ?? {}), page),
    ...counts('Tags', topOf(tags), page),
    ...findings(status.findings, page),
  ];
};

function embeddingLine({ model, dims, stored, pending }: EmbeddingStatus): string {
  const length = dims === null ? '' : `, ${dims} dimensions`;
  return `${model}${length}, ${stored} stored, ${pending} pending`;
}

function counts(heading: string, numbers: Readonly<Record<string, number>>, page: Page): string[] {
  const { style, width } = page;
  const entries = Object.entries(numbers).filter(([, number]) => number > 0);
  if (entries.length === 0) return [];
  const most = Math.max(...entries.map(([, number]) => number));
  const rows = entries
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, number]) => [`  ${name}`, String(number), bar(number / most, 16)]);
  const columns = [
    { heading: '' },
    { heading: '', align: 'right' },
    { heading: '', paint: style.cyan },
  ] as const;
  return ['', style.bold(heading), ...table(columns, rows, width, style.dim)];
}

/** Those of no agent are shared. */
function named({ '': shared = 0, ...agents }: Readonly<Record<string, number>>) {
  return { ...agents, '(shared)': shared };
}

function topOf(tags: Readonly<Record<string, number>>): Record<string, number> {
  const sorted = Object.entries(tags).toSorted(([, a], [, b]) => b - a);
  return Object.fromEntries(sorted.slice(0, TAGS_SHOWN));
}

export const printReEmbed: Printer<ReEmbedResult> = ({ models, dropped, kept }) => [
  ...models.map(({ model, dims, embedded, failed, stored, pending }) => {
    const refused = failed > 0 ? `, ${failed} refused` : '';
    return `${model} (${dims} dimensions): ${embedded} embedded now, ${stored} stored, ${pending} pending${refused}`;
  }),
  ...(dropped.length > 0 ? [`Forgotten: vectors of ${dropped.join(', ')}.`] : []),
  ...(kept.length > 0
    ? [`Vectors of ${kept.join(', ')} are kept and not used; --drop-others forgets them.`]
    : []),
];

export const printVerify: Printer<VerifyResult> = (result, page) => [
  ...facts(
    [
      ['log', mark(result.log_ok, page)],
      ['files', mark(result.files_ok, page)],
      ['index', mark(result.index_ok, page)],
      ['state hash', result.state_hash],
    ],
    page,
  ),
  ...findings(result.problems, page),
];

export const printRebuild: Printer<RebuildResult> = (result, page) => [
  ...facts(
    [
      ['memories', String(result.memories)],
      ['events', String(result.events)],
      ['edits taken up', String(result.edits)],
      ['files written', String(result.written)],
      ['state hash', result.state_hash],
    ],
    page,
  ),
  ...findings(result.problems, page),
];

function mark(isOk: boolean, { style }: Page): string {
  return isOk ? style.green('ok') : style.red('not ok');
}

export function findings(all: readonly Finding[], { style }: Page): string[] {
  const paint = { info: style.blue, warning: style.yellow, error: style.red };
  return all.flatMap(({ check, severity, message, hint }) => [
    `${paint[severity](severity)} ${check}: ${message}`,
    ...(hint ? [`  ${hint}`] : []),
  ]);
}
