import { stripVTControlCharacters } from 'node:util';

/**
 * Text that came from memories, made safe for a terminal: escape sequences and control characters
 * are dropped, so that no stored text can move the cursor, recolour or retitle.
 */
export function plain(text: string): string {
  return stripVTControlCharacters(text.replaceAll('\r\n', '\n')).replace(CONTROLS, '');
}

/** All but tab and newline, and the marks that reverse the direction of what follows. */
const CONTROLS = /(?![\t\n])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Every text of a result, made safe; done once, before anything is laid out or coloured. */
export function plainAll<T>(value: T): T {
  if (typeof value === 'string') return plain(value) as T;
  if (Array.isArray(value)) return value.map(plainAll) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [plain(key), plainAll(inner)]),
  ) as T;
}

/** JSON escapes C0 only; a terminal may also take C1 for commands. */
export function plainJson(json: string): string {
  return json.replace(
    /(?!\n)\p{Cc}/gu,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );
}
