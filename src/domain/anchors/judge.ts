import { sha256 } from '../hash.ts';
import { rangeOf, rangeText, type Cite } from './cite.ts';
import { findSymbol } from './symbol.ts';

/** How cited code stands: as it was, with another text, at another place, or not there any more. */
export type AnchorState = 'fresh' | 'changed' | 'moved' | 'gone';

export interface Anchor {
  readonly state: AnchorState;
  /** Where it stands now, when it moved. */
  readonly lines?: string;
}

/** Windows of a file that are compared in full; of a text that begins like many, not all are. */
const COMPARED = 200;

/** A cite with what it cites now; undefined when there is no such text in the file. */
export function anchored(cite: Cite, file: readonly string[]): Cite | undefined {
  const range = rangeIn(cite, file);
  if (!range) return undefined;
  const [from, to] = range;
  const lines = cite.symbol === undefined ? cite.lines : rangeText(from, to);
  const hash = textHash(file.slice(from - 1, to));
  return { ...cite, ...(lines === undefined ? {} : { lines }), hash };
}

/**
 * Compares a cite with the file as it is.
 * @param file its lines; undefined = it is not there
 */
export function judgeCite(cite: Cite, file: readonly string[] | undefined): Anchor {
  const { path, symbol, lines, hash } = cite;
  if (path === undefined) return { state: 'fresh' };
  if (!file) return { state: 'gone' };
  if (symbol !== undefined) {
    const extent = findSymbol(file, symbol);
    if (!extent) return { state: 'gone' };
    const now = rangeText(...extent);
    if (hash === undefined) return { state: 'fresh' };
    if (textHash(file.slice(extent[0] - 1, extent[1])) !== hash) return { state: 'changed' };
    return lines === undefined || lines === now
      ? { state: 'fresh' }
      : { state: 'moved', lines: now };
  }
  if (hash === undefined) return { state: 'fresh' };
  const range = rangeIn(cite, file);
  if (range && textHash(file.slice(range[0] - 1, range[1])) === hash) return { state: 'fresh' };
  if (lines === undefined) return { state: 'changed' };
  const now = elsewhere(lines, hash, file);
  return now === undefined ? { state: 'changed' } : { state: 'moved', lines: now };
}

function rangeIn(
  { symbol, lines }: Cite,
  file: readonly string[],
): readonly [number, number] | undefined {
  if (symbol !== undefined) return findSymbol(file, symbol);
  if (lines === undefined) return [1, file.length];
  const [from, to] = rangeOf(lines);
  return to <= file.length ? [from, to] : undefined;
}

/** The text of a range at another place, nearest to where it was. */
function elsewhere(lines: string, hash: string, file: readonly string[]): string | undefined {
  const [from, to] = rangeOf(lines);
  const length = to - from + 1;
  const opening = hash.slice(0, OPENING);
  const starts: number[] = [];
  for (let start = 1; start + length - 1 <= file.length; start++) {
    if (openingOf(file[start - 1] as string) === opening) starts.push(start);
  }
  const nearest = starts.sort((a, b) => Math.abs(a - from) - Math.abs(b - from));
  const found = nearest
    .slice(0, COMPARED)
    .find((start) => textHash(file.slice(start - 1, start - 1 + length)) === hash);
  return found === undefined ? undefined : rangeText(found, found + length - 1);
}

/** Characters of a hash that stand for the first line alone: they find a text that moved. */
const OPENING = 4;

/**
 * 16 hexadecimal digits for the lines of a text: 4 of its first line, 12 of all of it. Blanks at the
 * ends of lines do not count.
 */
function textHash(lines: readonly string[]): string {
  const text = lines.map((line) => line.trimEnd()).join('\n');
  return openingOf(lines[0] ?? '') + sha256(text).slice(0, 12);
}

/** FNV-1a folded to 16 bits: every line of a file is asked for it. */
function openingOf(line: string): string {
  const text = line.trimEnd();
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return ((hash ^ (hash >>> 16)) & 0xffff).toString(16).padStart(OPENING, '0');
}
