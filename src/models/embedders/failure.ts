/**
 * What went wrong with a request, and so what to do about it:
 * - unreachable: no connection or no answer in time. Tried again; then left alone for a while.
 * - overloaded: it says that it cannot now (429, 502 to 504). The same.
 * - failed: it answered with an error of its own (other 5xx). Tried again.
 * - rejected: the request or the answer is wrong. The same request would be again.
 * - too-long: rejected, perhaps because a text is too long (400, 413, 422).
 */
export type FailureKind = 'unreachable' | 'overloaded' | 'failed' | 'rejected' | 'too-long';

/** How providers report what went wrong; callers of an embedder get a LociError made from it. */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly hint: string | undefined;
  /** How long the server asks to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: FailureKind,
    message: string,
    { hint, retryAfterMs }: { readonly hint?: string; readonly retryAfterMs?: number } = {},
  ) {
    super(message);
    this.name = 'Failure';
    this.kind = kind;
    this.hint = hint;
    this.retryAfterMs = retryAfterMs;
  }
}
