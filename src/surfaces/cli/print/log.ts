import type { DiffLine } from '../../../domain/line-diff.ts';
import type {
  BootstrapResult,
  CompactResult,
  DiffResult,
  EvidenceResult,
  HistoryResult,
  MemoryDiff,
  MergeResult,
  PurgeResult,
  SetAside,
} from '../../../domain/log-verbs.ts';
import type { FieldChange } from '../../../domain/upkeep.ts';
import { table } from '../terminal/table.ts';
import { moment } from '../terminal/times.ts';
import { clip } from '../terminal/width.ts';
import { count, facts, type Page, type Printer } from './page.ts';

/** Lines that did not change, shown around those that did. */
const CONTEXT_LINES = 3;

export const printMerge: Printer<MergeResult> = (result, page) => {
  const { dry_run, events, memories, conflicts, skipped, evidence, state_hash } = result;
  const { style } = page;
  const came = `${count(events, 'event')} of ${count(memories, 'memory', 'memories')}`;
  return [
    dry_run ? `Would bring ${came}; nothing was written.` : `Brought ${came}.`,
    ...(evidence > 0 ? [`Brought ${count(evidence, 'file')} of evidence.`] : []),
    ...conflicts.map((id) => style.yellow(`conflict ${id}`)),
    ...asides(skipped, page),
    ...facts([['state hash', state_hash]], page),
  ];
};

export function asides(skipped: readonly SetAside[], { style }: Page): string[] {
  return skipped.map(({ reason }) => style.yellow(`set aside: ${reason}`));
}

export const printCompact: Printer<CompactResult> = ({ dropped, events, horizon }, { style }) => [
  dropped === 0
    ? 'Nothing to drop.'
    : `Dropped ${count(dropped, 'event')}; ${count(events, 'event')} left.`,
  ...(horizon === null ? [] : [style.dim(`The log tells how things were since ${horizon}.`)]),
];

export const printPurge: Printer<PurgeResult> = ({ purged, missing }, { style }) => [
  ...purged.map((id) => `purged ${id}`),
  ...missing.map((id) => style.yellow(`There is no memory ${id} in this project.`)),
];

type EvidenceShown = EvidenceResult & { readonly text?: string; readonly out?: string };

export const printEvidence: Printer<EvidenceShown> = ({ evidence, text, out }, { style }) => {
  if (text !== undefined) return [text];
  if (out !== undefined) return [`Wrote ${out}`];
  if (evidence.length === 0) return ['No evidence.'];
  return evidence.map(({ sha256, size }) => {
    return `${sha256}  ${size === null ? style.red('missing') : count(size, 'byte')}`;
  });
};

export const printBootstrap: Printer<BootstrapResult> = (result, page) =>
  facts(
    [
      ['memories', String(result.memories)],
      ['begun from files', String(result.bootstrapped)],
      ['events made now', String(result.events)],
      ['state hash', result.state_hash],
    ],
    page,
  );

export const printHistory: Printer<HistoryResult> = ({ events, horizon }, { style, width }) => {
  const columns = [
    { heading: 'WHEN' },
    { heading: 'WHAT' },
    { heading: 'WHO' },
    { heading: 'FIELDS', grows: true },
    { heading: 'EVENT', paint: style.dim },
  ];
  const first = events[0]?.event;
  const rows = events.map(({ event, at, kind, actor, reason, fields }) => [
    moment(at),
    kind.replace(/^memory\./, ''),
    actor,
    [event === first ? '' : fields.join(', '), reason ?? ''].filter(Boolean).join(': '),
    event,
  ]);
  const note = horizon === null ? [] : [style.dim(`What was before ${horizon} was dropped.`)];
  return [...table(columns, rows, width, style.dim), ...note];
};

export const printDiff: Printer<DiffResult> = ({ memories }, page) => {
  const changed = memories.filter(({ change }) => change !== 'unchanged');
  if (changed.length === 0) return ['Nothing changed.'];
  const isStore = page.input['since'] !== undefined;
  return changed.flatMap((memory, i) => [
    ...(i > 0 ? [''] : []),
    heading(memory, page),
    ...(isStore && memory.change === 'appeared' ? [] : details(memory, page)),
  ]);
};

function heading({ id, change, title }: MemoryDiff, { style, width }: Page): string {
  const paint = {
    appeared: style.green,
    changed: style.cyan,
    ended: style.red,
    unchanged: style.dim,
  };
  return clip(`${paint[change](change)} ${style.bold(id)}  ${title}`, width);
}

function details({ fields, lines }: MemoryDiff, page: Page): string[] {
  const plain = fields.filter(({ field }) => field !== 'body' || lines === undefined);
  return [...plain.flatMap((field) => fieldLines(field, page)), ...bodyLines(lines ?? [], page)];
}

function fieldLines({ field, before, after }: FieldChange, { style, width }: Page): string[] {
  return [
    ...(before === null ? [] : [style.red(clip(`- ${field}: ${shown(before)}`, width))]),
    ...(after === null ? [] : [style.green(clip(`+ ${field}: ${shown(after)}`, width))]),
  ];
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The lines that changed, with a few around them; what lies between is left out. */
function bodyLines(lines: readonly DiffLine[], { style }: Page): string[] {
  const near = new Set<number>();
  for (const [i, { kind }] of lines.entries()) {
    if (kind === 'same') continue;
    for (let at = i - CONTEXT_LINES; at <= i + CONTEXT_LINES; at++) near.add(at);
  }
  const paint = { same: style.dim, removed: style.red, added: style.green };
  const sign = { same: ' ', removed: '-', added: '+' };
  return lines.flatMap(({ kind, text }, i) => {
    if (near.has(i)) return [paint[kind](`${sign[kind]} ${text}`)];
    return near.has(i - 1) ? [style.dim('  …')] : [];
  });
}
