import { fingerprintOf } from '../domain/embedding.ts';
import type { StoredMemory } from '../domain/memory.ts';
import { fuse, type Evidence, type Fused, type VectorChannel } from '../domain/ranking/fuse.ts';
import { FUSION } from '../domain/ranking/weights.ts';
import type { Explanation } from '../domain/results.ts';
import { unmatchedWords, type ParsedQuery } from '../domain/text/query.ts';
import { fold } from '../domain/text/fold.ts';
import type { Filter, View } from '../domain/view.ts';
import type { Deps } from '../ports/deps.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { KeywordHit, KeywordResult, NearestHit, NearestResult } from '../ports/engine.ts';
import { keywordParts } from './keyword.ts';

/** How long a question waits for an embedder, milliseconds; then words must do. */
const EMBED_MS = 5000;

export interface Found {
  readonly stored: StoredMemory;
  /** 0 to 1. */
  readonly score: number;
  /** Share of what was asked that its words matched. */
  readonly keyword?: number;
  readonly explain?: Explanation;
}

export interface Answer {
  /** Best first. */
  readonly found: readonly Found[];
  /** Words of the question that no visible memory holds. */
  readonly unmatched: readonly string[];
  /** `ScorePlan.specificity` of the question. */
  readonly specificity: number;
  /** What went wrong with a channel; the others answered. */
  readonly warnings: readonly string[];
}

export interface Matches extends Answer {
  /** How many memories passed the filter and matched a word. */
  readonly matched: number;
}

export interface Question {
  readonly view: View;
  readonly filter: Filter;
  readonly query: ParsedQuery;
  readonly k: number;
  readonly explain: boolean;
  /** Which evidence counts; default both. */
  readonly evidence?: 'words' | 'meaning';
}

/** Channels side by side, then fused into one score: words always, meaning by each embedder. */
export async function find(question: Question, deps: Deps): Promise<Matches> {
  const { engine } = deps;
  const embedders = question.evidence === 'words' ? [] : (deps.embedders ?? []);
  const k = Math.max(question.k, FUSION.candidates);
  if (embedders.length > 0) await deps.vectors?.settle();
  const warnings: string[] = [];
  const asking = embedders.map((embedder) => embedQuery(embedder, question.query.text, warnings));
  const words = await engine.keyword({ ...question, k });
  const keyword = question.evidence === 'meaning' ? { ...words, hits: [] } : words;
  const also = keyword.hits.slice(0, FUSION.candidates).map(({ id }) => id);
  const nearest: { embedder: Embedder; result: NearestResult }[] = [];
  for (const [i, embedder] of embedders.entries()) {
    const asked = await asking[i];
    if (!asked) continue;
    const { view, filter } = question;
    const result = await engine.nearest({ view, filter, ...asked, k, also });
    nearest.push({ embedder, result });
  }
  const { matched, plan } = keyword;
  return {
    ...combine(question, keyword, nearest),
    matched,
    specificity: plan.specificity,
    warnings,
  };
}

/** Undefined when the embedder cannot say, or knows no word of the question. */
async function embedQuery(
  embedder: Embedder,
  text: string,
  warnings: string[],
): Promise<{ model: string; vector: Float32Array } | undefined> {
  try {
    const signal = AbortSignal.timeout(EMBED_MS);
    const model = fingerprintOf(await embedder.describe(signal));
    const [vector] = await embedder.embed([text], 'query', signal);
    return vector?.some((x) => x !== 0) ? { model, vector } : undefined;
  } catch (error) {
    const { provider, model } = embedder;
    warnings.push(`recalled without embedder ${provider} (${model}): ${(error as Error).message}`);
    return undefined;
  }
}

type Hit = KeywordHit | NearestHit;

function combine(
  { query, explain }: Question,
  keyword: KeywordResult,
  nearest: readonly { embedder: Embedder; result: NearestResult }[],
): { found: Found[]; unmatched: string[] } {
  const hits = new Map<string, Hit>(keyword.hits.map((hit) => [hit.id, hit]));
  const cosines = nearest.map(({ result }) => {
    for (const hit of result.hits) if (!hits.has(hit.id)) hits.set(hit.id, hit);
    return new Map(result.hits.map(({ id, cosine }) => [id, cosine]));
  });
  const asks = query.terms.map(({ surface }) => fold(surface));
  const evidence = [...hits.values()].map((hit): Evidence => {
    const { id, session, length } = hit;
    const turn = session === undefined ? undefined : hit.stored.memory;
    return {
      id,
      session,
      length,
      raw: 'raw' in hit ? hit.raw : 0,
      cosines: cosines.map((channel) => channel.get(id)),
      speaks: turn?.speaker !== undefined && asks.includes(fold(turn.speaker)),
      asksBack: length < FUSION.asksBackWords && (turn ? /[?？]\s*$/.test(turn.body) : false),
    };
  });
  const channels = nearest.map(({ embedder, result }): VectorChannel => {
    const weight = embedder.provider === 'builtin' ? FUSION.builtin : FUSION.sentence;
    return { weight, ...result };
  });
  const fused = fuse(evidence, keyword.plan.asked, channels);
  return {
    found: fused.map((one) => {
      const hit = hits.get(one.id) as Hit;
      const why = explain ? explanation(one, hit, { query, keyword, nearest, cosines }) : undefined;
      return new HitFound(hit, one, why);
    }),
    unmatched: unmatchedWords(query, keyword.documentFrequency),
  };
}

function explanation(
  { id, keyword: share, meaning, factors, session }: Fused,
  hit: Hit,
  context: {
    query: ParsedQuery;
    keyword: KeywordResult;
    nearest: readonly { embedder: Embedder }[];
    cosines: readonly ReadonlyMap<string, number>[];
  },
): Explanation {
  const { query, keyword, nearest, cosines } = context;
  return {
    keyword: round(share),
    meaning: nearest.map(({ embedder: { provider, model } }, i) => ({
      embedder: `${provider}:${model}`,
      cosine: round(cosines[i]?.get(id) ?? 0),
      part: round(meaning[i] ?? 0),
    })),
    factors: { speaker: factors.speaker, asks_back: factors.asks_back },
    session: round(session),
    ...keywordParts('raw' in hit ? hit : undefined, query, keyword),
  };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** Looks at the memory of a hit only when it is shown. */
class HitFound implements Found {
  readonly score: number;
  readonly keyword: number;
  readonly explain?: Explanation;
  readonly #hit: Hit;

  constructor(hit: Hit, { score, keyword }: Fused, explain: Explanation | undefined) {
    this.#hit = hit;
    this.score = score;
    this.keyword = keyword;
    if (explain) this.explain = explain;
  }

  get stored(): StoredMemory {
    return this.#hit.stored;
  }
}
