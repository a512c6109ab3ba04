import type { StoredMemory } from '../../domain/memory.ts';
import { planQuery, scoreEntry } from '../../domain/ranking/bm25.ts';
import type { IndexEntry } from '../../domain/ranking/entry.ts';
import { passes } from '../../domain/view.ts';
import type { KeywordHit, KeywordRequest, KeywordResult } from '../../ports/engine.ts';
import { termParts } from '../shared/term-parts.ts';

/** A memory that the view lets through, as keyword search sees it. */
export interface ScannedDocument {
  readonly stored: StoredMemory;
  readonly entry: IndexEntry;
}

/** Scores every document. */
export function searchAll(
  { filter, query, k, explain, weights }: KeywordRequest,
  documents: readonly ScannedDocument[],
): KeywordResult {
  const documentFrequency = query.terms.map(
    ({ term }) => documents.filter(({ entry }) => entry.terms.has(term)).length,
  );
  const totalLength = documents.reduce((sum, { entry }) => sum + entry.length, 0);
  const stats = { documents: documents.length, totalLength };
  const plan = planQuery(query, documentFrequency, stats, weights);
  const hits: (KeywordHit & { entry: IndexEntry })[] = [];
  for (const { stored, entry } of documents) {
    const raw = scoreEntry(plan, query, entry);
    if (raw === undefined || !passes(filter, stored.memory)) continue;
    const { id, session_id: session } = stored.memory;
    hits.push({ id, session, stored, raw, length: entry.length, entry });
  }
  hits.sort((a, b) => b.raw - a.raw || (a.id < b.id ? -1 : 1));
  const best = hits.slice(0, k).map(({ entry, ...hit }): KeywordHit => {
    return explain ? { ...hit, terms: termParts(plan, query, entry) } : hit;
  });
  return { hits: best, plan, documentFrequency, matched: hits.length };
}
