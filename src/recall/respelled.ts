import { doubtfulWords, nearSpellings, respell, spellingsByTerm } from '../domain/text/spelling.ts';
import type { Respelling } from '../domain/text/spelling.ts';
import type { ParsedQuery } from '../domain/text/query.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { Engine } from '../ports/engine.ts';
import type { Question } from './candidate.ts';

/** Terms that one look-up of the index takes. */
const TERMS = 256;

/**
 * Reads misspelt words of a question as the nearest word that the view's memories hold, the most
 * frequent one first. Only words that neither a memory nor an embedder's list of words knows: a
 * question that is spelt right is never changed, and without a list nothing is. Undefined when there
 * is nothing to mend.
 */
export async function respelled(
  question: Question,
  documentFrequency: readonly number[],
  { engine, embedders = [] }: { engine: Engine; embedders?: readonly Embedder[] | undefined },
): Promise<{ query: ParsedQuery; respellings: readonly Respelling[] } | undefined> {
  const { query } = question;
  const list = embedders.find(({ wordsAmong }) => wordsAmong !== undefined);
  const doubtful = list ? doubtfulWords(query, documentFrequency) : [];
  if (doubtful.length === 0) return undefined;
  const words = await list?.wordsAmong?.(doubtful);
  const respellings: Respelling[] = [];
  for (const from of doubtful.filter((word) => !words?.has(word))) {
    const to = await nearestHeld(from, question, engine);
    if (to !== undefined) respellings.push({ from, to });
  }
  return respellings.length === 0 ? undefined : { query: respell(query, respellings), respellings };
}

/** The spelling near to a word that most memories of the view hold. */
async function nearestHeld(
  word: string,
  { view, filter }: Question,
  engine: Engine,
): Promise<string | undefined> {
  const spellings = [...spellingsByTerm(nearSpellings(word))];
  let best: { readonly to: string; readonly documents: number } | undefined;
  for (let at = 0; at < spellings.length; at += TERMS) {
    const part = spellings.slice(at, at + TERMS);
    const terms = part.map(([term, surface]) => ({ term, surface, kind: 'word' as const }));
    const asked = { terms, pairs: [], text: '' };
    const { documentFrequency } = await engine.keyword({ view, filter, query: asked, k: 0 });
    for (const [i, documents] of documentFrequency.entries()) {
      if (documents <= (best?.documents ?? 0)) continue;
      best = { to: part[i]?.[1] as string, documents };
    }
  }
  return best?.to;
}
