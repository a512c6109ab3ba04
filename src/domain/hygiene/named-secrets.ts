import type { Span } from './span.ts';
import { isRandom, isSecretValue } from './secret-value.ts';

/** Names of what a person chose, folded to small letters. */
const PASSWORDS = [
  'password',
  'passwd',
  'passcode',
  'passphrase',
  'pass phrase',
  'pass-phrase',
  'pwd',
  'passwort',
  'kennwort',
  'contraseña',
  'mot de passe',
  'senha',
  'wachtwoord',
  'hasło',
  'пароль',
  '密码',
  '口令',
  'パスワード',
  '비밀번호',
];
/** Names of what a machine made. Whatever leads a name (`DB_PASSWORD`, `clientSecret`) is part of it. */
const MACHINE_MADE = ['authorization', 'token', 'secret', 'credential', 'credentials', 'key'];
const HAS_NAME = new RegExp([...PASSWORDS, ...MACHINE_MADE].join('|'));
/** A key of this kind opens something; a key of a map, a public or an idempotency key does not. */
const KEY_OF =
  /(?:api|access|secret|private|auth|signing|encryption|master|account|storage|service)[ _-]?$/;

/** Between the name and its value, as configuration writes it. */
const ASSIGNED = /\\?["'`]?\s{0,4}(?::=|=>|->|==?|[:：])\s{0,4}/y;
/** The same in a sentence: `password for the staging db is`, `token was changed to`. */
const SAID =
  /["'`]?(?:\s+(?:for|of|to|on|at|in|für|para|pour)\s+[^\n.:;=]{1,48}?)?(?:\s+(?:is|was|ist|war|lautet|es|est|é|è)(?:\s+(?:now|still|set\s+to|changed\s+to))?|\s+(?:(?:changed|set)\s+)?to|\s*[是为は는은])\s*[:：]?\s*/y;
/** Nothing but a blank: `--password x`, `with password x`. */
const BESIDE = /\s{1,4}/y;
const LEAD = /(?:^|[\s"'`;(?&,])[\w.-]*$/;
const MOST = 512;

interface Name {
  readonly start: number;
  readonly end: number;
  readonly word: string;
  readonly isPassword: boolean;
}

/** Secrets that are known by the name before them. */
export function namedSecrets(text: string): Span[] {
  const spans: Span[] = [];
  let past = 0;
  for (const name of namesIn(text)) {
    if (name.start < past) continue;
    const span = valueAfter(text, name);
    if (!span) continue;
    spans.push({ ...span, kind: kindOf(name.word) });
    past = span.end;
  }
  return spans;
}

/** The kind of secret that a field of this name holds, if its value is one. */
export function secretOfField(field: string, value: string): string | undefined {
  const name = namesIn(field).find(({ end }) => end === field.length);
  if (!name) return undefined;
  const { word, isPassword } = name;
  const form = { isPassword, isQuoted: true, isTight: false, isWholeLine: true };
  return isSecretValue(value, form) ? kindOf(word) : undefined;
}

/** Where names stand, in order. */
function namesIn(text: string): Name[] {
  const lower = lowered(text);
  if (!HAS_NAME.test(lower)) return [];
  const names: Name[] = [];
  const look = (word: string, isPassword: boolean): void => {
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + word.length)) {
      const end = at + word.length;
      if (/[a-z]$/.test(word) && /[a-z0-9]/.test(lower[end] ?? '')) continue;
      if (word === 'key' && !KEY_OF.test(lower.slice(Math.max(0, at - 12), at))) continue;
      names.push({ start: at, end, word, isPassword });
    }
  };
  for (const word of PASSWORDS) look(word, true);
  for (const word of MACHINE_MADE) look(word, false);
  return names.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** In small letters, each where it was: a few capitals would become two characters. */
function lowered(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return text.replace(/[A-ZÀ-ÞА-Я]/g, (letter) => letter.toLowerCase());
}

function kindOf(word: string): string {
  if (word === 'credentials') return 'credential';
  return MACHINE_MADE.includes(word) ? word : 'password';
}

function valueAfter(text: string, name: Name): Omit<Span, 'kind'> | undefined {
  const { start, end, isPassword } = name;
  const assigned = endOf(ASSIGNED, text, end);
  if (assigned !== undefined) {
    const between = text.slice(end, assigned);
    const line = lineBefore(text, start);
    // `DB_PASSWORD=`, not `if (a.password=`.
    const isTight = between === '=' && LEAD.test(line);
    const isLoneLine = /^\s*(?:[-*]\s+)?["'`]?[\w .-]*$/.test(line);
    return read(text, assigned, { isPassword, isTight, isLoneLine, isBeside: false });
  }
  const form = { isPassword, isTight: false, isLoneLine: false };
  const said = endOf(SAID, text, end);
  const span = said === undefined ? undefined : read(text, said, { ...form, isBeside: false });
  if (span) return span;
  const beside = endOf(BESIDE, text, end);
  return beside === undefined ? undefined : read(text, beside, { ...form, isBeside: true });
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** What stands on the line before a position, as far as it matters. */
function lineBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - 80), at);
  return before.slice(before.lastIndexOf('\n') + 1);
}

interface Reading {
  readonly isPassword: boolean;
  readonly isTight: boolean;
  readonly isLoneLine: boolean;
  readonly isBeside: boolean;
}

const OPENS = /^\\?["'`“„«]/;
const CLOSES: Readonly<Record<string, string>> = { '“': '”', '„': '“', '«': '»' };

function read(text: string, from: number, reading: Reading): Omit<Span, 'kind'> | undefined {
  const { isPassword, isTight, isLoneLine, isBeside } = reading;
  const quote = OPENS.exec(text.slice(from, from + 2))?.[0];
  const start = from + (quote?.length ?? 0);
  const ahead = text.slice(start, start + MOST);
  const raw = quote === undefined ? unquoted(ahead, isTight) : quoted(ahead, quote);
  if (raw === undefined) return undefined;
  const end = start + raw.length;
  const isWholeLine = isLoneLine && /^\s*[,;]?\s*(?:\n|$)/.test(text.slice(end, end + 8));
  // In `use the token abc` only what nobody would write as a word counts.
  if (isBeside && quote === undefined && !isKeyLike(raw, isPassword)) return undefined;
  const form = { isPassword, isQuoted: quote !== undefined, isTight, isWholeLine };
  if (isBeside && quote !== undefined && !isPassword && !isRandom(raw)) return undefined;
  return isSecretValue(raw, form) ? { start, end } : undefined;
}

function isKeyLike(value: string, isPassword: boolean): boolean {
  return isRandom(value) && value.length >= (isPassword ? 6 : 16);
}

function quoted(ahead: string, quote: string): string | undefined {
  const mark = quote.at(-1) as string;
  const end = ahead.indexOf(CLOSES[mark] ?? mark);
  if (end <= 0 || ahead.lastIndexOf('\n', end) >= 0) return undefined;
  return quote.startsWith('\\') && ahead[end - 1] === '\\'
    ? ahead.slice(0, end - 1)
    : ahead.slice(0, end);
}

function unquoted(ahead: string, isTight: boolean): string | undefined {
  const run = (isTight ? /^[^\s"'`&;,]+/ : /^[^\s"'`]+/).exec(ahead)?.[0];
  const value = run?.replace(/[.,;:!?)\]}>。、，；]+$/, '');
  return value === '' ? undefined : value;
}
