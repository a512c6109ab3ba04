/** Characters of the texts whose answers are kept. */
const MOST_CHARACTERS = 8_000_000;

/**
 * What a function says of a text, kept for those that were asked last: a write asks several times for its
 * own, a batch for its neighbours'. Emptied when full, which bounds it without bookkeeping for each use.
 */
export function keptByText<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, { readonly value: T }>();
  let characters = 0;
  return (text) => {
    const before = known.get(text);
    if (before) return before.value;
    const value = make(text);
    if (characters > MOST_CHARACTERS) {
      known.clear();
      characters = 0;
    }
    known.set(text, { value });
    characters += text.length;
    return value;
  };
}
