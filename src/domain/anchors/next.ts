import { citeText, MOST_CITES, type Cite } from './cite.ts';
import { findCites } from './find.ts';

/** What a write says about cites. */
export interface CitesGiven {
  /** Whether the caller named some, or none; otherwise these were only found in the text. */
  readonly named: boolean;
  readonly cites: readonly Cite[];
}

/**
 * The cites of a memory after a change. What the old text cited goes with it, unless the new one cites
 * it too; what was named stays until others are named. What is cited again counts as it stands now.
 * @param body the new text; absent = it stays
 */
export function nextCites(
  before: { readonly body: string; readonly cites?: readonly Cite[] },
  { body = before.body, given }: { readonly body?: string; readonly given?: CitesGiven },
): readonly Cite[] {
  const inText = namesIn(before.body);
  const stillInText = namesIn(body);
  const kept = (before.cites ?? []).filter((cite) => {
    const name = citeText(cite);
    return inText.has(name) ? stillInText.has(name) : given?.named !== true;
  });
  return joinCites(kept, given?.cites ?? []);
}

/** Both, each place once. One that was cited before and has the same text stays as it is. */
export function joinCites(before: readonly Cite[], added: readonly Cite[]): readonly Cite[] {
  const joined = new Map(before.map((cite) => [citeText(cite), cite]));
  for (const cite of added) {
    const known = joined.get(citeText(cite));
    if (known?.hash !== undefined && says(known, cite)) continue;
    joined.set(citeText(cite), cite);
  }
  return [...joined.values()].slice(0, MOST_CITES);
}

/** A memory's cites as a field of it: none is no field. */
export function citesField(cites: readonly Cite[] | undefined): { cites?: readonly Cite[] } {
  return cites === undefined || cites.length === 0 ? {} : { cites };
}

/** Whether what is known of a place says all that is said again; what could not be read says nothing. */
function says(known: Cite, { hash, lines }: Cite): boolean {
  return hash === undefined || (hash === known.hash && lines === known.lines);
}

function namesIn(body: string): ReadonlySet<string> {
  return new Set(findCites(body).map(citeText));
}
