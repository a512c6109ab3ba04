import { seededRandom } from '../domain/random.ts';
import { meanOf } from './metrics.ts';

/** Always the same numbers, so that the same two runs give the same interval. */
export const BOOTSTRAP = { confidence: 0.95, resamples: 10_000, seed: 1 } as const;

/**
 * In which the mean of what was sampled lies: the percentile bootstrap (Efron and Tibshirani 1993,
 * chapter 13). As many values as there are, drawn with replacement; the means of 10,000 such draws,
 * without the outer 2.5 % on either side.
 * @param values at least one
 */
export function bootstrapInterval(values: readonly number[]): readonly [low: number, high: number] {
  const { confidence, resamples, seed } = BOOTSTRAP;
  if (new Set(values).size === 1) {
    const mean = meanOf(values) as number;
    return [mean, mean];
  }
  const random = seededRandom(seed);
  const sample = Float64Array.from(values);
  const size = sample.length;
  const means = new Float64Array(resamples);
  for (let i = 0; i < resamples; i++) {
    let sum = 0;
    for (let drawn = 0; drawn < size; drawn++) sum += sample[Math.floor(random() * size)] as number;
    means[i] = sum / size;
  }
  means.sort();
  const outside = Math.floor(((1 - confidence) / 2) * resamples + 1e-9);
  return [means[outside] as number, means[resamples - 1 - outside] as number];
}
