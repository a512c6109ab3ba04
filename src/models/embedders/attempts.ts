import { sleep } from './deadline.ts';
import { Failure } from './failure.ts';

export interface Patience {
  /** How often at most, the first time included. */
  readonly attempts: number;
  /** Pause before the second attempt; each further one is twice as long. Half of it is jitter. */
  readonly backoffMs: number;
  /** When there is no more time, by `performance.now()`. */
  readonly endMs: number;
}

/**
 * Tries again what may go better a second time, waiting as long as the server asks for. Gives up
 * at once if the wait would end after the deadline.
 */
export async function withAttempts<T>(
  patience: Patience,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || attempt >= patience.attempts) throw error;
      const backoffMs = patience.backoffMs * 2 ** (attempt - 1);
      const waitMs = Math.max(backoffMs * (0.5 + Math.random() / 2), error.retryAfterMs ?? 0);
      if (performance.now() + waitMs >= patience.endMs) throw error;
      await sleep(waitMs, signal);
    }
  }
}

function isPassing(error: unknown): error is Failure {
  return error instanceof Failure && !['rejected', 'too-long'].includes(error.kind);
}
