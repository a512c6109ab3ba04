/** `one`: a character but `/`; `name`: any of those; `deep`: anything; `folders`: whole folders, or none. */
type Part = { readonly is: 'one' | 'name' | 'deep' | 'folders' } | { readonly char: string };

const MARKS: Readonly<Record<string, Part>> = {
  '**/': { is: 'folders' },
  '**': { is: 'deep' },
  '*': { is: 'name' },
  '?': { is: 'one' },
};

const parsed = new Map<string, readonly Part[]>();

/** No system knows longer paths. */
const LONGEST_PATH = 4096;

/**
 * Path globs: `*` and `?` stay within a folder, `**` crosses folders, everything else is literal.
 * A pattern without a slash also matches the last part of a path, and a folder matches what is
 * below it.
 */
export function matchesGlob(pattern: string, path: string): boolean {
  const wanted = clean(pattern);
  let parts = parsed.get(wanted);
  if (!parts) {
    parts = partsOf(wanted);
    if (parsed.size > 200) parsed.clear();
    parsed.set(wanted, parts);
  }
  const subject = clean(path);
  if (subject.length > LONGEST_PATH) return false;
  if (matches(parts, subject)) return true;
  return !wanted.includes('/') && matches(parts, subject.slice(subject.lastIndexOf('/') + 1));
}

function clean(path: string): string {
  const plain = path.replaceAll('\\', '/').replace(/^\.\//, '');
  let end = plain.length;
  while (plain[end - 1] === '/') end -= 1;
  return plain.slice(0, end);
}

function partsOf(pattern: string): Part[] {
  const found = pattern.match(/\*\*\/?|[^]/gu) ?? [];
  return found.map((text) => (Object.hasOwn(MARKS, text) ? (MARKS[text] as Part) : { char: text }));
}

/**
 * Follows all ways through the pattern at once, character by character: its time is that of both lengths
 * multiplied, where a regular expression tries one way after the other (Thompson 1968).
 */
function matches(parts: readonly Part[], path: string): boolean {
  const end = parts.length;
  let at = new Set<number>();
  /** Positions of `folders` whose folder has begun. */
  let inside = new Set<number>();
  const reach = (to: Set<number>, place: number): void => {
    for (let i = place; !to.has(i); i++) {
      to.add(i);
      const part = parts[i];
      if (!part || 'char' in part || part.is === 'one') return;
    }
  };
  reach(at, 0);
  for (const char of path) {
    if (char === '/' && at.has(end)) return true;
    const next = new Set<number>();
    const nextInside = new Set<number>();
    const enter = (place: number): void => {
      nextInside.add(place);
      if (char === '/') reach(next, place + 1);
    };
    for (const place of inside) enter(place);
    for (const place of at) {
      const part = parts[place];
      if (!part) continue;
      if ('char' in part) {
        if (part.char === char) reach(next, place + 1);
      } else if (part.is === 'folders') enter(place);
      else if (part.is === 'deep') reach(next, place);
      else if (char !== '/') reach(next, part.is === 'one' ? place + 1 : place);
    }
    [at, inside] = [next, nextInside];
    if (at.size === 0 && inside.size === 0) return false;
  }
  return at.has(end);
}
