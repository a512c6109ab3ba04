import { mayHaveLength } from '../../domain/embedder-choice.ts';
import type { EmbeddingModel } from '../../domain/embedding.ts';
import { LociError } from '../../domain/errors.ts';
import type { Embedder, EmbeddingKind } from '../../ports/embedder.ts';
import { withAttempts } from './attempts.ts';
import { Breaker } from './breaker.ts';
import { checkVectors, shortened } from './check-vectors.ts';
import { throwIfCancelled, unlessCancelled, withDeadline } from './deadline.ts';
import { Failure, type FailureKind } from './failure.ts';
import { batchesOf, cutToTokens, estimateTokens, fitText } from './fit.ts';
import type { Identity, Provider } from './provider.ts';

/** How patient an embedder is. */
export interface EmbedderOptions {
  /** Length to ask for; absent: what the model gives. */
  readonly dimensions?: number | undefined;
  /** Deadline of a request with its further attempts, ms. Default 4,000 and 60,000. */
  readonly timeoutMs?: Readonly<Record<EmbeddingKind, number>>;
  /** Pause before the second attempt, ms; then twice as long. Default 300. */
  readonly backoffMs?: number;
  /** How long a server that gave no answer is left alone, ms. Default 30,000. */
  readonly pauseMs?: number;
}

/** Below what a recall waits for: a server that hangs is known to hang after one question. */
const TIMEOUT_MS = { query: 4000, document: 60_000 } as const;
/** Somebody waits for the answer to a question. */
const ATTEMPTS = { query: 2, document: 3 } as const;
/** What even the smallest models take. */
const SAFE_TOKENS = 256;
/** How long a description holds where the model may be changed meanwhile. */
const DESCRIBED_MS = 300_000;
const PROBE = 'length';
/** Failures that a server answers to one bad text among good ones, too. */
const TEXT_MAY_BE_WHY: ReadonlySet<FailureKind> = new Set(['failed', 'too-long']);

/**
 * The embedder that a provider is with everything around it: prefixes, texts cut at the model's
 * limit, requests within the provider's, deadlines, further attempts, a circuit breaker, and a check
 * of every vector.
 */
export function checked(provider: Provider, options: EmbedderOptions = {}): Embedder {
  const { facts } = provider;
  const { dimensions: asked, timeoutMs = TIMEOUT_MS, backoffMs = 300 } = options;
  const prefixes = { query: facts.queryPrefix ?? '', document: facts.documentPrefix ?? '' };
  const breaker = new Breaker(options.pauseMs ?? 30_000);
  /** Until the model itself says otherwise. */
  let known = asked ?? facts.dimensions;
  let described: { readonly model: Promise<EmbeddingModel>; readonly atMs: number } | undefined;

  async function patiently<T>(
    kind: EmbeddingKind,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    throwIfCancelled(signal);
    breaker.pass();
    const ms = timeoutMs[kind];
    try {
      const result = await withDeadline(ms, signal, (inner) => {
        const patience = { attempts: ATTEMPTS[kind], backoffMs, endMs: performance.now() + ms };
        return withAttempts(patience, inner, () => work(inner));
      });
      breaker.closed();
      return result;
    } catch (thrown) {
      if (thrown instanceof LociError) throw thrown;
      const failure = thrown instanceof Failure ? thrown : brokenBy(thrown);
      const error = errorOf(provider, failure);
      breaker.failed(failure, error);
      // Perhaps one of the texts is why: without it the others may be embedded.
      if (kind !== 'document' || !TEXT_MAY_BE_WHY.has(failure.kind)) throw error;
      throw new LociError('invalid_input', error.message, error.hint, { cause: failure });
    }
  }

  async function vectorsOf(
    texts: readonly string[],
    kind: EmbeddingKind,
    signal: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    const answer = await provider.request(texts, kind, signal).catch((error: unknown) => {
      const short = texts.map((text) => cutToTokens(text, SAFE_TOKENS));
      if (!isTooLong(error) || !texts.some((text) => estimateTokens(text) > SAFE_TOKENS))
        throw error;
      return provider.request(short, kind, signal);
    });
    return checkVectors(answer, texts.length);
  }

  async function identify(): Promise<EmbeddingModel> {
    const ask = provider.identify;
    const identity: Identity = ask ? await patiently('query', undefined, ask) : {};
    const { revision } = identity;
    const dimensions = known ?? identity.dimensions ?? (await probe());
    return {
      provider: provider.provider,
      model: provider.model,
      ...(revision ? { revision } : {}),
      dimensions,
      queryPrefix: prefixes.query,
      documentPrefix: prefixes.document,
    };
  }

  async function probe(): Promise<number> {
    const [vector] = await patiently('query', undefined, (signal) =>
      vectorsOf([PROBE], 'query', signal),
    );
    return (vector as Float32Array).length;
  }

  /** Cuts what a Matryoshka model gave in full; any other length is a change of model. */
  function asDescribed(vector: Float32Array, { dimensions }: EmbeddingModel): Float32Array {
    const { length } = vector;
    if (length === dimensions) return vector;
    const canCut = asked !== undefined && facts.shorter && mayHaveLength(facts, asked, length);
    if (canCut && length > asked) return shortened(vector, asked);
    described = undefined;
    if (asked === undefined) known = undefined;
    const hint =
      asked === undefined
        ? 'If the model was changed, memories are embedded anew: loci re-embed.'
        : 'Unset embed_dimensions, or choose a model whose vectors may have that length.';
    const what = `answered with vectors of ${length} numbers instead of ${dimensions}`;
    throw errorOf(provider, new Failure('rejected', what, { hint }));
  }

  const self: Embedder = {
    provider: provider.provider,
    model: provider.model,
    instant: provider.instant,

    async describe(signal) {
      const nowMs = performance.now();
      const isOld = provider.identify && described && nowMs - described.atMs > DESCRIBED_MS;
      if (!described || isOld) {
        const mine = { model: identify(), atMs: nowMs };
        described = mine;
        mine.model.catch(() => {
          if (described === mine) described = undefined;
        });
      }
      return unlessCancelled(described.model, signal);
    },

    async embed(texts, kind, signal) {
      throwIfCancelled(signal);
      if (texts.length === 0) return [];
      if (kind === 'document' && provider.load) await unlessCancelled(provider.load(), signal);
      const model = await self.describe(signal);
      const limit = facts.inputTokens ?? SAFE_TOKENS;
      const fitted = texts.map((text) => fitText(text, prefixes[kind], limit));
      const vectors: Float32Array[] = [];
      for (const batch of batchesOf(fitted, provider.limits)) {
        const answer = await patiently(kind, signal, (inner) => vectorsOf(batch, kind, inner));
        for (const vector of answer) vectors.push(asDescribed(vector, model));
      }
      return vectors;
    },

    async close() {
      await provider.close?.();
    },
  };
  return self;
}

/** A fault of a library. */
function brokenBy(thrown: unknown): Failure {
  return new Failure('failed', `broke: ${thrown instanceof Error ? thrown.message : thrown}`);
}

function isTooLong(error: unknown): boolean {
  return error instanceof Failure && error.kind === 'too-long';
}

function errorOf({ provider, model, place }: Provider, { message, hint }: Failure): LociError {
  const who = `the embedder ${provider} (${model}${place ? ` at ${place}` : ''})`;
  const next =
    hint ?? 'Memories are kept and found by keywords; they are embedded when it works again.';
  return new LociError('unavailable', `${who} ${message}`, next);
}
