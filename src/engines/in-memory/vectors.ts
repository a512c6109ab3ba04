import {
  fingerprintOf,
  passagesKey,
  passagesOf,
  type EmbeddingModel,
} from '../../domain/embedding.ts';
import type { StoredMemory } from '../../domain/memory.ts';
import { entryOf } from '../../domain/ranking/entry.ts';
import { passes } from '../../domain/view.ts';
import type {
  NearestRequest,
  NearestResult,
  PendingText,
  VectorCounts,
  VectorRow,
} from '../../ports/engine.ts';
import { requireVector, requireVectors } from '../shared/vectors/checks.ts';
import {
  bestCodedCosine,
  bestCosine,
  encode,
  encodeQuery,
  joined,
  split,
  type VectorCodes,
} from '../shared/vectors/codes.ts';
import { Moments } from '../shared/vectors/moments.ts';

interface TextVectors extends VectorCodes {
  /** Those of its passages, one after another. */
  readonly numbers: Float32Array;
}

interface ModelVectors {
  readonly model: EmbeddingModel;
  /** By the key of a text. */
  readonly rows: Map<string, TextVectors>;
}

/** Vectors by model and text; every question compares all of them. */
export class InMemoryVectors {
  readonly #models = new Map<string, ModelVectors>();

  /** @param visible what the view of the request lets through */
  nearest(
    { filter, model, vector, k, also = [] }: NearestRequest,
    visible: readonly StoredMemory[],
  ): NearestResult {
    const kept = this.#models.get(model);
    if (kept) requireVector(vector, kept.model.dimensions);
    const query = encodeQuery(vector);
    const moments = new Moments();
    const named = new Set(also.map(({ id }) => id));
    const hits = visible.flatMap((stored) => {
      const { memory } = stored;
      const row = kept?.rows.get(passagesKey(passagesOf(memory)));
      if (!row || !passes(filter, memory)) return [];
      moments.add(bestCodedCosine(row, query));
      const cosine = bestCosine(row.numbers, vector);
      const { length } = entryOf(memory, undefined);
      return [{ id: memory.id, session: memory.session_id, stored, cosine, length }];
    });
    hits.sort((a, b) => b.cosine - a.cosine || (a.id < b.id ? -1 : 1));
    return {
      hits: hits.filter(({ id }, i) => i < k || named.has(id)),
      ...moments.result(),
    };
  }

  /** @param all oldest first */
  pending(model: string, limit: number, all: readonly StoredMemory[]): readonly PendingText[] {
    const kept = this.#models.get(model);
    const pending = new Map<string, PendingText>();
    for (const { memory } of all.toReversed()) {
      const passages = passagesOf(memory);
      const key = passagesKey(passages);
      if (!kept?.rows.has(key)) pending.set(key, { key, passages });
    }
    return [...pending.values()].slice(0, limit);
  }

  put(model: EmbeddingModel, rows: readonly VectorRow[]): void {
    requireVectors(model, rows);
    const fingerprint = fingerprintOf(model);
    const kept = this.#models.get(fingerprint) ?? { model, rows: new Map<string, TextVectors>() };
    for (const { key, vectors } of rows) {
      const numbers = joined(vectors);
      if (kept.rows.get(key)?.numbers.length === numbers.length) continue;
      kept.rows.set(key, { numbers, ...encode(numbers, model.dimensions) });
    }
    this.#models.set(fingerprint, kept);
  }

  counts(model: string, all: readonly StoredMemory[]): VectorCounts {
    const kept = this.#models.get(model);
    const stored = all.filter(({ memory }) =>
      kept?.rows.has(passagesKey(passagesOf(memory))),
    ).length;
    return { stored, pending: all.length - stored };
  }

  rowsOf(model: string, keys: readonly string[]): readonly VectorRow[] {
    const kept = this.#models.get(model);
    return [...new Set(keys)].flatMap((key) => {
      const row = kept?.rows.get(key);
      return kept && row ? [{ key, vectors: split(row.numbers, kept.model.dimensions) }] : [];
    });
  }

  models(): readonly EmbeddingModel[] {
    return [...this.#models.values()].map(({ model }) => model);
  }

  /** Forgets the vectors of texts, by key. */
  forget(texts: readonly string[]): void {
    for (const { rows } of this.#models.values()) for (const key of texts) rows.delete(key);
  }

  drop(models: readonly string[]): void {
    for (const model of models) this.#models.delete(model);
  }
}
