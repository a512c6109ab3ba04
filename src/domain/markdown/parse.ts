import { isMap, isScalar, parseDocument, type Document, type Pair, type YAMLMap } from 'yaml';
import { isCite, type Cite } from '../anchors/cite.ts';
import {
  CLASSIFICATIONS,
  DEFAULT_CLASSIFICATION,
  DEFAULT_CONFIDENCE,
  GLOBAL_PROJECT,
  STATUSES,
  TIERS,
  typeRow,
  type Classification,
  type Status,
  type Tier,
} from '../lifecycle.ts';
import type { EntityLink, Memory } from '../memory.ts';
import type { Relation } from '../relation.ts';
import { canonicalRelationType, withRelation } from '../relation.ts';
import { sanitiseText } from '../sanitise.ts';
import { parseInstant, toIso } from '../time.ts';
import { isCrlf, renderFront } from './render.ts';
import { frontLines } from './front-keys.ts';
import { splitFile } from './split.ts';

export { hasConflictMarkers } from './split.ts';

/** What a file says of a memory: only the fields that stand in it. */
export type FileFields = Partial<Omit<Memory, 'body'>>;

export interface ParsedFile {
  readonly fields: FileFields;
  readonly body: string;
  /** The block word for word; '' when the file has none. */
  readonly front: string;
}

export type ParseResult = ParsedFile | { readonly problem: string; readonly line: number };

/**
 * Reads a memory's file. Only YAML is front matter: no code, no custom tags; keys that are not
 * ours stay in `front` and mean nothing. A value that cannot be what its key wants is a problem
 * with its line, not a guess.
 * @param keys the keys that are ours; default all that a memory has
 */
export function parseFile(text: string, keys: readonly string[] = KEYS): ParseResult {
  const split = splitFile(text);
  if ('problem' in split) return split;
  const { front, yaml, yamlLine, body } = split;
  if (NESTED_TOO_DEEP.test(yaml)) {
    return { problem: 'its front matter is nested too deep', line: yamlLine };
  }
  const document = readYaml(yaml);
  const error = document.errors[0];
  if (error) {
    const line = (error.linePos?.[0].line ?? 1) + yamlLine - 1;
    // The library counts lines from the block's own beginning: ours is the one to show.
    const why = error.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '');
    return { problem: `its front matter is no YAML: ${why}`, line };
  }
  if (document.contents !== null && !isMap(document.contents)) {
    return { problem: 'its front matter is no list of keys and values', line: yamlLine };
  }
  try {
    const fields = document.contents ? fieldsOf(document.contents, { yaml, yamlLine, keys }) : {};
    return { fields, body: sanitiseText(body).text, front };
  } catch (thrown) {
    if (thrown instanceof BadValue) return { problem: thrown.message, line: thrown.line };
    throw thrown;
  }
}

