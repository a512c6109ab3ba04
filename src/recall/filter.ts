import { LociError, quote } from '../domain/errors.ts';
import { STATUSES, TIERS, type Status, type Tier } from '../domain/lifecycle.ts';
import { nearestOf } from '../domain/parse.ts';
import type { Filter } from '../domain/view.ts';

/** The criteria beside time that recall and search share, as their schemas hand them over. */
export interface Criteria {
  readonly type?: readonly string[] | undefined;
  readonly tier?: readonly string[] | undefined;
  readonly status?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly paths?: string | undefined;
  readonly source?: readonly string[] | undefined;
  readonly minConfidence?: number | undefined;
}

/** @throws LociError invalid_input for a tier or status that there is not */
export function filterOf(criteria: Criteria): Filter {
  const { type, tier, status, tags, paths, source, minConfidence } = criteria;
  return {
    ...(type ? { types: type } : {}),
    ...(tier ? { tiers: known(tier, TIERS, 'tier') as Tier[] } : {}),
    ...(status ? { statuses: known(status, STATUSES, 'status') as Status[] } : {}),
    ...(tags ? { tags } : {}),
    ...(paths === undefined ? {} : { paths }),
    ...(source ? { sources: source } : {}),
    ...(minConfidence === undefined ? {} : { minConfidence }),
  };
}

function known(words: readonly string[], allowed: readonly string[], field: string): string[] {
  for (const word of words) {
    if (allowed.includes(word)) continue;
    const near = nearestOf(word, allowed);
    throw new LociError(
      'invalid_input',
      `${field} is ${quote(word)}`,
      near ? `Did you mean ${near}?` : `Use one of: ${allowed.join(', ')}.`,
    );
  }
  return [...words];
}
