import { namedSecrets } from './named-secrets.ts';
import { privateKeys } from './private-keys.ts';
import { HAS_MARK, SECRET_FORMATS } from './secret-formats.ts';
import { isBlanked, isRandom } from './secret-value.ts';
import type { Span } from './span.ts';
import { urlPasswords } from './url-passwords.ts';

export interface Redacted {
  readonly text: string;
  /** The kind of each secret that was taken out, in order; empty = the text is as it was. */
  readonly kinds: readonly string[];
}

const HEADER = /\b(bearer|basic)\s{1,4}([\w+/=.~-]{10,})/gi;
const HAS_SCHEME = /[Bb]earer|[Bb]asic|BEARER|BASIC/;
const LOGIN =
  /\b(?:curl|wget|https?)\b[^\n]{0,120}?\s(?:-u|--user)[ =]["']?[^\s:"']{1,64}:([^\s"']{3,})/g;
const MOST_PASSES = 5;
/** A secret access key of AWS has no mark of its own, but stands beside the id of the key. */
const AWS_SECRET = /(?<![\w/+=])[A-Za-z0-9/+]{40}(?![\w/+=])/g;

/**
 * Takes the secrets out of a text and leaves a visible placeholder for each: `[redacted:github-token]`.
 * The sentence stays. Pure, and linear in the length of the text. Hashes, UUIDs, versions and
 * placeholders such as `${TOKEN}` are no secrets by themselves.
 */
export function redact(text: string): Redacted {
  const kinds: string[] = [];
  let clean = text;
  // Once more where something was found: a key may have stood right behind another one.
  for (let i = 0; i < MOST_PASSES; i++) {
    const spans = merged(spansIn(clean));
    if (spans.length === 0) break;
    clean = without(clean, spans);
    kinds.push(...spans.map(({ kind }) => kind));
  }
  return { text: clean, kinds };
}

function without(text: string, spans: readonly Span[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, kind } of spans) {
    parts.push(text.slice(at, start), placeholder(kind));
    at = end;
  }
  return [...parts, text.slice(at)].join('');
}

export function placeholder(kind: string): string {
  return `[redacted:${kind}]`;
}

/** In the order in which a kind wins where two rules meet. */
function spansIn(text: string): Span[] {
  const spans: Span[] = text.includes('PRIVATE KEY') ? privateKeys(text) : [];
  if (HAS_MARK.test(text)) spans.push(...formatted(text));
  if (text.includes('://')) spans.push(...urlPasswords(text));
  if (HAS_SCHEME.test(text)) spans.push(...headers(text));
  spans.push(...namedSecrets(text));
  if (text.includes(' -u') || text.includes('--user')) spans.push(...logins(text));
  return spans;
}

function formatted(text: string): Span[] {
  const spans: Span[] = [];
  for (const { kind, marks, isLoose, pattern } of SECRET_FORMATS) {
    if (!marks.some((mark) => text.includes(mark))) continue;
    for (const found of text.matchAll(pattern)) {
      const secret = found[1] ?? found[0];
      if (isBlanked(secret) || (isLoose && !isRandom(secret))) continue;
      const start = found.index + found[0].length - secret.length;
      spans.push({ start, end: start + secret.length, kind });
    }
  }
  const isAws = spans.some(({ kind }) => kind === 'aws-access-key');
  return isAws ? [...spans, ...awsSecrets(text)] : spans;
}

function awsSecrets(text: string): Span[] {
  return [...text.matchAll(AWS_SECRET)]
    .filter(([key]) => /[A-Z]/.test(key) && /[g-z]/.test(key) && /\d/.test(key))
    .map(({ index }) => ({ start: index, end: index + 40, kind: 'aws-secret-key' }));
}

function headers(text: string): Span[] {
  return [...text.matchAll(HEADER)].flatMap(({ 0: all, 1: scheme = '', 2: value = '', index }) => {
    if (!isRandom(value)) return [];
    const start = index + all.length - value.length;
    const kind = scheme.toLowerCase() === 'basic' ? 'basic-auth' : 'bearer-token';
    return [{ start, end: index + all.length, kind }];
  });
}

function logins(text: string): Span[] {
  return [...text.matchAll(LOGIN)].flatMap(({ 0: all, 1: value = '', index }) => {
    if (/^\d+$/.test(value) || /^[<$*{]/.test(value)) return [];
    return [
      { start: index + all.length - value.length, end: index + all.length, kind: 'password' },
    ];
  });
}

/** Spans in the order of the text; where some meet they become one, of the kind that came first. */
function merged(spans: readonly Span[]): Span[] {
  const rank = new Map(spans.map((span, i) => [span, i]));
  const sorted = [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  const result: { span: Span; by: number }[] = [];
  for (const span of sorted) {
    const last = result.at(-1);
    const by = rank.get(span) as number;
    if (!last || span.start >= last.span.end) {
      result.push({ span, by });
      continue;
    }
    const end = Math.max(last.span.end, span.end);
    const kind = by < last.by ? span.kind : last.span.kind;
    result[result.length - 1] = { span: { ...last.span, end, kind }, by: Math.min(by, last.by) };
  }
  return result.map(({ span }) => span);
}
