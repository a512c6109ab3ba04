import { citeText, type Cite } from '../anchors/cite.ts';
import type { Diagnosis } from '../finding.ts';
import type { Memory } from '../memory.ts';
import type { LintSubjects } from './subjects.ts';

const CHANGED = 0.7;
const GONE = 0.8;

/** Memories that cite code which has another text by now, or is not there any more. */
export function outdatedAnchors(subjects: LintSubjects): readonly Diagnosis[] {
  return [...subjects.memories.values()].flatMap((memory) =>
    (memory.cites ?? []).flatMap((cite) => {
      const state = subjects.anchors.get(memory.id)?.get(citeText(cite))?.state;
      return state === 'changed' || state === 'gone' ? [outdated(memory, cite, state)] : [];
    }),
  );
}

function outdated({ id, cites = [] }: Memory, cite: Cite, state: 'changed' | 'gone'): Diagnosis {
  const isGone = state === 'gone';
  return {
    check: 'outdated_anchors',
    severity: 'warning',
    confidence: isGone ? GONE : CHANGED,
    ids: [id],
    message: `${id} cites ${citeText(cite)}, which ${isGone ? 'is gone' : 'has changed since'}`,
    // Cited again, a place counts as it stands now.
    fix: isGone ? `loci get ${id}` : `loci update ${id} --cites ${placesOf(cites)}`,
  };
}

function placesOf(cites: readonly Cite[]): string {
  const places = cites.filter(({ path }) => path !== undefined);
  return places.map(citeText).join(',');
}
