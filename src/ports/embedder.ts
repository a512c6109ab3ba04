import type { EmbeddingModel } from '../domain/embedding.ts';

export type EmbeddingKind = 'query' | 'document';

/**
 * Turns texts into vectors of unit length. `testing/embedder-contract.ts` is the definition of done
 * for an implementation.
 */
export interface Embedder {
  /** builtin, use-lite, openai, voyage, ollama, transformers, fake. For display. */
  readonly provider: string;
  readonly model: string;
  /**
   * Whether a thousand texts take well below a second and no network: what is pending may then be
   * embedded while somebody waits.
   */
  readonly instant: boolean;
  /**
   * The model as it answers now; probes once where the dimensions are not known beforehand.
   * @throws LociError unavailable
   */
  describe(signal?: AbortSignal): Promise<EmbeddingModel>;
  /**
   * One vector a text, in order: finite, of unit length, of the described dimensions. Prefixes are
   * added here; any number of texts of any length is accepted (batched, cut at the model's limit).
   * @throws LociError unavailable when it cannot be had now, with what to do; invalid_input when one
   * of several documents may be why; cancelled
   */
  embed(
    texts: readonly string[],
    kind: EmbeddingKind,
    signal?: AbortSignal,
  ): Promise<readonly Float32Array[]>;
  /** Those of some words, in small Latin letters, that its list of words holds; absent = no list. */
  wordsAmong?(words: readonly string[]): Promise<ReadonlySet<string>>;
  close(): Promise<void>;
}

/** Embeds what has no vectors yet; writes never wait for it. */
export interface EmbeddingBacklog {
  /** Brings the vectors of instant embedders up to date, as far as a moment allows. */
  settle(): Promise<void>;
  /**
   * Embeds everything that is pending, however long it takes.
   * @throws LociError unavailable
   */
  complete(progress?: (done: number) => void): Promise<void>;
  /** Something was written: it is embedded in a pause. */
  nudge(): void;
  /** What keeps vectors from being complete, one line a reason. */
  warnings(): readonly string[];
  /** Stops what is under way; what is left is made up for later. */
  close(): Promise<void>;
}
