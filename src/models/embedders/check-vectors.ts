import { Failure } from './failure.ts';

/**
 * What came back for `count` texts, as vectors of unit length.
 * @throws Failure rejected, when anything is not as it must be: a wrong vector would be found for
 * ever and look like a right one
 */
export function checkVectors(answer: readonly unknown[], count: number): Float32Array[] {
  if (answer.length !== count) throw wrong(`${answer.length} vectors for ${count} texts`);
  const vectors = answer.map(unitVector);
  const odd = vectors.find(({ length }) => length !== vectors[0]?.length);
  if (odd) throw wrong(`vectors of ${vectors[0]?.length} and of ${odd.length} numbers`);
  return vectors;
}

function unitVector(given: unknown): Float32Array {
  if (!Array.isArray(given) && !(given instanceof Float32Array)) {
    throw wrong('something that is no vector of numbers');
  }
  if (given.length === 0) throw wrong('an empty vector');
  const numbers = given as ArrayLike<unknown>;
  let square = 0;
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i];
    if (typeof number !== 'number' || !Number.isFinite(number)) {
      throw wrong('a vector with something in it that is no number');
    }
    square += number * number;
  }
  if (square === 0) throw wrong('a vector of zeros');
  if (!Number.isFinite(square)) throw wrong('a vector with numbers beyond all bounds');
  return scaled(numbers as ArrayLike<number>, 1 / Math.sqrt(square));
}

/** The beginning of a vector, of unit length again: for Matryoshka models only. */
export function shortened(vector: Float32Array, length: number): Float32Array {
  const head = vector.subarray(0, length);
  return unitVector(head);
}

function scaled(numbers: ArrayLike<number>, factor: number): Float32Array {
  return Float32Array.from(numbers, (number) => number * factor);
}

function wrong(what: string): Failure {
  return new Failure('rejected', `answered with ${what}`, {
    hint: 'Check that the address and the model are those of an embedding model.',
  });
}
