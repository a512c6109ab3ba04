import { piecesOf } from '../text/analyse.ts';
import { looseForm } from './loose-form.ts';

/** What one text is to another: the same claim, much alike, or neither. */
export type Likeness = 'same' | 'related' | 'different';

/** Share of common words (Dice) from which two texts are about one thing. */
const RELATED = 0.7;
/** Words that both must hold: two short notes share half of theirs by chance. */
const LEAST_SHARED = 3;
/** Characters of a text that are compared. */
const MOST_CHARACTERS = 4000;

/** A text that is ready to be compared, with what it costs to make so done once. */
export interface Compared {
  readonly loose: string | undefined;
  readonly terms: ReadonlySet<string>;
}

export function comparedOf(text: string): Compared {
  const pieces = piecesOf(text.slice(0, MOST_CHARACTERS));
  const whole = pieces.filter(({ kind }) => kind === 'word' || kind === 'exact');
  return { loose: looseForm(text), terms: new Set(whole.map(({ term }) => term)) };
}

/**
 * Compares two texts by stated rules. `same` only where nothing differs but how the text is written
 * down (`looseForm`): another word, number, order or negation is another claim, however much alike.
 * `score` is the share of common words, 0 to 1 (Dice 1945).
 */
export function compareTexts(a: Compared, b: Compared): { likeness: Likeness; score: number } {
  if (a.loose !== undefined && a.loose === b.loose) return { likeness: 'same', score: 1 };
  const [small, large] = a.terms.size < b.terms.size ? [a.terms, b.terms] : [b.terms, a.terms];
  let shared = 0;
  for (const term of small) if (large.has(term)) shared += 1;
  const score = small.size === 0 ? 0 : (2 * shared) / (small.size + large.size);
  const isRelated = score >= RELATED && shared >= LEAST_SHARED;
  return { likeness: isRelated ? 'related' : 'different', score };
}
