/** A place in the code of a project that a memory speaks of. */
export interface Cite {
  /** Below the project's folder, with forward slashes; absent where only a commit is cited. */
  readonly path?: string;
  /** A name that is defined there; parts of a nested one are joined by dots. */
  readonly symbol?: string;
  /** `12` or `12-40`, from 1; of a symbol, where it stood. */
  readonly lines?: string;
  /** The commit that was checked out when it was cited, or the one that is cited. */
  readonly commit?: string;
  /** `textHash` of the cited text; absent = it could not be read. */
  readonly hash?: string;
}

/** More are not kept of one memory. */
export const MOST_CITES = 20;

const LINES = /^L?([1-9]\d{0,6})(?:-L?([1-9]\d{0,6}))?$/;
const COMMIT = /^[0-9a-f]{7,40}$/;
const SYMBOL = /^[\p{L}_$#~][\p{L}\p{N}_$!?-]*(?:(?:\.|::|#)[\p{L}_$#~][\p{L}\p{N}_$!?-]*)*$/u;
const MOST_CHARACTERS = 300;

/**
 * Reads `src/a.ts`, `src/a.ts#name`, `src/a.ts:12`, `src/a.ts:12-40` (also `#L12-L40`) or
 * `commit 1a2b3c4`. @returns undefined for anything else, and for a path that leads elsewhere
 */
export function parseCite(text: string): Cite | undefined {
  if (text.length > 2 * MOST_CHARACTERS) return undefined;
  const commit = /^commit[ :]\s*(\S+)$/.exec(text.trim())?.[1];
  if (commit !== undefined) return COMMIT.test(commit) ? { commit } : undefined;
  const [, place = '', mark = '', rest = ''] =
    /^(.*?)(?:([#:])([^:#].*))?$/.exec(text.trim()) ?? [];
  const path = citePath(place);
  if (path === undefined) return undefined;
  if (mark === '') return { path };
  const lines = linesOf(rest);
  if (lines !== undefined) return { path, lines };
  return mark === '#' && SYMBOL.test(rest) ? { path, symbol: rest } : undefined;
}

/**
 * A path below a project's folder in its plain form. Text is never a way out: what is absolute, goes
 * upwards or into git's own files is no such path, and neither is one with the marks of a cite in it.
 */
export function citePath(text: string): string | undefined {
  const path = text.replace(/^(?:\.\/)+/, '');
  if (path === '' || path.length > MOST_CHARACTERS || /[\\#:\p{Cc}]|^[/~]/u.test(path)) {
    return undefined;
  }
  const parts = path.replace(/\/$/, '').split('/');
  const isPlain = parts.every((part) => part.trim() !== '' && !/^(?:\.|\.\.|\.git)$/i.test(part));
  return isPlain ? parts.join('/') : undefined;
}

function linesOf(text: string): string | undefined {
  const [, from, to = from] = LINES.exec(text) ?? [];
  if (from === undefined || Number(to) < Number(from)) return undefined;
  return from === to ? from : `${from}-${to}`;
}

/** First and last line, from 1. */
export function rangeOf(lines: string): readonly [from: number, to: number] {
  const [from = '', to = from] = lines.split('-');
  return [Number(from), Number(to)];
}

/** A range as it is written. */
export function rangeText(from: number, to: number): string {
  return from === to ? String(from) : `${from}-${to}`;
}

/** A cite as it is given and shown. */
export function citeText({ path, symbol, lines, commit }: Cite): string {
  if (path === undefined) return `commit ${commit}`;
  if (symbol !== undefined) return `${path}#${symbol}`;
  return lines === undefined ? path : `${path}:${lines}`;
}

/** Whether a value read from a file is a cite. */
export function isCite(value: Readonly<Record<string, unknown>>): value is Readonly<Cite> & {
  [key: string]: unknown;
} {
  const { path, symbol, lines, commit, hash } = value;
  const texts = [path, symbol, lines, commit, hash].filter((part) => part !== undefined);
  if (!texts.every((part) => typeof part === 'string')) return false;
  if (path === undefined && commit === undefined) return false;
  if (path !== undefined && citePath(path as string) !== path) return false;
  return lines === undefined || linesOf(lines as string) === lines;
}
