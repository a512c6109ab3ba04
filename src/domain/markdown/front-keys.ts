import type { Cite } from '../anchors/cite.ts';
import type { Memory } from '../memory.ts';
import { yamlJson, yamlList, yamlMap, yamlScalar } from './yaml-write.ts';

/** Keys of our front matter in the order in which a new file has them, with their YAML. */
export function frontLines(memory: Memory): [key: string, yaml: string][] {
  const lines: [string, string | undefined][] = [
    ['id', yamlScalar(memory.id)],
    ['type', yamlScalar(memory.type)],
    ['tier', memory.tier],
    ['status', memory.status],
    ['status_reason', scalar(memory.status_reason)],
    ['title', scalar(memory.title)],
    ['confidence', scalar(memory.confidence)],
    ['tags', list(memory.tags)],
    ['paths', list(memory.paths)],
    ['project', scalar(memory.project)],
    ['agent', scalar(memory.agent)],
    ['classification', memory.classification],
    ['source', scalar(memory.source)],
    ['observed', scalar(memory.observed)],
    ['session_id', scalar(memory.session_id)],
    ['speaker', scalar(memory.speaker)],
    ['turn', scalar(memory.turn)],
    ['ttl_days', scalar(memory.ttl_days)],
    ['valid_from', scalar(memory.valid_from)],
    ['valid_to', scalar(memory.valid_to)],
    ['supersedes', scalar(memory.supersedes)],
    ['superseded_by', scalar(memory.superseded_by)],
    ['superseded_at', scalar(memory.superseded_at)],
    ['external_ids', list(memory.external_ids)],
    ['evidence', list(memory.evidence)],
    ['entities', maps(memory.entities.map(({ kind, name }) => ({ kind, name })))],
    [
      'relations',
      maps(
        memory.relations.map(({ type, target, confidence, origin }) => ({
          type,
          target,
          confidence,
          origin,
        })),
      ),
    ],
    ['cites', maps((memory.cites ?? []).map(citeFields))],
    ['details', memory.details && yamlJson(memory.details)],
    ['created_at', scalar(memory.created_at)],
    ['updated_at', scalar(memory.updated_at)],
  ];
  return lines.filter((line): line is [string, string] => line[1] !== undefined);
}

/** In one order, without what does not apply. */
function citeFields({ path, symbol, lines, commit, hash }: Cite): Record<string, string> {
  const fields = Object.entries({ path, symbol, lines, commit, hash });
  return Object.fromEntries(
    fields.filter((field): field is [string, string] => field[1] !== undefined),
  );
}

function scalar(value: string | number | undefined): string | undefined {
  return value === undefined ? undefined : yamlScalar(value);
}

function list(items: readonly string[]): string | undefined {
  return items.length === 0 ? undefined : yamlList(items);
}

function maps(items: readonly Record<string, string | number>[]): string | undefined {
  if (items.length === 0) return undefined;
  return items.map((item) => `\n  - ${yamlMap(item)}`).join('');
}
