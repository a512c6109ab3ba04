import { citeText, MOST_CITES, parseCite, type Cite } from '../domain/anchors/cite.ts';
import { findCites } from '../domain/anchors/find.ts';
import { anchored } from '../domain/anchors/judge.ts';
import type { CitesGiven } from '../domain/anchors/next.ts';
import { LociError, quote } from '../domain/errors.ts';
import type { CodeFolder } from '../ports/workspace.ts';

interface Citing {
  readonly body?: string | undefined;
  readonly named?: readonly string[] | undefined;
}

/** What a write cites, and what about it wants saying. */
interface Cited {
  readonly given?: CitesGiven;
  readonly notes: readonly string[];
}

/**
 * Looks up what a memory cites, named by its writer or found in its text, and keeps what the places
 * hold now. What was only found in a text counts where there is such a file.
 * @param codeFolder gives the folder of the memory's project; asked only where something is cited. Without
 *   one nothing can be looked up, and what was named is kept as it was given
 * @throws LociError invalid_input for a name that is no place, or that leads out of the folder
 */
export async function citesOf(
  { body, named }: Citing,
  codeFolder: () => Promise<CodeFolder | undefined>,
): Promise<Cited> {
  const wanted = placesNamed(named ?? []);
  const found = body === undefined ? [] : findCites(body);
  const code = wanted.length > 0 || found.length > 0 ? await codeFolder() : undefined;
  const notes: string[] = [];
  const cites: Cite[] = [];
  for (const cite of wanted) {
    const { kept, note, isOutside } = code ? lookUp(cite, code) : { kept: cite };
    if (isOutside) throw wayOut(cite, code?.root ?? '');
    cites.push(kept ?? cite);
    if (note !== undefined) notes.push(`cites: ${note}`);
  }
  const names = new Set(wanted.map(citeText));
  for (const cite of code ? found : []) {
    if (names.has(citeText(cite)) || cites.length >= MOST_CITES) continue;
    const { kept } = lookUp(cite, code as CodeFolder);
    if (kept) cites.push(kept);
  }
  if (named === undefined && cites.length === 0) return { notes };
  return { given: { named: named !== undefined, cites: dated(cites, code) }, notes };
}

function placesNamed(texts: readonly string[]): readonly Cite[] {
  if (texts.length > MOST_CITES) {
    throw new LociError(
      'invalid_input',
      `cites names ${texts.length} places`,
      `A memory cites ${MOST_CITES} at most: several memories say more.`,
    );
  }
  return texts.map((text) => {
    const cite = parseCite(text);
    if (cite) return cite;
    throw new LociError(
      'invalid_input',
      `cites is ${quote(text)}`,
      "Give a path below the project's folder: src/a.ts, src/a.ts#name or src/a.ts:12-40.",
    );
  });
}

function wayOut(cite: Cite, root: string): LociError {
  return new LociError(
    'invalid_input',
    `cites is ${quote(citeText(cite))}, which leads out of ${root}`,
    "Cite files of the project's own folder.",
  );
}

interface LookedUp {
  /** The place with what it holds now; absent = there is nothing of the kind. */
  readonly kept?: Cite;
  readonly note?: string;
  readonly isOutside?: boolean;
}

function lookUp(cite: Cite, code: CodeFolder): LookedUp {
  const { path } = cite;
  if (path === undefined) return { kept: cite };
  const file = code.read(path);
  if (file === 'outside') return { isOutside: true };
  if (file === 'missing') return { note: `there is no ${path} in ${code.root}` };
  // A folder, or no text: that it is there is all that can be told.
  if (file === 'unreadable') return { kept: cite };
  const kept = anchored(cite, file);
  return kept ? { kept } : { note: `${citeText(cite)} was not found in that file` };
}

/** With the commit that is checked out, where a place was read. */
function dated(cites: readonly Cite[], code: CodeFolder | undefined): readonly Cite[] {
  if (!code || !cites.some(({ hash }) => hash !== undefined)) return cites;
  const commit = code.head();
  if (commit === undefined) return cites;
  return cites.map(({ hash, ...cite }) => (hash === undefined ? cite : { ...cite, commit, hash }));
}
