import type { EmbeddingModel } from '../../../domain/embedding.ts';
import { LociError } from '../../../domain/errors.ts';
import type { VectorRow } from '../../../ports/engine.ts';

/** @throws LociError invalid_input for what could be compared with nothing */
export function requireVectors({ dimensions }: EmbeddingModel, rows: readonly VectorRow[]): void {
  for (const { key, vectors } of rows) {
    if (vectors.length === 0) {
      throw new LociError('invalid_input', `the text ${key} has no vector`);
    }
    for (const vector of vectors) requireVector(vector, dimensions);
  }
}

/** @throws LociError invalid_input */
export function requireVector(vector: Float32Array, dimensions: number): void {
  if (vector.length !== dimensions) {
    throw new LociError(
      'invalid_input',
      `a vector has ${vector.length} numbers, and its model ${dimensions}`,
      'Vectors of two models are never compared: run loci re-embed.',
    );
  }
  const odd = vector.find((number) => !Number.isFinite(number));
  if (odd !== undefined) {
    const hint = 'Check that the embedding model answers with finite numbers.';
    throw new LociError('invalid_input', `a vector has ${odd} among its numbers`, hint);
  }
}
