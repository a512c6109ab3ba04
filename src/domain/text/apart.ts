/** V8 copies a part of a text that is shorter; a longer one keeps the whole text. */
const KEEPS_ITS_TEXT = 13;

/** A part of a text that can be kept without the text. */
export function apart(part: string): string {
  return part.length < KEEPS_ITS_TEXT ? part : (JSON.parse(JSON.stringify(part)) as string);
}
