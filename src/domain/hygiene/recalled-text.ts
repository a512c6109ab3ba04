import { vacuityOf } from './vacuous.ts';

/** A memory as recall rendered it (domain/block), found in a text that came back. */
export interface RecalledBlock {
  readonly id: string;
  /** Title and body, as they were before they were rendered. */
  readonly text: string;
  /** Its end is missing: it was cut short, by recall or on the way. */
  readonly isCut: boolean;
}

export type RecalledPart = RecalledBlock | string;

const OPENS =
  /^[ \t]*<memory id="([^"\n]{1,200})" type="[^"\n]*"(?: date="\d{4}-\d\d-\d\d")?(?: speaker="[^"\n]*")?( note="[^"\n]*")?>[ \t]*\n/gm;
const CLOSE = '\n</memory>';
const WRAPPER_OPENS = /^[ \t]*<loci-(?:memories|documents)>[ \t]*$/m;
const WRAPPER_CLOSES = /^[ \t]*<\/loci-(?:memories|documents)>[ \t]*$/m;
const TAGS = /^[ \t]*<\/?(?:loci-memories|loci-documents|memory)>[ \t]*$/gm;
/** Relations as recall lists them below a memory. */
const EDGES = /^- \S{1,100} \S{1,100} \S{1,100} \(confidence [\d.]{1,8}\)$/gm;
/** What stands right below recalled memories in an answer, and nowhere else. */
const REMARK =
  /^(?:The best of these matches little of the question\.|In no (?:memory|document) here: .*|The newest of these is of \d{4}-\d\d-\d\d\.|Stopped at the tier .*|Left out: .*|Times: .*|Read as .*|\d+ of \d+\..*|Warning: .*)$/;

/** The line above a memory that only announces it. */
const LEAD =
  /(?:^|\n)(?:#{1,6} [^\n]{1,80}|[^\n]{0,80}\b(?:recall|memor|remember|found|context|relevant)[^\n]{0,80}:)$/i;

/** Whether a text may hold what recall rendered: asked of every text, so it must cost nothing. */
export function mayHoldRecalled(text: string): boolean {
  return text.includes('<memory id="') || text.includes('<loci-');
}

/**
 * Takes a text apart into memories as recall rendered them and what stands around them. Headings and
 * leads (`Here is what I found:`) right above a memory belong to it, and so does everything else
 * inside of the wrapper: edges, histories, headings of a context.
 */
export function recalledParts(text: string): RecalledPart[] {
  const body = text.replace(/\r\n/g, '\n');
  const parts: RecalledPart[] = [];
  let isInside = false;
  let at = 0;
  const around = (end: number, isAbove: boolean): void => {
    const between = body.slice(at, end);
    // What stands below the last memory in a wrapper that is never closed is somebody's text, but edges.
    const isCutOff = !isAbove && isInside && !WRAPPER_CLOSES.test(between);
    const read = isCutOff ? between.replace(EDGES, '') : between;
    const { outside, endsInside } = outsideOf(read, isInside && !isCutOff);
    isInside = endsInside;
    const kept = isAbove ? withoutLeads(outside) : outside;
    if (kept !== '') parts.push(kept);
  };
  OPENS.lastIndex = 0;
  for (let open = OPENS.exec(body); open; open = OPENS.exec(body)) {
    const start = OPENS.lastIndex;
    const next = OPENS.exec(body)?.index ?? body.length;
    const close = body.slice(start - 1, next).indexOf(CLOSE);
    const isClosed = close >= 0;
    const end = isClosed ? Math.max(start, start - 1 + close) : next;
    around(open.index, true);
    const inner = body.slice(start, end).replace(TAGS, '').trim();
    parts.push({
      id: open[1] as string,
      text: unescaped(inner),
      isCut: !isClosed || inner.endsWith('…') || (open[2] ?? '').includes('cut short'),
    });
    at = isClosed ? start - 1 + close + CLOSE.length : end;
    OPENS.lastIndex = at;
  }
  around(body.length, false);
  return parts;
}

/** A heading and a lead above it: two at most, since what is further up is text. */
function withoutLeads(text: string): string {
  return text.replace(LEAD, '').trim().replace(LEAD, '').trim();
}

/** What of a text stands outside of the wrapper, without our tags and remarks. */
function outsideOf(text: string, isInside: boolean): { outside: string; endsInside: boolean } {
  let outside = '';
  let rest = text;
  let inside = isInside;
  for (;;) {
    const mark = (inside ? WRAPPER_CLOSES : WRAPPER_OPENS).exec(rest);
    if (!mark) break;
    if (!inside) outside += rest.slice(0, mark.index);
    rest = rest.slice(mark.index + mark[0].length);
    if (inside) rest = withoutRemarks(rest);
    inside = !inside;
  }
  if (!inside) outside += rest;
  const plain = outside.replace(TAGS, '').trim();
  return { outside: vacuityOf(plain) === undefined ? plain : '', endsInside: inside };
}

/** @param below what stands below a wrapper */
function withoutRemarks(below: string): string {
  const lines = below.split('\n');
  let last = -1;
  for (const [i, line] of lines.entries()) {
    if (REMARK.test(line)) last = i;
    else if (line.trim() !== '') break;
  }
  return last < 0 ? below : lines.slice(last + 1).join('\n');
}

/** Whether a block says what a memory says, or said: whole, or its beginning if it was cut. */
export function isTextOf(
  { text, isCut }: RecalledBlock,
  { title, body }: { readonly title?: string | undefined; readonly body: string },
): boolean {
  const whole = [body, ...(title === undefined ? [] : [`${title}\n${body}`])].map((one) =>
    one.replace(/\r\n/g, '\n').trim(),
  );
  if (whole.includes(text)) return true;
  const beginning = text.replace(/…$/, '').trimEnd();
  return isCut && beginning.length > 0 && whole.some((one) => one.startsWith(beginning));
}

function unescaped(text: string): string {
  return text.replace(/&lt;(?=\s*(?:\/\s*)?(?:memory|loci))/gi, '<');
}

const ID = '[A-Z]{4}-\\d{4}-\\d\\d-\\d\\d(?:-[A-Z0-9]+)+';
const LEADS = new RegExp(
  `^(?:[-*•]\\s+|\\[${ID}\\]:?\\s*|\\(${ID}\\):?\\s*|${ID}:\\s*|` +
    '(?:recalled|from memory|memory|as remembered|i recall(?:ed)?|stored memory)(?:\\s+' +
    `[[(]?${ID}[\\])]?)?\\s*:\\s*)`,
  'i',
);
const TRAILS = new RegExp(`(?:\\[${ID}\\]|\\(${ID}\\)|[—–-]+\\s*${ID})\\s*\\.?$`);
/** Characters at the end of a text in which an id is looked for. */
const MOST_TRAIL = 200;
const QUOTES: readonly RegExp[] = [
  /^"([^"]*)"$/s,
  /^“([^”]*)”$/s,
  /^«([^»]*)»$/s,
  /^`([^`]*)`$/s,
  /^```[^\n`]*\n(.*)\n```$/s,
];

/**
 * The text inside of what people and agents put around a memory that they cite: quotation marks, `>`,
 * its id, `From memory:`; undefined where there is nothing of that.
 */
export function unquoted(text: string): string | undefined {
  const body = text.replace(/\r\n/g, '\n').trim();
  let inner = body;
  for (let i = 0; i < 4; i++) {
    const before = inner;
    const lines = inner.split('\n');
    if (lines.every((line) => line.startsWith('>'))) {
      inner = lines.map((line) => line.replace(/^> ?/, '')).join('\n');
    }
    for (const quote of QUOTES) inner = quote.exec(inner)?.[1] ?? inner;
    inner = withoutTrail(inner.replace(LEADS, '')).trim();
    if (inner === before) break;
  }
  return inner === body || inner === '' ? undefined : inner;
}

/** Only its end is searched: a pattern that ends there would be tried at every character. */
function withoutTrail(text: string): string {
  const from = Math.max(0, text.length - MOST_TRAIL);
  return text.slice(0, from) + text.slice(from).replace(TRAILS, '');
}
