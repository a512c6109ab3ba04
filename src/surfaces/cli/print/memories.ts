import { citeText } from '../../../domain/anchors/cite.ts';
import type { RelationsResult, UnrelateResult } from '../../../domain/graph/results.ts';
import type { Edge } from '../../../domain/relation.ts';
import type { GetResult, GotCite, GotMemory, HistoryEntry } from '../../../domain/results.ts';
import { table } from '../terminal/table.ts';
import { age, moment } from '../terminal/times.ts';
import { wrap } from '../terminal/width.ts';
import { facts, windowLine, type Page, type Printer } from './page.ts';

export const printMemories: Printer<GetResult> = ({ memories, missing, window }, page) => [
  ...memories.flatMap((memory, i) => [...(i > 0 ? [''] : []), ...memoryLines(memory, page)]),
  ...missing.map((id) => page.style.yellow(`There is no memory ${id}.`)),
  ...windowLine(window, page),
];

function memoryLines(memory: GotMemory, page: Page): string[] {
  const { style, width, nowMs } = page;
  const when = (iso: string | undefined): string | undefined =>
    iso && `${moment(iso)} (${age(iso, nowMs)})`;
  const status = memory.status_reason ? `${memory.status}: ${memory.status_reason}` : memory.status;
  const rows: (readonly [string, string | undefined])[] = [
    ['type', `${memory.type}, ${memory.tier}`],
    ['status', status],
    ['project', memory.project],
    ['agent', memory.agent],
    ['confidence', String(memory.confidence)],
    ['tags', memory.tags.join(', ')],
    ['paths', memory.paths.join(', ')],
    ['cites', (memory.cites ?? []).map(citeLine).join(', ')],
    ['source', `${memory.source}, ${memory.observed}`],
    ['speaker', memory.speaker],
    ['session', memory.session_id],
    ['class', memory.classification],
    ['created', when(memory.created_at)],
    ['updated', when(memory.updated_at)],
    ['valid from', when(memory.valid_from)],
    ['valid to', when(memory.valid_to)],
    ['expires after', memory.ttl_days === undefined ? undefined : `${memory.ttl_days} days`],
    ['replaces', memory.supersedes],
    ['replaced by', memory.superseded_by],
    ['entities', memory.entities.map(({ kind, name }) => `${name} (${kind})`).join(', ')],
    ['known as', memory.external_ids.join(', ')],
    ['version', String(memory.version)],
  ];
  return [
    style.bold(memory.id) + (memory.title ? `  ${memory.title}` : ''),
    ...facts(rows, page),
    '',
    ...wrap(memory.body.trimEnd(), width),
    ...edgeLines(memory, page),
    ...(memory.history ? ['', style.bold('History'), ...historyLines(memory.history, page)] : []),
  ];
}

function citeLine({ state, lines_now, ...cite }: GotCite): string {
  const now = lines_now === undefined ? '' : ` to lines ${lines_now}`;
  return citeText(cite) + (state === undefined ? '' : ` (${state}${now})`);
}

function edgeLines({ id, edges, relations }: GotMemory, page: Page): string[] {
  const all = edges ?? relations.map((relation) => ({ source: id, ...relation }));
  return all.length === 0 ? [] : ['', page.style.bold('Relations'), ...edgeTable(all, page)];
}

function historyLines(history: readonly HistoryEntry[], { style, width }: Page): string[] {
  const columns = [
    { heading: 'WHEN' },
    { heading: 'WHAT' },
    { heading: 'WHO' },
    { heading: 'WHY', grows: true },
  ];
  const rows = history.map(({ at, kind, actor, reason }) => [
    moment(at),
    kind.replace(/^memory\./, ''),
    actor,
    reason ?? '',
  ]);
  return table(columns, rows, width, style.dim);
}

export function edgeTable(edges: readonly Edge[], { style, width }: Page): string[] {
  const columns = [
    { heading: 'FROM', paint: style.bold },
    { heading: 'RELATION', paint: style.cyan },
    { heading: 'TO', paint: style.bold },
    { heading: 'SURE', align: 'right' },
    { heading: 'ORIGIN' },
  ] as const;
  const rows = edges.map(({ source, type, target, confidence, origin }) => [
    source,
    type,
    target,
    confidence.toFixed(2),
    origin,
  ]);
  return table(columns, rows, width, style.dim);
}

export const printRelations: Printer<RelationsResult> = (result, page) => {
  const { relations, reached = [], truncated } = result;
  const far = reached.filter(({ distance }) => distance > 1);
  const columns = [{ heading: 'AWAY', align: 'right' }, { heading: 'MEMORY' }] as const;
  const rows = far.map(({ id, distance }) => [String(distance), id]);
  return [
    ...(relations.length === 0 ? ['No relations.'] : edgeTable(relations, page)),
    ...(far.length > 0 ? ['', ...table(columns, rows, page.width, page.style.dim)] : []),
    ...(truncated
      ? [page.style.yellow('There is more; a smaller --depth or a --type narrows it.')]
      : []),
  ];
};

export const printUnrelate: Printer<UnrelateResult> = ({ removed }, { style }) =>
  removed.map(
    ({ source, type, target }) => `${style.bold('removed')}  ${source} ${type} ${target}`,
  );
