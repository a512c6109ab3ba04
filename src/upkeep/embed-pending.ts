import { atMost } from '../domain/at-most.ts';
import { fingerprintOf, type EmbeddingModel } from '../domain/embedding.ts';
import { LociError } from '../domain/errors.ts';
import type { Embedder, EmbeddingBacklog } from '../ports/embedder.ts';
import type { Engine, PendingText } from '../ports/engine.ts';
import type { Progress } from '../ports/log-life.ts';

/** Texts embedded at a time: few enough that stopping costs little. */
const BATCH = 64;
const INSTANT_BATCH = 512;
/** Writes often come several together. */
const PAUSE_MS = 200;
/** How long a recall waits for instant embedders, milliseconds. */
const SETTLE_MS = 2000;
/** How long closing waits for an embedder that does not heed its signal. */
const CLOSE_MS = 1000;
/** After a failure the next attempt waits this long, doubled each time up to the second figure. */
const RETRY_MS = 15_000;
const LONGEST_RETRY_MS = 300_000;

export interface EmbedOptions {
  readonly signal?: AbortSignal;
  readonly progress?: Progress;
  /** Stop after this long, milliseconds; default never. */
  readonly deadlineMs?: number;
}

export interface EmbedReport {
  readonly model: EmbeddingModel;
  readonly embedded: number;
  /** Texts that this embedder refuses; they are found by their words only. */
  readonly failed: number;
}

/**
 * Embeds the texts that have no vectors of this embedder's model, newest first. What is done stays, so
 * that stopping anywhere loses nothing. One bad text does not hold up its neighbours.
 * @throws LociError unavailable, cancelled
 */
export async function embedPending(
  embedder: Embedder,
  engine: Engine,
  { signal, progress, deadlineMs = Infinity }: EmbedOptions = {},
): Promise<EmbedReport> {
  const stopAt = performance.now() + deadlineMs;
  const model = await embedder.describe(signal);
  const fingerprint = fingerprintOf(model);
  const refused = new Set<string>();
  const size = embedder.instant ? INSTANT_BATCH : BATCH;
  let embedded = 0;
  for (;;) {
    signal?.throwIfAborted();
    const pending = await engine.pendingVectors(fingerprint, size + refused.size);
    const texts = pending.filter(({ key }) => !refused.has(key)).slice(0, size);
    if (texts.length === 0) break;
    const rows = await vectorsOf(texts, embedder, signal);
    for (const { key } of texts) if (!rows.has(key)) refused.add(key);
    const kept = [...rows].map(([key, vectors]) => ({ key, vectors }));
    if (kept.length > 0) await engine.putVectors(model, kept);
    embedded += kept.length;
    progress?.(embedded);
    if (performance.now() > stopAt) break;
  }
  return { model, embedded, failed: refused.size };
}

/**
 * Embeds all that is pending with each embedder in turn.
 * @returns what kept it from being complete, one line a reason
 */
export async function embedRest(
  embedders: readonly Embedder[],
  engine: Engine,
  progress?: Progress,
): Promise<readonly string[]> {
  const troubles: string[] = [];
  for (const embedder of embedders) {
    try {
      const { failed } = await embedPending(embedder, engine, progress ? { progress } : {});
      if (failed > 0) troubles.push(`${failed} texts were refused by ${name(embedder)}`);
    } catch (error) {
      troubles.push(`${name(embedder)}: ${(error as Error).message}`);
    }
  }
  return troubles;
}

type Rows = Map<string, readonly Float32Array[]>;

/** By key; a batch that fails for its content is halved until the bad text stands alone. */
async function vectorsOf(
  texts: readonly PendingText[],
  embedder: Embedder,
  signal: AbortSignal | undefined,
): Promise<Rows> {
  try {
    const passages = texts.flatMap((text) => text.passages);
    const vectors = await embedder.embed(passages, 'document', signal);
    let at = 0;
    return new Map(
      texts.map(({ key, passages: own }) => [key, vectors.slice(at, (at += own.length))]),
    );
  } catch (error) {
    if (!(error instanceof LociError) || error.code !== 'invalid_input') throw error;
    if (texts.length === 1) return new Map();
    const middle = Math.ceil(texts.length / 2);
    const first = await vectorsOf(texts.slice(0, middle), embedder, signal);
    const second = await vectorsOf(texts.slice(middle), embedder, signal);
    return new Map([...first, ...second]);
  }
}

