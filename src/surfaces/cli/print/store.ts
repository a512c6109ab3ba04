import type { Finding } from '../../../domain/finding.ts';
import type {
  AgentStatus,
  EmbeddingStatus,
  RebuildResult,
  ReEmbedResult,
  StatusResult,
  VerifyResult,
} from '../../../domain/results.ts';
import type { ReplayResult } from '../../../domain/log-verbs.ts';
import { bar, table } from '../terminal/table.ts';
import { asides } from './log.ts';
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
    ...counts('Tags', topOf(tags), page),
    ...counts('Age', agesOf(status.staleness), page),
    ...agentLines(status.agents ?? [], page),
    ...findings(status.findings, page),
  ];
};

function agesOf(staleness: StatusResult['staleness']): Record<string, number> {
  const { over_30_days, over_90_days, over_180_days, ended } = staleness;
  return {
    'over 30 days': over_30_days,
    'over 90 days': over_90_days,
    'over 180 days': over_180_days,
    'ended, for gc': ended,
  };
}

function agentLines(agents: readonly AgentStatus[], { style, width }: Page): string[] {
  if (agents.length === 0) return [];
  const columns = [
    { heading: '  AGENT', paint: style.bold },
    { heading: 'MEMORIES', align: 'right' },
    { heading: 'STATUS' },
    { heading: 'TYPE', grows: true },
  ] as const;
  const rows = agents.map(({ agent, total, by_status, by_type }) => [
    `  ${agent ?? 'shared'}`,
    String(total),
    named(by_status),
    named(by_type),
  ]);
  return ['', style.bold('By agent'), ...table(columns, rows, width, style.dim)];
}

function named(counted: Readonly<Record<string, number>>): string {
  return Object.entries(counted)
    .map(([name, number]) => `${number} ${name}`)
    .join(', ');
}

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

function topOf(tags: Readonly<Record<string, number>>): Record<string, number> {
  const sorted = Object.entries(tags).toSorted(([, a], [, b]) => b - a);
  return Object.fromEntries(sorted.slice(0, TAGS_SHOWN));
}

function embeddedLines(models: ReEmbedResult['models']): string[] {
  return models.map(({ model, dims, embedded, failed, stored, pending }) => {
    const refused = failed > 0 ? `, ${failed} refused` : '';
    return `${model} (${dims} dimensions): ${embedded} embedded now, ${stored} stored, ${pending} pending${refused}`;
  });
}

export const printReEmbed: Printer<ReEmbedResult> = ({ models, dropped, kept }) => [
  ...embeddedLines(models),
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
  ...embeddedLines(result.embedded ?? []),
  ...findings(result.problems, page),
];

export const printReplay: Printer<ReplayResult> = (result, page) => [
  ...facts([['store', result.store]], page),
  ...printRebuild(result, page),
  ...asides(result.skipped, page),
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
