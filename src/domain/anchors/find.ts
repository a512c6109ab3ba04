import { citeText, MOST_CITES, parseCite, type Cite } from './cite.ts';

/** Longer texts are searched this far. */
const SEARCHED_CHARACTERS = 100_000;
/** `src/a.ts:12`, `src/a.ts:12-40`: a file with an ending, and lines. Not inside a URL. */
const PLACE =
  /(?<![\w/.:@+-])((?:[\w@.+-]{1,100}\/){0,30}[\w@+.-]{0,100}\w\.[A-Za-z]\w{0,9}:[1-9]\d{0,6}(?:-[1-9]\d{0,6})?)(?![\w-])/g;
/** Whether there may be one: asked of every text that is written. */
const HAS_LINE = /\.[A-Za-z]\w{0,9}:[1-9]/;
/** What stands between backticks on one line. */
const TICKED = /`([^`\s]+)`/g;
/** With a folder or an ending, it may be a path. */
const PATH_LIKE = /^[^:#]*(?:\/[^:#]|\.[A-Za-z]\w{0,9}(?:$|[:#]))/;
const COMMIT = /\bcommit\s+`?([0-9a-f]{7,40})\b/gi;

/**
 * What a text cites: files with their lines, paths and `path#name` between backticks, commits by their
 * id. Only what it looks like: whether there is such a file is for others to see.
 */
export function findCites(body: string): readonly Cite[] {
  const text = body.slice(0, SEARCHED_CHARACTERS);
  const found = new Map<string, Cite>();
  const add = (cite: Cite | undefined): void => {
    if (cite && found.size < MOST_CITES) found.set(citeText(cite), cite);
  };
  for (const [, ticked = ''] of text.matchAll(TICKED)) {
    if (PATH_LIKE.test(ticked)) add(parseCite(ticked));
  }
  if (HAS_LINE.test(text)) {
    for (const [, place = ''] of text.matchAll(PLACE)) add(parseCite(place));
  }
  for (const [, commit = ''] of text.matchAll(COMMIT)) {
    // Without a digit it may be a word.
    if (/\d/.test(commit)) add({ commit: commit.toLowerCase() });
  }
  return [...found.values()];
}
