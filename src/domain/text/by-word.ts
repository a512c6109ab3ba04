import { apart } from './apart.ts';

/**
 * What a function says of a word, kept for the words that were asked: text repeats itself. Emptied when
 * full. The function is given words apart from their text, so that it may keep them, too.
 * @param most words that are kept
 * @param longest characters of a word that is kept
 */
export function keptByWord<T>(
  make: (word: string) => T,
  { most, longest }: { most: number; longest: number },
): (word: string) => T {
  const known = new Map<string, { readonly value: T }>();
  return (word) => {
    const before = known.get(word);
    if (before) return before.value;
    const kept = apart(word);
    const value = make(kept);
    if (kept.length > longest) return value;
    if (known.size >= most) known.clear();
    known.set(kept, { value });
    return value;
  };
}
