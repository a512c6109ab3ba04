import { fuse, type Evidence, type Fused, type VectorChannel } from '../domain/ranking/fuse.ts';
import type { Weights } from '../domain/ranking/settings.ts';
import type { Explanation } from '../domain/explanation.ts';
import { fold } from '../domain/text/fold.ts';
import type { KeywordResult } from '../ports/engine.ts';
import { foundIn, type Candidate, type Found, type Question } from './candidate.ts';
import { keywordParts, rounded } from './channels/keyword.ts';
import type { VectorAnswer } from './channels/vector.ts';

/** What the channels answered. */
export interface Heard {
  readonly keyword: KeywordResult;
  readonly nearest: readonly VectorAnswer[];
}

/** One score for each candidate out of what all channels say of it (`domain/ranking/fuse`), best first. */
export function fuseCandidates({ query, explain, weights }: Question, heard: Heard): Found[] {
  const candidates = candidatesOf(heard);
  const asks = query.terms.map(({ surface }) => fold(surface));
  const evidence = [...candidates.values()].map((candidate) =>
    evidenceOf(candidate, asks, weights.fusion),
  );
  const channels = heard.nearest.map(({ embedder, result }): VectorChannel => {
    const weight =
      embedder.provider === 'builtin' ? weights.fusion.builtin : weights.fusion.sentence;
    return { weight, ...result };
  });
  return fuse(evidence, heard.keyword.plan.asked, channels, weights).map((fused) => {
    const candidate = candidates.get(fused.id) as Candidate;
    const { score, keyword } = fused;
    if (!explain) return foundIn(candidate.source, { score, keyword });
    return foundIn(candidate.source, {
      score,
      keyword,
      explain: explanationOf(fused, candidate, query, heard),
    });
  });
}

/** Each memory once, whichever channels found it. */
function candidatesOf({ keyword, nearest }: Heard): ReadonlyMap<string, Candidate> {
  const cosines = nearest.map(({ result }) => {
    return new Map(result.hits.map(({ id, cosine }) => [id, cosine]));
  });
  const candidates = new Map<string, Candidate>();
  for (const hit of [...keyword.hits, ...nearest.flatMap(({ result }) => result.hits)]) {
    const { id, session, length } = hit;
    if (candidates.has(id)) continue;
    candidates.set(id, {
      id,
      session,
      length,
      source: hit,
      ...('raw' in hit ? { keyword: hit } : {}),
      cosines: cosines.map((channel) => channel.get(id)),
    });
  }
  return candidates;
}

function evidenceOf(
  { id, session, length, keyword, cosines, source }: Candidate,
  asks: readonly string[],
  { asksBackWords }: Weights['fusion'],
): Evidence {
  const turn = session === undefined ? undefined : source.stored.memory;
  return {
    id,
    session,
    length,
    raw: keyword?.raw ?? 0,
    cosines,
    speaks: turn?.speaker !== undefined && asks.includes(fold(turn.speaker)),
    asksBack: length < asksBackWords && (turn ? /[?？]\s*$/.test(turn.body) : false),
  };
}

function explanationOf(
  { keyword: share, meaning, factors, session, score }: Fused,
  { keyword: hit, cosines }: Candidate,
  query: Question['query'],
  { keyword, nearest }: Heard,
): Explanation {
  return {
    ...keywordParts(hit, query, keyword),
    keyword: rounded(share),
    meaning: nearest.map(({ embedder: { provider, model } }, i) => ({
      embedder: `${provider}:${model}`,
      cosine: rounded(cosines[i] ?? 0),
      part: rounded(meaning[i] ?? 0),
    })),
    factors: { ...factors },
    session: rounded(session),
    relevance: rounded(score),
    multipliers: {},
  };
}
