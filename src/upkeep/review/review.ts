import { LociError } from '../../domain/errors.ts';
import { parseClean } from '../../domain/parse-clean.ts';
import type { ReviewOptions } from '../../domain/upkeep-inputs.ts';
import { reviewOptions } from '../../domain/upkeep-options.ts';
import type { ReviewResult } from '../../domain/upkeep-results.ts';
import type { Deps } from '../../ports/deps.ts';
import { accept } from './accept.ts';
import { waiting } from './queue.ts';
import { refuse } from './refuse.ts';

/** Listed when nothing is said. */
const LISTED = 50;

/**
 * The queue of what a person has to decide about in the current project: drafts that upkeep may not
 * accept by itself, and what it proposes.
 */
export async function review(options: ReviewOptions, deps: Deps): Promise<ReviewResult> {
  const { fields } = parseClean(reviewOptions, options, 'review', deps.secrets);
  const { action = 'list', ids = [], reason, limit = LISTED } = fields;
  if (action === 'list') {
    const all = await waiting(deps);
    return { waiting: all.slice(0, limit), total: all.length };
  }
  if (ids.length === 0) {
    throw new LociError(
      'invalid_input',
      `review: ids is missing: nothing is named to ${action}`,
      'Give ids of the list: loci review',
    );
  }
  const named = [...new Set(ids.map((id) => id.toUpperCase()))];
  return action === 'accept' ? accept(named, reason, deps) : refuse(named, reason, deps);
}
