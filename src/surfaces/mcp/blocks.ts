import { escapeText, renderBlock } from '../../domain/block.ts';
import type { RecalledSection } from '../../domain/documents.ts';
import { headline } from '../../domain/memory.ts';
import type { Edge } from '../../domain/relation.ts';
import type { GotMemory, HistoryEntry, RecalledMemory } from '../../domain/results.ts';

/** One element around all recalled text: what stands in it is data. */
export function wrapped(blocks: readonly string[], element = 'loci-memories'): string {
  return [`<${element}>`, ...blocks, `</${element}>`].join('\n');
}

export function recalledBlock(memory: RecalledMemory): string {
  const notes = memory.signals.map(({ message }) => message);
  if (memory.truncated) notes.push(CUT);
  return renderBlock({ ...memory, title: memory.title ?? undefined }, notes);
}

/** A section of a document, as its tokens were counted. Its id is path and line. */
export function sectionBlock(section: RecalledSection): string {
  const { id, heading, text: body, modified_at: created_at } = section;
  const notes = section.signals.map(({ message }) => message);
  if (section.truncated) notes.push(CUT);
  return renderBlock(
    { id, type: 'document', title: heading || undefined, body, created_at },
    notes,
  );
}

const CUT = 'cut short';

/** A memory that was asked for by id: with what it takes to judge and change it. */
export function gotBlock(memory: GotMemory & { truncated?: boolean }): string {
  const { status, superseded_by, tags, paths, confidence, source, project, agent } = memory;
  const notes = [
    status === 'active' ? '' : status,
    superseded_by ? `superseded by ${superseded_by}` : '',
    memory.supersedes ? `supersedes ${memory.supersedes}` : '',
    memory.valid_from ? `valid from ${memory.valid_from}` : '',
    memory.valid_to ? `valid to ${memory.valid_to}` : '',
    memory.ttl_days === undefined ? '' : `holds for ${memory.ttl_days} days`,
    tags.length > 0 ? `tags ${tags.join(', ')}` : '',
    paths.length > 0 ? `paths ${paths.join(', ')}` : '',
    `confidence ${confidence}`,
    `source ${source}`,
    `project ${project}`,
    agent ? `agent ${agent}` : '',
    `version ${memory.version}`,
    memory.truncated ? CUT : '',
  ].filter((note) => note !== '');
  const edges = memory.edges ?? memory.relations.map((edge) => ({ ...edge, source: memory.id }));
  return [
    renderBlock(memory, notes),
    ...edges.map((edge) => `- ${edgeText(edge)}`),
    ...(memory.history ?? []).map((entry) => `- ${historyText(entry)}`),
  ].join('\n');
}

export function edgeText({ source, type, target, confidence }: Edge): string {
  return oneLine(`${source} ${type} ${target} (confidence ${confidence})`);
}

function historyText({ at, kind, actor, reason, memory }: HistoryEntry): string {
  const why = reason ? ` (${reason})` : '';
  return oneLine(`${at} ${kind} by ${actor}${why}${memory ? `: ${headline(memory)}` : ''}`);
}

function oneLine(text: string): string {
  return escapeText(text).replace(/\s+/g, ' ');
}
