/** Most document numbers; times two million spaces it is still a whole number of JavaScript. */
export const DELTA_DOCS = 2 ** 32;

/** Key of a waiting document: those of a space follow one another. */
export function deltaKey(space: number, doc: number): number {
  return space * DELTA_DOCS + doc;
}
