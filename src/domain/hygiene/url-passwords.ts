import type { Span } from './span.ts';
import { isBlanked } from './secret-value.ts';

const URL = /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'`<>]{3,2048}/gi;
/** Words that stand for the password in examples. */
const EXAMPLE = /^(?:pass(?:word|wd)?|pwd|secret|token|[<[{$%*].*|\.+|x+)$/i;

/** Passwords in URLs such as `postgres://user:password@host/db`; the rest of the URL stays. */
export function urlPasswords(text: string): Span[] {
  return [...text.matchAll(URL)].flatMap(({ 0: url, index }) => {
    const from = url.indexOf('://') + 3;
    const span = passwordIn(url, from);
    if (!span) return [];
    const password = url.slice(span.start, span.end);
    if (EXAMPLE.test(password) || isBlanked(password)) return [];
    return [{ start: index + span.start, end: index + span.end, kind: 'url-password' }];
  });
}

/** In an URL whose authority begins at `from`. A password may hold `@`, and by mistake `/`, too. */
function passwordIn(url: string, from: number): { start: number; end: number } | undefined {
  const path = from + url.slice(from).search(/[/?#]|$/);
  const at = url.lastIndexOf('@', path - 1);
  const colon = url.indexOf(':', from);
  if (colon < 0 || colon > path) return undefined;
  if (at > colon) return at > colon + 1 ? { start: colon + 1, end: at } : undefined;
  if (/^\d{1,5}(?:[/?#]|$)/.test(url.slice(colon + 1, colon + 7))) return undefined;
  const late = url.indexOf('@', path);
  return late < 0 ? undefined : { start: colon + 1, end: late };
}
