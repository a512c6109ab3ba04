import type { Span } from './span.ts';

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** What a key that was cut off goes on with: lines of base 64 or headers, and half of an end. */
const BODY =
  /(?:(?:\r?\n|\\r|\\n)[ \t>]*(?:[A-Za-z0-9+/=]*(?=\s|\\|$)|(?:Proc-Type|DEK-Info|Version|Comment): [^\n]*|-{1,5}(?:E|EN|END[A-Z0-9 ]{0,60})?$))*/y;

/** Private keys in PEM, the whole block; one whose end is missing goes as far as it reads like a key. */
export function privateKeys(text: string): Span[] {
  const spans: Span[] = [];
  let hasEnd = true;
  BEGIN.lastIndex = 0;
  for (let begin = BEGIN.exec(text); begin; begin = BEGIN.exec(text)) {
    const body = begin.index + begin[0].length;
    END.lastIndex = body;
    const end: RegExpExecArray | null = hasEnd ? END.exec(text) : null;
    // Without an end after this one there is none after the next either.
    hasEnd &&= end !== null;
    const until = end ? end.index + end[0].length : endOfBody(text, body);
    spans.push({ start: begin.index, end: until, kind: 'private-key' });
    BEGIN.lastIndex = until;
  }
  return spans;
}

function endOfBody(text: string, from: number): number {
  BODY.lastIndex = from;
  BODY.test(text);
  const end = Math.max(from, BODY.lastIndex);
  return from + text.slice(from, end).trimEnd().length;
}
