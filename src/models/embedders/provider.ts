import type { ModelFacts } from '../../domain/embedder-choice.ts';
import type { EmbeddingKind } from '../../ports/embedder.ts';

/** How much a provider takes in one request; tokens are estimated. */
export interface RequestLimits {
  readonly texts: number;
  readonly tokens: number;
}

/** What a provider can say about its model before it embeds anything. */
export interface Identity {
  readonly dimensions?: number;
  /** Of the weights. */
  readonly revision?: string;
}

/**
 * One way to get vectors, as bare as it is: prefixes, limits, deadlines, retries and checks are
 * `checked`'s, the same for all.
 */
export interface Provider {
  readonly provider: string;
  readonly model: string;
  readonly instant: boolean;
  readonly facts: ModelFacts;
  readonly limits: RequestLimits;
  /** Where it runs, for messages: a host, or nothing for one in this process. */
  readonly place?: string;
  /** Asked again from time to time: a model may be changed while it is used. */
  readonly identify?: (signal: AbortSignal) => Promise<Identity>;
  /** Loads what takes long once; not part of a request's deadline. */
  readonly load?: () => Promise<void>;
  /**
   * Vectors of a few texts, prefixes included, in order; of any length and scale.
   * @throws Failure; LociError when there is nothing to try again
   */
  request(
    texts: readonly string[],
    kind: EmbeddingKind,
    signal: AbortSignal,
  ): Promise<readonly unknown[]>;
  close?(): Promise<void>;
}
