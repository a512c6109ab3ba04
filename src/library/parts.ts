import { Class, classAt, widthAt } from '../domain/text/characters.ts';
import { afterLiteral } from './blocks.ts';

/** A piece of a long section. */
export interface Part {
  readonly text: string;
  /** Line on which it begins, from 0. */
  readonly line: number;
  readonly words: number;
  /** What stands between it and the part before it. */
  readonly lead: string;
}

/** A paragraph or code block may be this much longer than a section before it is cut too. */
const SLACK = 1.5;
/** Where a line is best cut: after a sentence, else between words. */
const CUTS = [/[.!?…](?=\s)\s+|[。！？；]/gu, /\s+/gu];

/** Paragraphs and code blocks, those that are far too long cut at lines, and lines at sentences. */
export function* partsOf(
  lines: readonly string[],
  { from, end }: { readonly from: number; readonly end: number },
  mostWords: number,
): Iterable<Part> {
  for (let i = from; i < end;) {
    if ((lines[i] as string).trim() === '') {
      i += 1;
      continue;
    }
    const past = Math.min(end, afterLiteral(lines, i));
    let next = Math.max(past, i + 1);
    if (past === i) while (next < end && !endsParagraph(lines, next)) next += 1;
    const text = textOf(lines, i, next);
    const words = wordsIn(text);
    if (words <= mostWords * SLACK) yield { text, line: i, words, lead: '\n\n' };
    else yield* cutAtLines(lines, { from: i, end: next }, mostWords);
    i = next;
  }
}

function endsParagraph(lines: readonly string[], at: number): boolean {
  return (lines[at] as string).trim() === '' || afterLiteral(lines, at) > at;
}

function* cutAtLines(
  lines: readonly string[],
  { from, end }: { readonly from: number; readonly end: number },
  mostWords: number,
): Iterable<Part> {
  for (let line = from; line < end; line++) {
    const text = lines[line] as string;
    const words = wordsIn(text);
    const lead = line === from ? '\n\n' : '\n';
    if (words <= mostWords * SLACK) yield { text, line, words, lead };
    else yield* cutLine(text, { line, lead, mostWords });
  }
}

/** No cut is longer than a section: each takes as much as fits up to the best place to end. */
function* cutLine(
  text: string,
  { line, lead, mostWords }: { line: number; lead: string; mostWords: number },
): Iterable<Part> {
  let rest = text;
  for (let first = true; rest !== ''; first = false) {
    const fits = lengthOf(rest, mostWords);
    const at = fits === rest.length ? fits : cutBefore(rest.slice(0, fits));
    const part = rest.slice(0, at);
    yield { text: part, line, words: wordsIn(part), lead: first ? lead : '' };
    rest = rest.slice(at);
  }
}

/** The last good place to cut in the second half of a text; its end where there is none. */
function cutBefore(text: string): number {
  for (const cut of CUTS) {
    const ends = [...text.matchAll(cut)].map((found) => found.index + found[0].length);
    const last = ends.findLast((end) => end > text.length / 2);
    if (last !== undefined) return last;
  }
  return text.length;
}

/** Lines without the blank ones around them. */
export function textOf(lines: readonly string[], from: number, end: number): string {
  let [first, past] = [from, end];
  while (first < past && (lines[first] as string).trim() === '') first += 1;
  while (past > first && (lines[past - 1] as string).trim() === '') past -= 1;
  return lines.slice(first, past).join('\n').trimEnd();
}

/** Words of any script; where none are written apart, two characters count as one. */
export function wordsIn(text: string): number {
  return scan(text, Infinity).words;
}

/** How many characters of a text hold this many words. */
function lengthOf(text: string, words: number): number {
  return scan(text, words).length;
}

function scan(text: string, most: number): { words: number; length: number } {
  let halves = 0;
  let inWord = false;
  for (let i = 0; i < text.length; i += widthAt(text, i)) {
    const kind = classAt(text, i);
    const isLetter = kind === Class.letter || kind === Class.digit;
    const more = kind === Class.dense ? 1 : isLetter && !inWord ? 2 : 0;
    if (halves + more > most * 2) return { words: Math.ceil(halves / 2), length: i };
    halves += more;
    inWord = isLetter;
  }
  return { words: Math.ceil(halves / 2), length: text.length };
}
