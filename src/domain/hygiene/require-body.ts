import { LociError, quote } from '../errors.ts';
import type { MemoryFields } from '../inputs.ts';
import { vacuityOf } from './vacuous.ts';

type Said = Pick<MemoryFields, 'body' | 'title' | 'speaker' | 'turn' | 'type'>;

/**
 * Whether a text says something; turns of a conversation are kept as they were.
 * @throws LociError invalid_input
 */
export function requireBody({ body, title, speaker, turn, type }: Said): void {
  if (body === undefined) return;
  if (body.trim() === '') {
    throw new LociError('invalid_input', 'body is empty', 'Give the text to remember.');
  }
  if (speaker !== undefined || turn !== undefined || type === 'episode') return;
  const why = vacuityOf(body);
  if (why === undefined || (title !== undefined && vacuityOf(title) === undefined)) return;
  throw new LociError(
    'invalid_input',
    `body is ${quote(body)}: ${why}`,
    'Say what is so, in a sentence that is clear on its own.',
  );
}
