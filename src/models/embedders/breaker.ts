import type { LociError } from '../../domain/errors.ts';
import type { Failure } from './failure.ts';

/**
 * So many errors in a row, answered at once, also mean that it does not work now. One bad text of a
 * batch of 64 makes seven, until it stands alone; two of them no more than this.
 */
const ANSWERED_ERRORS = 14;

/**
 * A circuit breaker: after a call that got no answer, all attempts counted, the next ones fail at
 * once for a while, so that no recall waits for a dead server each time. Errors that the server
 * answered may be a text's own fault, so that only many of them count.
 */
export class Breaker {
  readonly #pauseMs: number;
  #untilMs = 0;
  #errors = 0;
  #last: LociError | undefined;

  constructor(pauseMs: number) {
    this.#pauseMs = pauseMs;
  }

  /** @throws LociError the last error, while the pause lasts */
  pass(): void {
    if (this.#last && performance.now() < this.#untilMs) throw this.#last;
  }

  closed(): void {
    this.#errors = 0;
    this.#last = undefined;
  }

  failed(failure: Failure, error: LociError): void {
    this.#errors++;
    const noAnswer = failure.kind === 'unreachable' || failure.kind === 'overloaded';
    if (!noAnswer && this.#errors < ANSWERED_ERRORS) return;
    const askedMs = Math.min(failure.retryAfterMs ?? 0, 10 * this.#pauseMs);
    this.#untilMs = performance.now() + Math.max(this.#pauseMs, askedMs);
    this.#last = error;
  }
}
