import { isCrlf, SECTIONS } from './render.ts';

/** A Markdown file taken apart; nothing of it is interpreted yet. */
interface SplitFile {
  /** The front-matter block with fences, line ends and BOM; '' when there is none. */
  readonly front: string;
  /** What stands between the fences. */
  readonly yaml: string;
  /** Where `yaml` begins in the text. */
  readonly yamlStart: number;
  /** Line of the file, from 1, on which `yaml` begins. */
  readonly yamlLine: number;
  readonly body: string;
}

export type SplitResult = SplitFile | { readonly problem: string; readonly line: number };

const OPENING = /^\uFEFF?---[ \t]*(?:\r?\n|$)/;
// No flag m: it would take U+2028 for the end of a line.
const CLOSING = /(?<![^\n])---[ \t]*(?:\r?\n|(?![^]))/;
const CODE_FENCE_FRONT = /^\uFEFF?---[A-Za-z]/;
/** A merge that was left undone has all three, in this order. */
const CONFLICT = [/^<{7} /m, /^={7}\r?$/m, /^>{7} /m];

export function splitFile(text: string): SplitResult {
  if (text.includes('\0')) return { problem: 'it holds NUL characters', line: lineOf(text, '\0') };
  const conflict = conflictAt(text);
  if (conflict !== undefined) {
    return { problem: 'it holds merge conflict markers', line: lineAt(text, conflict) };
  }
  if (text.trim() === '') return { problem: 'it is empty', line: 1 };
  if (CODE_FENCE_FRONT.test(text)) {
    return { problem: 'its front matter is not YAML (only --- alone opens it)', line: 1 };
  }
  const opening = OPENING.exec(text);
  if (!opening) {
    const body = bodyOf(text.replace(/^\uFEFF/, ''), isCrlf(text));
    return { front: '', yaml: '', yamlStart: 0, yamlLine: 1, body };
  }
  const start = opening[0].length;
  const closing = CLOSING.exec(text.slice(start));
  if (!closing) return { problem: 'its front matter is not closed by ---', line: 1 };
  const end = start + closing.index + closing[0].length;
  const front = text.slice(0, end);
  const yaml = text.slice(start, start + closing.index);
  const body = bodyOf(text.slice(end), isCrlf(front));
  return { front, yaml, yamlStart: start, yamlLine: 2, body };
}

/** Whether git, or a tool like it, left both sides of a conflict in a file. */
export function hasConflictMarkers(text: string): boolean {
  return conflictAt(text) !== undefined;
}

/** Where the first conflict begins. Mark by mark: one pattern for all would try each beginning anew. */
function conflictAt(text: string): number | undefined {
  let from = 0;
  let first: number | undefined;
  for (const mark of CONFLICT) {
    const at = text.slice(from).search(mark);
    if (at < 0) return undefined;
    from += at;
    first ??= from;
  }
  return first;
}

/** The body without the machine's section and the one newline that ends every file. */
function bodyOf(rest: string, crlf: boolean): string {
  let body = crlf ? rest.replaceAll('\r\n', '\n') : rest;
  body = withoutSection(body);
  return body.endsWith('\n') ? body.slice(0, -1) : body;
}

function withoutSection(body: string): string {
  for (const [startMarker, endMarker] of SECTIONS) {
    const trimmed = body.trimEnd();
    if (!trimmed.endsWith(endMarker)) continue;
    const start = body.lastIndexOf(`\n${startMarker}\n`);
    if (start >= 0) return body.slice(0, start);
  }
  return body;
}

function lineOf(text: string, wanted: string): number {
  return lineAt(text, text.indexOf(wanted));
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
