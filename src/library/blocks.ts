/** A heading and the lines below it, up to the next heading. Lines count from 0. */
export interface Block {
  /** The headings that it stands under, its own last; none before the first heading. */
  readonly path: readonly string[];
  /** Line of its heading, or its first one where it has none. */
  readonly start: number;
  /** First line below the heading. */
  readonly content: number;
  /** The line after its last. */
  readonly end: number;
}

const ATX = /^ {0,3}(#{1,6})(?=[ \t]|$)/;
const SETEXT = /^ {0,3}(=+|-+)[ \t]*$/;
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
/** What no paragraph begins with: lists, quotes, tables, code and markup. */
const NO_PARAGRAPH = /^(?: {4,}|\t| {0,3}(?:[-*+>|<]|\d{1,9}[.)][ \t]))/;
/** HTML whose lines are no Markdown, with what ends it. */
const RAW: readonly (readonly [RegExp, RegExp])[] = [
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<(?:pre|script|style|textarea)(?=[\s>]|$)/i, /<\/(?:pre|script|style|textarea)>/i],
];
/** Text with a line of dashes below is a heading, but nobody means so of a long paragraph. */
const LONGEST_HEADING = 200;

/**
 * Takes Markdown apart at its headings, ATX and setext, as CommonMark reads them: a `#` in code or in
 * an HTML comment is none. Every line belongs to one block.
 */
export function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  const open: string[] = [];
  let block: Block = { path: [], start: 0, content: 0, end: 0 };
  let paragraph = -1;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] as string;
    const past = afterLiteral(lines, i);
    if (past > i) {
      paragraph = -1;
      i = past - 1;
      continue;
    }
    const heading = headingAt(lines, i, paragraph);
    if (heading) {
      blocks.push({ ...block, end: heading.start });
      // Levels may be left out: what is open above stays.
      open.length = Math.min(open.length, heading.level - 1);
      open[heading.level - 1] = heading.text;
      const path = open.filter((text) => text !== undefined && text !== '');
      block = { path, start: heading.start, content: i + 1, end: i + 1 };
      paragraph = -1;
    } else if (line.trim() === '') {
      paragraph = -1;
    } else if (paragraph < 0 && !NO_PARAGRAPH.test(line)) {
      paragraph = i;
    } else if (NO_PARAGRAPH.test(line) && !/^(?: {4,}|\t)/.test(line)) {
      paragraph = -1;
    }
  }
  blocks.push({ ...block, end: lines.length });
  return blocks.filter(({ start, end }) => end > start);
}

/** The line after a code fence or raw HTML that begins here; the line itself where none does. */
export function afterLiteral(lines: readonly string[], at: number): number {
  const line = lines[at] as string;
  const fence = FENCE.exec(line)?.[1];
  if (fence !== undefined) {
    const closing = new RegExp(`^ {0,3}${fence[0]}{${fence.length},}[ \\t]*$`);
    return after(lines, at + 1, closing);
  }
  for (const [opening, closing] of RAW) if (opening.test(line)) return after(lines, at, closing);
  return at;
}

function after(lines: readonly string[], from: number, closing: RegExp): number {
  for (let i = from; i < lines.length; i++) if (closing.test(lines[i] as string)) return i + 1;
  return lines.length;
}

interface Heading {
  readonly level: number;
  readonly text: string;
  readonly start: number;
}

/** The text of an ATX heading without the `#` that may close it behind a blank. */
function withoutClosing(rest: string): string {
  const text = rest.trimEnd();
  let end = text.length;
  while (text[end - 1] === '#') end -= 1;
  const closes = end === 0 || /[ \t]/.test(text.charAt(end - 1));
  return (closes ? text.slice(0, end) : text).trim();
}

/** @param paragraph where the paragraph that this line would go on began; -1 = there is none */
function headingAt(lines: readonly string[], at: number, paragraph: number): Heading | undefined {
  const line = lines[at] as string;
  const atx = ATX.exec(line);
  if (atx) {
    const [before, marks = ''] = atx;
    return { level: marks.length, text: withoutClosing(line.slice(before.length)), start: at };
  }
  const underline = paragraph < 0 ? undefined : SETEXT.exec(line)?.[1];
  if (underline === undefined) return undefined;
  const text = lines.slice(paragraph, at).map((part) => part.trim());
  const whole = text.join(' ');
  if (whole.length > LONGEST_HEADING) return undefined;
  return { level: underline.startsWith('=') ? 1 : 2, text: whole, start: paragraph };
}