/**
 * Keeps the vectors of an open store up to date: instant embedders on demand, others in pauses.
 * @param saysChange whether it warns of vectors of another model; default true
 */
export function embeddingBacklog(
  embedders: readonly Embedder[],
  engine: Engine,
  { saysChange = true }: { readonly saysChange?: boolean } = {},
): EmbeddingBacklog {
  const stop = new AbortController();
  const troubles = new Map<Embedder, string>();
  const slow = embedders.filter(({ instant }) => !instant);
  const instant = embedders.filter((embedder) => embedder.instant);
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let retryMs = RETRY_MS;
  let retryAt = 0;

  const drain = async (): Promise<void> => {
    for (const embedder of [...instant, ...slow]) {
      try {
        const { failed } = await embedPending(embedder, engine, { signal: stop.signal });
        if (failed > 0) troubles.set(embedder, `${failed} texts were refused by ${name(embedder)}`);
        else troubles.delete(embedder);
        retryMs = RETRY_MS;
      } catch (error) {
        if (stop.signal.aborted) return;
        troubles.set(embedder, `${name(embedder)}: ${(error as Error).message}`);
        retryAt = performance.now() + retryMs;
        retryMs = Math.min(LONGEST_RETRY_MS, retryMs * 2);
      }
    }
  };

  const nudge = (): void => {
    // Not put off by the next call: many small reads must not keep it from ever starting.
    if (embedders.length === 0 || stop.signal.aborted || running || timer) return;
    const pauseMs = Math.max(PAUSE_MS, retryAt - performance.now());
    timer = setTimeout(() => {
      timer = undefined;
      running = drain().finally(() => {
        running = undefined;
      });
    }, pauseMs);
    timer.unref();
  };

  /** Says once that a model was changed, until everything has vectors of the new one. */
  let noticed: Promise<void> | undefined;
  const noticeChange = async (): Promise<void> => {
    const kept = (await engine.vectorModels()).map(({ provider, model }) => `${provider}:${model}`);
    const named = embedders.map(({ provider, model }) => `${provider}:${model}`);
    const before = kept.filter((model) => !named.includes(model));
    for (const [i, embedder] of embedders.entries()) {
      const now = named[i] as string;
      if (before.length === 0 || kept.includes(now) || troubles.has(embedder)) continue;
      troubles.set(
        embedder,
        `memories have vectors of ${before.join(', ')} and none of ${now} yet: ` +
          'they are embedded anew in the background; loci re-embed does it at once',
      );
    }
  };

  return {
    async settle() {
      if (slow.length > 0) {
        if (saysChange) noticed ??= noticeChange();
        await noticed;
        // What another process left behind, or a failure, heals while this one only reads.
        nudge();
      }
      for (const embedder of instant) {
        try {
          const options = { signal: stop.signal, deadlineMs: SETTLE_MS };
          await atMost(SETTLE_MS, embedPending(embedder, engine, options));
          troubles.delete(embedder);
        } catch (error) {
          // Somebody else writes vectors at this moment: there are those that are there.
          if (stop.signal.aborted || (error as LociError).code === 'busy') continue;
          troubles.set(embedder, `${name(embedder)}: ${(error as Error).message}`);
        }
      }
    },
    async complete(progress) {
      for (const embedder of embedders) {
        const options = { signal: stop.signal, ...(progress ? { progress } : {}) };
        await embedPending(embedder, engine, options);
      }
    },
    nudge,
    warnings: () => [...troubles.values()],
    async close() {
      clearTimeout(timer);
      stop.abort();
      if (running) await atMost(CLOSE_MS, running);
    },
  };
}

function name({ provider, model }: Embedder): string {
  return `embedder ${provider} (${model})`;
}
