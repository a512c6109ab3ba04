import {
  fingerprintOf,
  passagesKey,
  passagesOf,
  type EmbeddingModel,
} from '../../domain/embedding.ts';
import { LociError } from '../../domain/errors.ts';
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
import { bestCosine, quantise, vectorsFrom } from '../shared/vector-codes.ts';

interface ModelVectors {
  readonly model: EmbeddingModel;
  /** Codes of its passages, by the key of a text. */
  readonly rows: Map<string, Int16Array>;
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
    const hits = visible.flatMap((stored) => {
      const { memory } = stored;
      const codes = kept?.rows.get(passagesKey(passagesOf(memory)));
      if (!codes || !passes(filter, memory)) return [];
      const cosine = bestCosine(codes, 0, codes.length / vector.length, vector);
      const { length } = entryOf(memory, undefined);
      return [{ id: memory.id, session: memory.session_id, stored, cosine, length }];
    });
    hits.sort((a, b) => b.cosine - a.cosine || (a.id < b.id ? -1 : 1));
    const mean = average(hits.map(({ cosine }) => cosine));
    return {
      hits: hits.filter(({ id }, i) => i < k || also.includes(id)),
      mean,
      deviation: Math.sqrt(average(hits.map(({ cosine }) => (cosine - mean) ** 2))),
      compared: hits.length,
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
    const bad = rows.flatMap((row) => row.vectors).find((v) => v.length !== model.dimensions);
    if (bad) {
      throw new LociError(
        'invalid_input',
        `a vector has ${bad.length} numbers, and its model ${model.dimensions}`,
        'Vectors of two models are never compared: run loci re-embed.',
      );
    }
    const fingerprint = fingerprintOf(model);
    const kept = this.#models.get(fingerprint) ?? { model, rows: new Map() };
    for (const { key, vectors } of rows) kept.rows.set(key, quantise(vectors));
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
    return keys.flatMap((key) => {
      const codes = kept?.rows.get(key);
      return kept && codes ? [{ key, vectors: vectorsFrom(codes, kept.model.dimensions) }] : [];
    });
  }

  models(): readonly EmbeddingModel[] {
    return [...this.#models.values()].map(({ model }) => model);
  }

  drop(models: readonly string[]): void {
    for (const model of models) this.#models.delete(model);
  }
}

function average(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
