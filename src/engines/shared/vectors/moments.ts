/** Cosines are counted in steps of this size, so that their sums are whole and have no order. */
const STEPS = 65_536;

/**
 * Mean and standard deviation of cosines, the same to the last bit in whatever order they come, for
 * up to two million of them. A cosine moves by up to 1/131,072 for it.
 */
export class Moments {
  #count = 0;
  #sum = 0;
  #squares = 0;

  add(cosine: number): void {
    const steps = Math.round(cosine * STEPS);
    this.#count += 1;
    this.#sum += steps;
    this.#squares += steps * steps;
  }

  result(): { readonly mean: number; readonly deviation: number; readonly compared: number } {
    const compared = this.#count;
    if (compared === 0) return { mean: 0, deviation: 0, compared };
    const mean = this.#sum / compared;
    const variance = Math.max(0, this.#squares / compared - mean * mean);
    return { mean: mean / STEPS, deviation: Math.sqrt(variance) / STEPS, compared };
  }
}
