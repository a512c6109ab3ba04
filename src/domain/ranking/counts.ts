/**
 * How often a term stands in each field of a memory, in 16 bits:
 *
 *     bits 0–5 body (0..63) | 6–9 head (0..15) | 10–11 tags (0..3) | 12–15 context (0..15)
 *
 * Head is title, speaker and month, tags are tags and paths, context is the preceding memory of the
 * same session. Counts saturate; past these limits BM25 is flat anyway.
 */
export type Field = 'body' | 'head' | 'tags' | 'context';

const LAYOUT = {
  body: { shift: 0, max: 63 },
  head: { shift: 6, max: 15 },
  tags: { shift: 10, max: 3 },
  context: { shift: 12, max: 15 },
} as const;

/** The bits of the head. */
export const HEAD_MASK = LAYOUT.head.max << LAYOUT.head.shift;

/** Count of a field. */
export function countIn(counts: number, field: Field): number {
  const { shift, max } = LAYOUT[field];
  return (counts >>> shift) & max;
}

/** Counts with one more occurrence in a field; saturating. */
export function addOne(counts: number, field: Field): number {
  const { shift, max } = LAYOUT[field];
  return ((counts >>> shift) & max) === max ? counts : counts + (1 << shift);
}
