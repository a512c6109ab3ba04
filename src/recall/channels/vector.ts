import { fingerprintOf } from '../../domain/embedding.ts';
import { LociError } from '../../domain/errors.ts';
import type { Deps } from '../../ports/deps.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { HitAtHand, NearestResult } from '../../ports/engine.ts';
import type { Question } from '../candidate.ts';

/** How long a question waits for an embedder, milliseconds; then words must do. */
const EMBED_MS = 5000;

export interface VectorAnswer {
  readonly embedder: Embedder;
  readonly result: NearestResult;
}

/** A question on its way through the embedders. */
export interface Embedding {
  /**
   * Memories near to the question in meaning, by each embedder that answers, in their order.
   * @param also hits whose cosine is wanted too
   */
  nearest(k: number, also: readonly HitAtHand[]): Promise<readonly VectorAnswer[]>;
}

/**
 * Sends the question to every embedder at once. One that fails or is late adds a warning and nothing
 * else; one that knows no word of it has nothing to say.
 */
export function vectorChannel(
  { view, filter, query }: Question,
  { engine, embedders = [] }: Deps,
  warnings: string[],
): Embedding {
  const asking = embedders.map((embedder) => embedQuery(embedder, query.text, warnings));
  return {
    async nearest(k, also) {
      const answers: VectorAnswer[] = [];
      for (const [i, embedder] of embedders.entries()) {
        const asked = await asking[i];
        if (!asked) continue;
        const result = await engine.nearest({ view, filter, ...asked, k, also });
        answers.push({ embedder, result });
      }
      return answers;
    },
  };
}

async function embedQuery(
  embedder: Embedder,
  text: string,
  warnings: string[],
): Promise<{ model: string; vector: Float32Array } | undefined> {
  try {
    const [model, vector] = await inTime((signal) => {
      return Promise.all([embedder.describe(signal), embedder.embed([text], 'query', signal)]);
    });
    const [only] = vector;
    return only?.some((x) => x !== 0) ? { model: fingerprintOf(model), vector: only } : undefined;
  } catch (error) {
    const { provider, model } = embedder;
    warnings.push(`recalled without embedder ${provider} (${model}): ${(error as Error).message}`);
    return undefined;
  }
}

/** An embedder that does not heed its signal is left behind all the same. */
async function inTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(EMBED_MS);
  const late = new Promise<never>((_, reject) => {
    const message = `no answer within ${EMBED_MS / 1000} s`;
    signal.addEventListener('abort', () => reject(new LociError('unavailable', message)));
  });
  return Promise.race([work(signal), late]);
}
