import type { Step } from '../../domain/decide/steps.ts';
import { LociError, quote } from '../../domain/errors.ts';
import { isMemoryEvent } from '../../domain/event.ts';
import { foldSubject } from '../../domain/evolve.ts';
import type { Memory, StoredMemory } from '../../domain/memory.ts';
import type { View } from '../../domain/view.ts';
import type { Deps } from '../../ports/deps.ts';
import type { Verdict } from './resolve.ts';

/**
 * Settles what concurrent edits of one memory left: the next event builds on all of its versions.
 * What only one of them changed stays joined; what they dispute is taken from the one that is kept.
 */
export async function settleEdits(
  conflict: Memory,
  verdict: Verdict,
  view: View,
  { engine }: Pick<Deps, 'engine'>,
): Promise<Step> {
  const subject = conflict.relations[0]?.target ?? '';
  const [stored] = await engine.get([subject], view);
  const history = (await engine.history(subject)).filter(isMemoryEvent);
  const { memory } = stored as StoredMemory;
  const { disputed = [] } = foldSubject(history) ?? {};
  const heads = (stored as StoredMemory).heads;
  if (verdict.both) {
    throw new LociError(
      'invalid_input',
      `resolve: both is given for two versions of ${subject}, of which one must hold`,
      'Give keep with the id of an event, or body with the text that joins them.',
    );
  }
  const kept = history.find(({ id }) => id === verdict.keep && heads.includes(id));
  if (verdict.keep !== undefined && !kept) {
    throw new LociError(
      'invalid_input',
      `resolve: keep is ${quote(verdict.keep)}, which is no version of ${subject}`,
      `Give one of ${heads.join(', ')}.`,
    );
  }
  const chosen = kept ? withFields(memory, kept.data, disputed) : memory;
  return {
    rule: 'resolve',
    kind: 'memory.updated',
    reason: verdict.reason,
    before: memory,
    after: verdict.body === undefined ? chosen : { ...chosen, body: verdict.body },
  };
}

function withFields(memory: Memory, from: Memory, fields: readonly string[]): Memory {
  const entries = new Map<string, unknown>(Object.entries(memory));
  const source = new Map<string, unknown>(Object.entries(from));
  for (const field of fields) {
    if (source.has(field)) entries.set(field, source.get(field));
    else entries.delete(field);
  }
  return Object.fromEntries(entries) as unknown as Memory;
}
