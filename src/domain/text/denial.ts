const DENIES =
  /\b(?:not?|never|none|cannot|without|nicht|kein(?:e[mnrs]?)?|pas|jamais|nunca|sin)\b|n['’]t\b/iu;

/** Whether a text denies something: with a word that an index leaves out. */
export function denies(text: string): boolean {
  return DENIES.test(text);
}
