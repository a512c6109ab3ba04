import { LociError } from './errors.ts';
import { toIso } from './time.ts';

/**
 * Refuses to tell how things were at a time of which the log does not know any more.
 * @param what the time that was asked for, as its option is called
 * @throws LociError invalid_input that names the horizon
 */
export function requireWithinHorizon(what: string, ms: number, horizon: string | undefined): void {
  if (horizon === undefined || ms >= Date.parse(horizon)) return;
  throw new LociError(
    'invalid_input',
    `${what} is ${toIso(ms)}, and the log was compacted: it tells how things were from ${horizon} on`,
    'Ask for a later time, or ask a copy of the store that was not compacted.',
  );
}
