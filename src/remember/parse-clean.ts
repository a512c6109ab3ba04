import { LociError } from '../domain/errors.ts';
import { parseInput, snakeCase } from '../domain/parse.ts';
import { sanitiseText } from '../domain/sanitise.ts';

/**
 * Parses a caller's input and takes out of its texts what no store can hold.
 * @returns the fields, and a note for each that was changed
 * @throws LociError invalid_input; also for a text of which nothing is left
 */
export function parseClean<T extends object>(
  schema: Parameters<typeof parseInput<T>>[0],
  input: unknown,
  what: string,
): { fields: T; notes: string[] } {
  const notes: string[] = [];
  const cleaned = Object.entries(parseInput(schema, input, what)).map(([key, value]) => {
    const field = snakeCase(key);
    let changed = false;
    const clean = cleanTexts(value, (isEmptied) => {
      changed = true;
      if (!isEmptied) return;
      throw new LociError(
        'invalid_input',
        `${what}: ${field} is empty but for characters that cannot be kept`,
        'Leave out NUL characters.',
      );
    });
    if (changed) notes.push(`${field}: NUL characters or lone surrogates were removed`);
    return [key, clean];
  });
  return { fields: Object.fromEntries(cleaned) as T, notes };
}

/** The same value with every text in it sanitised, keys too; keys that JavaScript minds are left out. */
function cleanTexts(value: unknown, onChange: (isEmptied: boolean) => void): unknown {
  if (typeof value === 'string') {
    const { text, changed } = sanitiseText(value);
    if (changed) onChange(text === '');
    return text;
  }
  if (Array.isArray(value)) return value.map((item) => cleanTexts(item, onChange));
  if (typeof value !== 'object' || value === null) return value;
  const fields: [string, unknown][] = [];
  for (const [key, field] of Object.entries(value)) {
    const { text } = sanitiseText(key);
    if (text !== key || key === '__proto__') onChange(false);
    if (key !== '__proto__') fields.push([text, cleanTexts(field, onChange)]);
  }
  return Object.fromEntries(fields);
}
