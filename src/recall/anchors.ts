import { citeText } from '../domain/anchors/cite.ts';
import type { Anchor } from '../domain/anchors/judge.ts';
import type { Memory } from '../domain/memory.ts';
import type { GotCite, Signal } from '../domain/results.ts';
import { lookAtCode, type Anchors } from '../ports/anchors.ts';
import type { Deps } from '../ports/deps.ts';

/** How long a recall waits for the code that its answers cite, milliseconds. */
const BUDGET_MS = 8;
/** Answers whose code is looked at. */
const LOOKED_AT = 50;

/** How the code cited by the first answers stands, as far as a moment allows. */
export function anchorsInTime(memories: readonly Memory[], deps: Deps): Promise<Anchors> {
  return lookAtCode(memories.slice(0, LOOKED_AT), deps, BUDGET_MS);
}

/** What is to be said of the code that a memory cites: nothing where it is as it was. */
export function anchorSignals(
  { id, cites = [] }: Memory,
  anchors: Anchors | undefined,
): readonly Signal[] {
  const states = anchors?.get(id);
  return cites.flatMap((cite): Signal[] => {
    const anchor = states?.get(citeText(cite));
    if (!anchor || anchor.state === 'fresh') return [];
    return [{ kind: 'anchor', message: `cites ${citeText(cite)}: ${stateText(anchor)}` }];
  });
}

function stateText({ state, lines }: Anchor): string {
  if (state === 'changed') return 'changed since';
  return state === 'gone' ? 'gone' : `moved to lines ${lines}`;
}

/** The cites of a memory with how they stand. */
export function citesShown(
  { id, cites }: Memory,
  anchors: Anchors,
): { readonly cites?: readonly GotCite[] } {
  if (!cites) return {};
  const states = anchors.get(id);
  return {
    cites: cites.map((cite): GotCite => {
      const { state, lines } = states?.get(citeText(cite)) ?? {};
      return { ...cite, ...(state ? { state } : {}), ...(lines ? { lines_now: lines } : {}) };
    }),
  };
}