/** More brackets than a person writes; the parser would run out of stack. */
const NESTED_TOO_DEEP = /(?:[[{]\s*){100}|(?:[-?] +){100}/;

function readYaml(yaml: string): Document.Parsed {
  return parseDocument(yaml, { schema: 'core', merge: false, uniqueKeys: true, customTags: [] });
}

class BadValue extends Error {
  readonly line: number;
  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

type Reader = (value: unknown, source: string) => unknown;

const text: Reader = (value, source) => {
  if (typeof value === 'string') return sanitiseText(value).text;
  if (typeof value === 'number' || typeof value === 'boolean') return source;
  return undefined;
};

/** Characters of a name, such as a type or a source; what is longer, no import takes either. */
const MOST_OF_A_NAME = 1000;

const shortText: Reader = (value, source) => {
  const read = text(value, source);
  return isName(read) ? read : undefined;
};

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= MOST_OF_A_NAME;
}

const words: Reader = (value, source) => {
  const one = typeof value === 'number' ? source : value;
  const list = typeof one === 'string' ? one.split(',').map((part) => part.trim()) : one;
  if (!Array.isArray(list)) return undefined;
  const items = list.filter((item) => item !== null);
  if (items.some((item) => typeof item === 'object')) return undefined;
  const names = items.map((item) => sanitiseText(String(item)).text);
  return [...new Set(names.filter((item) => item !== ''))];
};

const instant: Reader = (value) => {
  const ms = typeof value === 'string' ? parseInstant(value) : undefined;
  return ms === undefined ? undefined : toIso(ms);
};

const numberIn =
  (min: number, max: number): Reader =>
  (value) =>
    typeof value === 'number' && value >= min && value <= max ? value : undefined;

const oneOf =
  (allowed: readonly string[]): Reader =>
  (value) =>
    typeof value === 'string' && allowed.includes(value) ? value : undefined;

const records = (value: unknown): Record<string, unknown>[] | undefined => {
  if (!Array.isArray(value)) return undefined;
  return value.every((item) => typeof item === 'object' && item !== null) ? value : undefined;
};

function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

const relations: Reader = (value) => {
  const list = records(value)?.map((item): Relation | undefined => {
    const { type, target, confidence = 1, origin = 'stated' } = item;
    if (!isName(type) || !isName(target) || !isShare(confidence)) return undefined;
    return { type: canonicalRelationType(type), target, confidence, origin: String(origin) };
  });
  if (!list?.every((item) => item !== undefined)) return undefined;
  return list.reduce<readonly Relation[]>(withRelation, []);
};

const entities: Reader = (value) => {
  const list = records(value)?.map(({ kind, name }): EntityLink | undefined => {
    return typeof kind === 'string' && typeof name === 'string' ? { kind, name } : undefined;
  });
  return list?.every((item) => item !== undefined) ? list : undefined;
};

const cites: Reader = (value) => {
  const list = records(value);
  if (!list || list.length === 0 || !list.every(isCite)) return undefined;
  return list.map(({ path, symbol, lines, commit, hash }): Cite => {
    const fields = Object.entries({ path, symbol, lines, commit, hash });
    return Object.fromEntries(fields.filter(([, part]) => part !== undefined));
  });
};

const detail: Reader = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;

/** How each key is read; null in a file means that the key does not apply. */
const READERS: Readonly<Record<string, Reader>> = {
  id: text,
  type: shortText,
  tier: oneOf(TIERS),
  status: oneOf(STATUSES),
  status_reason: text,
  title: text,
  confidence: numberIn(0, 1),
  tags: words,
  paths: words,
  project: shortText,
  agent: shortText,
  classification: oneOf(CLASSIFICATIONS),
  source: shortText,
  observed: shortText,
  session_id: text,
  speaker: text,
  turn: numberIn(0, 1e9),
  ttl_days: numberIn(0, 3_650_000),
  valid_from: instant,
  valid_to: instant,
  supersedes: text,
  superseded_by: text,
  superseded_at: instant,
  external_ids: words,
  evidence: words,
  entities,
  relations,
  cites,
  details: detail,
  created_at: instant,
  updated_at: instant,
};

const KEYS = Object.keys(READERS);

function fieldsOf(
  map: YAMLMap,
  { yaml, yamlLine, keys }: { yaml: string; yamlLine: number; keys: readonly string[] },
): FileFields {
  const fields = new Map<string, unknown>();
  for (const pair of map.items) {
    const key = isScalar(pair.key) ? String(pair.key.value) : '';
    const value = plainValue(pair);
    if (value === null || value === undefined || value === '') continue;
    const line = lineOfPair(pair, yaml) + yamlLine - 1;
    if (key === 'scope' && keys === KEYS) {
      readScope(value, fields, line);
      continue;
    }
    if (!keys.includes(key)) continue;
    const read = READERS[key]?.(value, sourceOf(pair, yaml));
    if (read === undefined) {
      throw new BadValue(`${key} cannot be ${JSON.stringify(value).slice(0, 80)}`, line);
    }
    const before = fields.get(key);
    // S2 keeps tags in scope and Obsidian at the top: both count.
    const both =
      key === 'tags' && before ? [...new Set([...(before as []), ...(read as [])])] : read;
    fields.set(key, both);
  }
  return Object.fromEntries(fields) as FileFields & {
    tier?: Tier;
    status?: Status;
    classification?: Classification;
  };
}

function readScope(value: unknown, fields: Map<string, unknown>, line: number): void {
  if (typeof value !== 'object' || value === null) return;
  for (const key of SCOPED) {
    const inner = (value as Record<string, unknown>)[key];
    if (inner === undefined || inner === null) continue;
    const read = words(inner, '') as string[] | undefined;
    if (!read) throw new BadValue(`scope.${key} is no list`, line);
    fields.set(key, [...new Set([...((fields.get(key) as string[]) ?? []), ...read])]);
  }
}

function plainValue(pair: Pair): unknown {
  const node = pair.value as { toJSON?: () => unknown } | null;
  return node?.toJSON ? node.toJSON() : node;
}

function sourceOf(pair: Pair, yaml: string): string {
  const range = (pair.value as { range?: [number, number, number] } | null)?.range;
  return range ? yaml.slice(range[0], range[1]).trim() : '';
}

function lineOfPair(pair: Pair, yaml: string): number {
  const range = (pair.key as { range?: [number, number, number] } | null)?.range;
  return yaml.slice(0, range?.[0] ?? 0).split('\n').length;
}

/**
 * The block with the keys that differ from the memory rewritten and all else left as it stands:
 * comments, order, unknown keys, line ends, BOM. A key that says what its absence says is not
 * added, and `updated_at` is its owner's.
 */
export function patchFront(front: string, memory: Memory): string {
  if (front === '') return renderFront(memory);
  const split = splitFile(front);
  if ('problem' in split) return renderFront(memory);
  const parsed = parseFile(front);
  if ('problem' in parsed) return renderFront(memory);
  const document = readYaml(split.yaml);
  const { yamlStart: start } = split;
  const eol = isCrlf(front) ? '\r\n' : '\n';
  const wanted = linesOf(memory);
  const changed = differing(wanted, said(parsed.fields, memory));
  let yaml = split.yaml;
  const added: string[] = [];
  const edits: { from: number; to: number; text: string }[] = [];
  const pairs = isMap(document.contents) ? document.contents.items : [];
  const scope = pairNamed('scope', pairs)?.value;
  const scopePairs = isMap(scope) ? scope.items : [];
  for (const key of changed) {
    const line = wanted.get(key);
    const rendered =
      line === undefined ? '' : line.startsWith('\n') ? `${key}:${line}` : `${key}: ${line}`;
    const pair = pairNamed(key, pairs);
    if (pair) edits.push({ ...extent(pair, yaml), text: rendered });
    const inScope = SCOPED.includes(key) && pairNamed(key, scopePairs);
    if (inScope) edits.push({ ...extent(inScope, yaml), text: rendered || `${key}: []` });
    if (!pair && !inScope && rendered !== '') added.push(rendered);
  }
  for (const { from, to, text: replacement } of edits.sort((a, b) => b.from - a.from)) {
    const rest = replacement === '' ? yaml.slice(to).replace(/^\r?\n/, '') : yaml.slice(to);
    yaml = yaml.slice(0, from) + replacement.replaceAll('\n', eol) + rest;
  }
  if (yaml !== '' && !yaml.endsWith('\n')) yaml += eol;
  for (const line of added) yaml += line.replaceAll('\n', eol) + eol;
  const closing = front.slice(start + split.yaml.length);
  const end = closing.endsWith('\n') ? closing : `${closing}${eol}`;
  const patched = front.slice(0, start) + yaml + end;
  // Where a line cannot be changed alone (an anchor, a flow map), the block gives way to our own.
  const check = parseFile(patched);
  if ('problem' in check) return renderFront(memory);
  const asMeant = differing(wanted, said(check.fields, memory)).length === 0;
  return asMeant ? patched : renderFront(memory);
}

type Lines = ReadonlyMap<string, string>;

function linesOf(memory: Memory): Lines {
  return new Map(frontLines(memory).filter(([key]) => key !== 'updated_at'));
}

/** The lines of a memory that a file's fields say, and its missing ones by their absence. */
function said(fields: FileFields, memory: Memory): Lines {
  const lines = linesOf({ ...unsaid(memory), ...fields });
  const named = Object.hasOwn(fields, 'id');
  return named ? lines : new Map([...lines].filter(([key]) => key !== 'id'));
}

function differing(a: Lines, b: Lines): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter((key) => a.get(key) !== b.get(key));
}

/** What S2 keeps in `scope`. */
const SCOPED = ['tags', 'paths'];

function pairNamed(key: string, pairs: readonly Pair[]): Pair | undefined {
  return pairs.find((pair) => isScalar(pair.key) && pair.key.value === key);
}

/** From the first character of a key to the last of its value, comments after it apart. */
function extent(pair: Pair, yaml: string): { from: number; to: number } {
  const key = (pair.key as { range: [number, number, number] }).range;
  const value = (pair.value as { range?: [number, number, number] } | null)?.range;
  const to = value ? Math.max(value[1], key[1] + 1) : yaml.indexOf(':', key[1]) + 1;
  return { from: key[0], to: key[0] + yaml.slice(key[0], to).trimEnd().length };
}

/** What a file says of a memory by leaving everything out. */
function unsaid(memory: Memory): Memory {
  return {
    ...memory,
    type: 'fact',
    tier: typeRow(memory.type).tier,
    status: 'active',
    confidence: DEFAULT_CONFIDENCE,
    classification: DEFAULT_CLASSIFICATION,
    source: 'owner',
    observed: 'stated',
    project: GLOBAL_PROJECT,
    status_reason: undefined,
    title: undefined,
    tags: [],
    paths: [],
    agent: undefined,
    session_id: undefined,
    speaker: undefined,
    turn: undefined,
    ttl_days: undefined,
    valid_from: undefined,
    valid_to: undefined,
    supersedes: undefined,
    superseded_by: undefined,
    superseded_at: undefined,
    external_ids: [],
    evidence: [],
    entities: [],
    relations: [],
    cites: undefined,
    details: undefined,
  } as Memory;
}
