import { redact } from './hygiene/redact.ts';

/** The closed set of error codes; every surface maps them in one table of its own. */
export const ERROR_CODES = [
  'invalid_input',
  'not_found',
  'conflict',
  'busy',
  'unavailable',
  'unsupported',
  'denied',
  'corrupt',
  'cancelled',
  'internal',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/**
 * The one error class of Loci. `message` names the field and the value that were wrong, `hint`
 * the next step. Both may be shown to anyone: what looks like a secret in them is taken out here,
 * whoever wrote them.
 */
export class LociError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, hint?: string, options?: ErrorOptions) {
    super(redact(message).text, options);
    this.name = 'LociError';
    this.code = code;
    this.hint = hint === undefined ? undefined : redact(hint).text;
  }

  /** The form every surface prints: `{code, message, hint}`. */
  toJSON(): { code: ErrorCode; message: string; hint?: string } {
    return { code: this.code, message: this.message, ...(this.hint ? { hint: this.hint } : {}) };
  }
}

/** Whatever was thrown, as a LociError; an unknown failure becomes `internal` and keeps its cause. */
export function asLociError(thrown: unknown): LociError {
  if (thrown instanceof LociError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new LociError('internal', message, 'This is a fault of Loci; please report it.', {
    cause: thrown,
  });
}

/**
 * Shortens a value that a message quotes, so that a large input does not flood the caller. Secrets go
 * first: half of one would no longer be known for what it is.
 */
export function quote(value: unknown): string {
  const plain = typeof value === 'string' ? JSON.stringify(redact(value).text) : undefined;
  const text = plain ?? redact(String(JSON.stringify(value))).text;
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
