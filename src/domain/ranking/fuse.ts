import { sessionPrior } from './session.ts';
import { DEFAULT_WEIGHTS, type Weights } from './settings.ts';

/** What the channels say of one candidate. */
export interface Evidence {
  readonly id: string;
  /** Raw keyword score; 0 where keywords did not find it. */
  readonly raw: number;
  /** Words, as keyword ranking counts them. */
  readonly length: number;
  readonly session?: string | undefined;
  /** Cosine by embedder, in the order of the channels; undefined where it has no vector. */
  readonly cosines: readonly (number | undefined)[];
  /** Said by somebody whom the question names. */
  readonly speaks: boolean;
  /** A short turn that ends in a question. */
  readonly asksBack: boolean;
}

/** One embedder's view of the question. */
export interface VectorChannel {
  /** Worth of a standard deviation; see {@link FUSION}. */
  readonly weight: number;
  /** Of the cosines of all memories that could be found. */
  readonly mean: number;
  readonly deviation: number;
  readonly compared: number;
}

export interface Fused {
  readonly id: string;
  /** 0 to 1. */
  readonly score: number;
  /** Share of what was asked that keywords matched; may exceed 1. */
  readonly keyword: number;
  /** What each embedder added, in the same unit; the weaker ones in part. */
  readonly meaning: readonly number[];
  /** Multiplied into the sum of both. */
  readonly factors: { readonly speaker: number; readonly asks_back: number };
  /** What the session added, in the same unit. */
  readonly session: number;
}

/**
 * One score out of what the channels found, best first, ties by id. Vectors add to keywords and
 * replace nothing: their part shrinks with the share of the question that the best keyword match
 * covers, so that an exact match is never averaged away, and a paraphrase still finds its answer.
 * @param asked what a memory that holds the whole question would score (`ScorePlan.asked`)
 */
export function fuse(
  candidates: readonly Evidence[],
  asked: number,
  channels: readonly VectorChannel[],
  { keyword: words, fusion }: Pick<Weights, 'keyword' | 'fusion'> = DEFAULT_WEIGHTS,
): Fused[] {
  const share = (raw: number): number => (asked > 0 ? raw / asked : 0);
  const doubt = 1 - Math.min(1, share(Math.max(0, ...candidates.map(({ raw }) => raw))));
  const parts = candidates.map((candidate) => {
    const keyword = share(candidate.raw);
    const said = channels.map((channel, i) => {
      const cosine = candidate.cosines[i];
      return cosine === undefined
        ? 0
        : doubt * channel.weight * deviations(cosine, channel, fusion);
    });
    const meaning = countedOnce(said, fusion.weaker);
    const factors = {
      speaker: candidate.speaks ? 1 + fusion.speaker : 1,
      asks_back: candidate.asksBack ? fusion.asksBack : 1,
    };
    const sum = meaning.reduce((total, part) => total + part, keyword);
    const own = Math.max(0, sum) * factors.speaker * factors.asks_back;
    return { id: candidate.id, keyword, meaning, factors, own };
  });
  const order = parts
    .map((_, i) => i)
    .sort((a, b) => parts[b]!.own - parts[a]!.own || (parts[a]!.id < parts[b]!.id ? -1 : 1));
  const head = order.slice(0, words.sessionCandidates);
  const raised = sessionPrior(
    head.map((i) => ({
      raw: parts[i]!.own,
      length: candidates[i]!.length,
      session: candidates[i]!.session,
    })),
    words,
  );
  const fused = order.map((i, at): Fused => {
    const { id, keyword, meaning, factors, own } = parts[i]!;
    const total = raised[at] ?? own;
    const score = calibrated(total, words.certainty);
    return { id, keyword, meaning, factors, session: total - own, score };
  });
  return fused.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

/** Embedders that read one text say much the same: the strongest counts whole, the others in part. */
function countedOnce(said: readonly number[], weaker: number): readonly number[] {
  const strongest = said.indexOf(Math.max(...said));
  return said.map((part, i) => (i === strongest ? part : weaker * part));
}

/** A share of what was asked as a score from 0 to 1. */
export function calibrated(share: number, certainty: number): number {
  return 1 - Math.exp(-certainty * share);
}

/** Standard deviations above the ordinary cosine of this question. */
function deviations(
  cosine: number,
  { mean, deviation, compared }: VectorChannel,
  { ordinary, mostDeviations }: Weights['fusion'],
): number {
  const { mean: usual, deviation: spread, worth } = ordinary;
  const total = compared + worth;
  const middle = (compared * mean + worth * usual) / total;
  const variance = (compared * deviation ** 2 + worth * spread ** 2) / total;
  return Math.min(mostDeviations, (cosine - middle) / Math.sqrt(variance));
}
