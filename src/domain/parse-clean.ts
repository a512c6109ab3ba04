import { LociError } from './errors.ts';
import { secretOfField } from './hygiene/named-secrets.ts';
import { placeholder, redact } from './hygiene/redact.ts';
import { redactionText, tally, type Redaction } from './hygiene/redaction.ts';
import { parseInput, snakeCase } from './parse.ts';
import { sanitiseText } from './sanitise.ts';

/** Whether secrets are taken out of what is written, or kept as the owner of the store wishes. */
export type SecretsPolicy = 'redact' | 'keep';

export interface Clean<T> {
  readonly fields: T;
  /** One for each field that was changed. */
  readonly notes: readonly string[];
  /** The secrets that were taken out, by kind. */
  readonly redacted: readonly Redaction[];
  /** Fields, in the library's spelling, that held a secret. */
  readonly held: ReadonlySet<string>;
}

/**
 * Parses a caller's input and takes out of its texts what must not be written: secrets, and
 * characters that no store can hold.
 * @throws LociError invalid_input; also for a text of which nothing is left
 */
export function parseClean<T extends object>(
  schema: Parameters<typeof parseInput<T>>[0],
  input: unknown,
  what: string,
  policy: SecretsPolicy = 'redact',
): Clean<T> {
  const notes: string[] = [];
  const kinds: string[] = [];
  const held = new Set<string>();
  const cleaned = Object.entries(parseInput(schema, input, what)).map(([key, value]) => {
    const field = snakeCase(key);
    const cleaner = new Cleaner(policy, () => {
      throw new LociError(
        'invalid_input',
        `${what}: ${field} is empty but for characters that cannot be kept`,
        'Leave out NUL characters.',
      );
    });
    const clean = cleaner.clean(value);
    if (cleaner.changed) notes.push(`${field}: NUL characters or lone surrogates were removed`);
    if (cleaner.kinds.length > 0) {
      notes.push(`${field}: secrets were redacted: ${redactionText(tally(cleaner.kinds))}`);
      kinds.push(...cleaner.kinds);
      held.add(key);
    }
    return [key, clean];
  });
  return { fields: Object.fromEntries(cleaned) as T, notes, redacted: tally(kinds), held };
}

/** Cleans all texts of one field. */
class Cleaner {
  /** Characters that cannot be kept were taken out. */
  changed = false;
  readonly kinds: string[] = [];
  readonly #policy: SecretsPolicy;
  readonly #refuseEmptied: () => void;

  constructor(policy: SecretsPolicy, refuseEmptied: () => void) {
    this.#policy = policy;
    this.#refuseEmptied = refuseEmptied;
  }

  /** The same value with every text in it clean, keys too; keys that JavaScript minds are left out. */
  clean(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) return value.map((item) => this.clean(item));
    if (typeof value !== 'object' || value === null) return value;
    const fields: [string, unknown][] = [];
    for (const [key, field] of Object.entries(value)) {
      const { text } = sanitiseText(key);
      if (text !== key || key === '__proto__') this.changed = true;
      if (key === '__proto__') continue;
      const name = this.#redacted(text);
      fields.push([name, this.#named(name, field)]);
    }
    return Object.fromEntries(fields);
  }

  #text(value: string): string {
    const { text, changed } = sanitiseText(value);
    if (changed) this.changed = true;
    if (changed && text === '') this.#refuseEmptied();
    return this.#redacted(text);
  }

  #redacted(text: string): string {
    if (this.#policy === 'keep') return text;
    const clean = redact(text);
    this.kinds.push(...clean.kinds);
    return clean.text;
  }

  /** A value under a name that says what it is: `{ password: … }`. */
  #named(name: string, value: unknown): unknown {
    const clean = this.clean(value);
    if (typeof clean !== 'string' || clean !== value || this.#policy === 'keep') return clean;
    const kind = secretOfField(name, clean);
    if (kind === undefined) return clean;
    this.kinds.push(kind);
    return placeholder(kind);
  }
}
