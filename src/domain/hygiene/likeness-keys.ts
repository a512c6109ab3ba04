import { drawerOf } from '../identity.ts';
import type { Memory } from '../memory.ts';
import { keptByText } from '../text/by-text.ts';
import { looseForm } from './loose-form.ts';
import { hashOf, mix, roughTerms } from './rough-terms.ts';

/** Bands of MinHash; two texts that agree in all rows of one share a key. */
const BANDS = 3;
const MOST_ROWS = 3;
/** A short text has few words that can agree: fewer rows, so that it is found all the same. */
const SHORT_TERMS = 12;
const LEAST_TERMS = 3;
/** How many memories that share a key are looked at, the newest: a template may have thousands. */
export const MOST_ALIKE = 4;

type Placed = Pick<Memory, 'project' | 'agent' | 'body'>;

/**
 * Keys that memories of one project and drawer share if their texts are the same but for how they are
 * written down, and most likely if they are much alike: one of the loose form, and bands of MinHash
 * over the words (Broder 1997; banding: Indyk, Motwani 1998). A pair whose words overlap (Jaccard) by
 * 0.8 shares a band with 0.88 in a long text and 0.95 in a short one, a pair of 0.1 with 0.003 and 0.03.
 * Whole numbers below 2^53.
 */
export function likenessKeysOf(memory: Placed, isolated: boolean): readonly number[] {
  const place = hashOf(`${memory.project}\0${drawerOf(memory, isolated)}`);
  return signatureOf(memory.body).map((parts) => keyOf(place, parts));
}

/** What each key of a text is made of beside the place. */
const signatureOf = keptByText(newSignature);

function newSignature(body: string): number[][] {
  const loose = looseForm(body);
  const parts = loose === undefined ? [] : [[hashOf(loose), hashOf(loose, 7), loose.length]];
  const terms = roughTerms(body);
  if (terms.length < LEAST_TERMS) return parts;
  const rows = terms.length <= SHORT_TERMS ? MOST_ROWS - 1 : MOST_ROWS;
  for (let band = 0; band < BANDS; band++) {
    const part = [rows, band];
    for (let row = 1; row <= rows; row++) part.push(leastOf(terms, band * MOST_ROWS + row));
    parts.push(part);
  }
  return parts;
}

/** The least of the terms in the order that a seed gives them. */
function leastOf(terms: Uint32Array, seed: number): number {
  let least = 0xffffffff;
  for (const term of terms) {
    const mixed = mix(term ^ Math.imul(seed, 0x9e3779b1));
    if (mixed < least) least = mixed;
  }
  return least;
}

function keyOf(place: number, parts: readonly number[]): number {
  let high = mix(0x811c9dc5 ^ place);
  let low = mix(Math.imul(0x1b873593, 31) + place);
  for (const part of parts) {
    high = mix(high ^ part);
    low = mix(Math.imul(low, 31) + part);
  }
  return (high >>> 11) * 0x100000000 + (low >>> 0);
}
