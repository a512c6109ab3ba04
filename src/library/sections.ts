import { blocksOf, type Block } from './blocks.ts';
import { partsOf, textOf, wordsIn, type Part } from './parts.ts';

/** A part of a document that is found and shown by itself. */
export interface Section {
  /** The headings above it, outermost first. */
  readonly heading: readonly string[];
  readonly text: string;
  /** Line of the body, from 1, on which the text begins. */
  readonly line: number;
}

/** Longer sections are split at paragraphs, so that what is found is about one thing. */
const MOST_WORDS = 300;
/**
 * Neighbours that are shorter than this are joined until they are not: a word alone says nothing. No
 * more than that, since a joined section is found under the heading above, not under its own.
 */
const LEAST_WORDS = 3;

/** Blocks that make one section before it is split. */
interface Group {
  readonly path: readonly string[];
  /** Line of its first heading, from 0. */
  readonly start: number;
  /** First line of its text. */
  readonly from: number;
  readonly end: number;
  readonly words: number;
  /** Made of several blocks under the heading that they share. */
  readonly isJoined: boolean;
}

/**
 * Splits Markdown into sections: at headings, long ones at paragraphs, very short neighbours joined
 * under the heading that they share. Nothing but blank lines is lost: each line is in the text of one
 * section or is a heading in its path.
 */
export function sectionsOf(body: string): Section[] {
  const lines = body.split('\n');
  const blocks = blocksOf(lines);
  const groups: Group[] = [];
  for (const [i, block] of blocks.entries()) {
    const text = textOf(lines, block.content, block.end);
    // A heading that only has others below it is said by their paths.
    if (text === '' && (block.path.length === 0 || isAbove(block, blocks[i + 1]))) continue;
    const { path, start, end } = block;
    const from = text === '' ? start : block.content;
    const group = { path, start, from, end, words: wordsIn(text), isJoined: false };
    const last = groups.at(-1);
    const joined = last && join(last, group);
    if (joined) groups[groups.length - 1] = joined;
    else groups.push(group);
  }
  return groups.flatMap((group) => split(lines, group));
}

function isAbove({ path }: Block, next: Block | undefined): boolean {
  return next !== undefined && next.path.length > path.length && isSame(path, next.path);
}

/** Side by side or one above the other, and both very short. */
function join(group: Group, next: Group): Group | undefined {
  if (group.words >= LEAST_WORDS || next.words >= LEAST_WORDS) return undefined;
  const path = group.path.filter((_, i) => isSame(group.path.slice(0, i + 1), next.path));
  if (path.length < Math.max(group.path.length, next.path.length) - 1) return undefined;
  const keepsPath = path.length === group.path.length;
  // A heading that leaves the path stands in the text, but only the first one's line is known.
  if (!keepsPath && group.isJoined) return undefined;
  const from = keepsPath ? group.from : group.start;
  const words = group.words + next.words;
  return { path, start: group.start, from, end: next.end, words, isJoined: true };
}

/** Whether a path begins with these headings. */
function isSame(headings: readonly string[], path: readonly string[]): boolean {
  return headings.every((text, i) => text === path[i]);
}

function split(lines: readonly string[], { path, from, end, words }: Group): Section[] {
  let first = from;
  while (first < end && (lines[first] as string).trim() === '') first += 1;
  if (words <= MOST_WORDS)
    return [{ heading: path, text: textOf(lines, from, end), line: first + 1 }];
  const sections: { parts: Part[]; words: number }[] = [];
  for (const part of partsOf(lines, { from, end }, MOST_WORDS)) {
    const last = sections.at(-1);
    if (last && last.words + part.words <= MOST_WORDS) {
      last.parts.push(part);
      last.words += part.words;
    } else sections.push({ parts: [part], words: part.words });
  }
  return sections.map(({ parts }) => ({
    heading: path,
    text: parts
      .map(({ text, lead }, i) => (i === 0 ? text : lead + text))
      .join('')
      .trimEnd(),
    line: (parts[0] as Part).line + 1,
  }));
}
