import { unmatchedWords } from '../domain/text/query.ts';
import type { Respelling } from '../domain/text/spelling.ts';
import type { Deps } from '../ports/deps.ts';
import type { Found, Question } from './candidate.ts';
import { keywordChannel } from './channels/keyword.ts';
import { vectorChannel } from './channels/vector.ts';
import { fuseCandidates } from './fuse.ts';
import { respelled } from './respelled.ts';

export interface Matches {
  /** Best first. */
  readonly found: readonly Found[];
  /** Words of the question that no visible memory holds. */
  readonly unmatched: readonly string[];
  /** Words that no memory holds, and what they were read as. */
  readonly respelled: readonly Respelling[];
  /** What went wrong with a channel; the others answered. */
  readonly warnings: readonly string[];
  /** How many memories passed the filter and matched a word. */
  readonly matched: number;
  /** How many passed the filter and were compared in meaning. */
  readonly compared: number;
  /** How many candidates each channel brought, by its name. */
  readonly channels: Readonly<Record<string, number>>;
}

/** Channels side by side, then fused into one score: words always, meaning by each embedder. */
export async function find(question: Question, deps: Deps): Promise<Matches> {
  const { evidence } = question;
  const { candidates } = question.weights.fusion;
  const embedders = evidence === 'words' ? [] : (deps.embedders ?? []);
  const k = Math.max(question.k, candidates);
  if (embedders.length > 0) await deps.vectors?.settle();
  const warnings: string[] = [];
  let asked = question;
  let embedding = vectorChannel(question, { ...deps, embedders }, warnings);
  let words = await keywordChannel(question, k, deps.engine);
  const unmatched = unmatchedWords(question.query, words.documentFrequency);
  const mended = await respelled(question, words.documentFrequency, deps);
  if (mended) {
    asked = { ...question, query: mended.query };
    embedding = vectorChannel(asked, { ...deps, embedders }, warnings);
    words = await keywordChannel(asked, k, deps.engine);
  }
  const keyword = evidence === 'meaning' ? { ...words, hits: [] } : words;
  const also = keyword.hits.slice(0, candidates);
  const nearest = await embedding.nearest(k, also);
  return {
    found: fuseCandidates(asked, { keyword, nearest }),
    unmatched: mended ? unmatchedWords(asked.query, words.documentFrequency) : unmatched,
    respelled: mended?.respellings ?? [],
    warnings,
    matched: keyword.matched,
    compared: Math.max(0, ...nearest.map(({ result }) => result.compared)),
    channels: {
      keyword: keyword.hits.length,
      ...Object.fromEntries(
        nearest.map(({ embedder, result }) => [`vector ${embedder.provider}`, result.hits.length]),
      ),
    },
  };
}
