import type { Step } from '../../domain/decide/steps.ts';
import { LociError, quote } from '../../domain/errors.ts';
import { requireBody } from '../../domain/hygiene/require-body.ts';
import { parseClean } from '../../domain/parse-clean.ts';
import type { ResolveOptions } from '../../domain/upkeep-inputs.ts';
import { resolveOptions } from '../../domain/upkeep-options.ts';
import type { ResolveResult } from '../../domain/upkeep-results.ts';
import type { View } from '../../domain/view.ts';
import type { Deps } from '../../ports/deps.ts';
import { confinedView } from '../../ports/scope.ts';
import { carryOut } from '../carry-out.ts';
import { isDerived } from '../reflect/find-conflicts.ts';
import { runResult } from '../run-plan.ts';
import { settleEdits } from './settle-edits.ts';
import { settleNoted, settlePair } from './settle-memories.ts';

/** What somebody says of a conflict: exactly one of the first two, or a text. */
export interface Verdict {
  readonly keep?: string | undefined;
  readonly both?: boolean | undefined;
  readonly body?: string | undefined;
  readonly reason: string;
}

/**
 * Settles a conflict as a run: of two memories the one that holds supersedes the other, or both are
 * said to hold; of two versions of one memory one is kept, or a text takes their place.
 * @throws LociError invalid_input, not_found, conflict (it changed meanwhile)
 */
export async function resolve(options: ResolveOptions, deps: Deps): Promise<ResolveResult> {
  const { fields } = parseClean(resolveOptions, options, 'resolve', deps.secrets);
  const { id, keep, both, body, reason } = fields;
  requireBody({ body });
  const verdict = {
    ...(keep === undefined ? {} : { keep: keep.toUpperCase() }),
    ...(body === undefined ? {} : { body }),
    both: both === true,
    reason: reason ?? `settled the conflict ${id.toUpperCase()}`,
  };
  requireOne(verdict);
  const step = await stepFor(id.toUpperCase(), verdict, await confinedView(deps), deps);
  const done = await carryOut('resolve', [step], deps);
  const [left] = done.skipped;
  if (left) {
    throw new LociError('conflict', left.reason, 'Look at it again with: loci conflicts');
  }
  return { resolved: id.toUpperCase(), ...runResult(done, false) };
}

function requireOne({ keep, both, body }: Verdict): void {
  const isSaid = keep !== undefined || body !== undefined;
  if (isSaid !== both) return;
  throw new LociError(
    'invalid_input',
    isSaid
      ? 'resolve: both is given together with keep or body'
      : 'resolve: nothing says what holds',
    'Give keep with the id of what holds, body with a text, or both.',
  );
}

async function stepFor(id: string, verdict: Verdict, view: View, deps: Deps): Promise<Step> {
  if (id.includes('+')) return settlePair(id.split('+'), verdict, view, deps);
  const [stored] = await deps.engine.get([id], view);
  if (!stored || stored.memory.type !== 'conflict') {
    throw new LociError(
      'not_found',
      `there is no conflict ${quote(id)} in this project`,
      'List them with: loci conflicts. Two memories are named with a plus between their ids.',
    );
  }
  if (isDerived(stored)) return settleEdits(stored.memory, verdict, view, deps);
  return settleNoted(stored.memory, verdict, view, deps);
}
