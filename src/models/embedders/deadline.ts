import { LociError } from '../../domain/errors.ts';
import { Failure } from './failure.ts';

/**
 * Runs work that is given up when its time is over or the caller no longer wants it, also where the
 * work itself does not look at its signal.
 * @throws LociError cancelled; Failure unreachable when the time is over
 */
export async function withDeadline<T>(
  ms: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  throwIfCancelled(outer);
  const inner = new AbortController();
  let give: ((reason: Error) => void) | undefined;
  const given = new Promise<never>((_, reject) => (give = reject));
  const stop = (reason: Error): void => {
    give?.(reason);
    inner.abort(reason);
  };
  const late = () => stop(new Failure('unreachable', `did not answer within ${ms / 1000} s`));
  const timer = setTimeout(late, ms);
  const cancel = () => stop(cancelled());
  outer?.addEventListener('abort', cancel, { once: true });
  try {
    const working = work(inner.signal);
    working.catch(() => {}); // Its failure after the deadline is nobody's.
    return await Promise.race([working, given]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', cancel);
  }
}

/** Waits for work that goes on for others when this caller no longer wants it. */
export async function unlessCancelled<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  throwIfCancelled(signal);
  if (!signal) return work;
  let cancel: (() => void) | undefined;
  const given = new Promise<never>((_, reject) => {
    cancel = () => reject(cancelled());
    signal.addEventListener('abort', cancel, { once: true });
  });
  try {
    return await Promise.race([work, given]);
  } finally {
    if (cancel) signal.removeEventListener('abort', cancel);
  }
}

/** @throws whatever the signal was aborted with */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}

export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw cancelled();
}

function cancelled(): LociError {
  return new LociError('cancelled', 'embedding was cancelled');
}
