import { parseQuery } from '../domain/text/query.ts';
import type { Respelling } from '../domain/text/spelling.ts';
import type { View } from '../domain/view.ts';
import type { Deps } from '../ports/deps.ts';
import { foundIn, type Found } from './candidate.ts';
import { find } from './find.ts';
import { holding, newest } from './listing.ts';
import type { Wish } from './question.ts';
import { score } from './score.ts';

/** Score of a memory that holds a question without words literally. */
const LITERAL_SCORE = 0.5;

/** Scored candidates of a recall, before anything is left out. */
export interface Gathered {
  /** Best first. */
  readonly found: readonly Found[];
  readonly unmatched: readonly string[];
  readonly respelled: readonly Respelling[];
  readonly warnings: readonly string[];
  /** How many candidates each channel brought, by its name. */
  readonly channels: Readonly<Record<string, number>>;
}

/**
 * Candidates with their scores: of a question by words and meaning; of one without any word (`->`) by
 * its literal text; without a question, what is newest.
 * @param k how many are wanted at least
 */
export async function gather(
  { text, filter, explain, decay, graph, weights, entities }: Wish,
  { view, k, nowMs }: { readonly view: View; readonly k: number; readonly nowMs: number },
  deps: Deps,
): Promise<Gathered> {
  const { engine } = deps;
  const nothing = { found: [], unmatched: [], respelled: [], warnings: [], channels: {} };
  if (text === undefined) {
    const rows = await newest(engine, view, filter, k);
    const found = rows.map((stored) => foundIn({ id: stored.memory.id, stored }, { score: 0 }));
    return { ...nothing, found, channels: { recent: found.length } };
  }
  if (text.trim() === '') return nothing;
  const query = parseQuery(text);
  if (query.terms.length === 0) {
    const rows = await holding(engine, { view, filter, text: text.trim(), limit: k });
    const found = rows.map((stored) => {
      return foundIn({ id: stored.memory.id, stored }, { score: LITERAL_SCORE });
    });
    const unmatched = found.length > 0 ? [] : [text.trim()];
    return { ...nothing, found, unmatched, channels: { literal: found.length } };
  }
  const question = { view, filter, query, k, explain, weights, entities };
  const { found: relevant, unmatched, respelled, warnings, channels } = await find(question, deps);
  const found = await score(relevant, question, { nowMs, decay, graph, wanted: k }, engine);
  return { found, unmatched, respelled, warnings, channels };
}
