import type { Diagnosis } from '../finding.ts';
import { drawerOf } from '../identity.ts';
import type { Memory } from '../memory.ts';
import { similarPairs } from '../similarity/similar-pairs.ts';
import { piecesOf } from '../text/analyse.ts';
import { EXACT } from '../text/identifiers.ts';
import { areRelated, newerFirst, type Checked, type LintSubjects } from './subjects.ts';

/** Share of common words from which two texts nearly say the same. */
const ALIKE = 0.8;
/** Characters of a text that are compared. */
const COMPARED_CHARACTERS = 4000;
/** Likeness of words is a hint, never enough to act on. */
const MOST = 0.89;
/** Alike but for a number, a name or a denial: perhaps two claims. */
const OTHER_CLAIM = 0.5;
const LISTED = 200;
const DENIAL =
  /\b(?:not?|never|none|cannot|without|nicht|kein(?:e[mnrs]?)?|pas|jamais|nunca|sin)\b|n['’]t\b/iu;

/**
 * Pairs of memories of one drawer that say nearly the same and are not related. Another number,
 * identifier or denial is said: then one of them may simply be out of date.
 */
export function nearDuplicates(subjects: LintSubjects): Checked {
  const findings: Diagnosis[] = [];
  const notes: string[] = [];
  let total = 0;
  for (const drawer of drawersOf(subjects)) {
    const terms = new Map(drawer.map((memory) => [memory.id, termsOf(memory)]));
    const { pairs, capped } = similarPairs(
      [...terms].map(([id, set]) => ({ id, terms: set })),
      ALIKE,
    );
    if (capped > 0) {
      notes.push(
        `near_duplicates: ${capped} memories resemble too many others to compare them all`,
      );
    }
    for (const { a, b, likeness } of pairs) {
      if (areRelated(a, b, subjects)) continue;
      total += 1;
      if (findings.length >= LISTED) continue;
      const [one, other] = [subjects.memories.get(a) as Memory, subjects.memories.get(b) as Memory];
      findings.push(diagnosisOf(newerFirst(one, other), likeness, terms));
    }
  }
  if (total > LISTED) notes.push(`near_duplicates: ${LISTED} of ${total} pairs are listed`);
  return { findings, notes };
}

/** Texts are never compared across drawers. Sessions are retold in like words, and are no copies. */
function drawersOf({ memories, isolated }: LintSubjects): Iterable<readonly Memory[]> {
  const drawers = new Map<string, Memory[]>();
  for (const memory of memories.values()) {
    if (memory.type === 'episode') continue;
    const drawer = drawerOf(memory, isolated);
    const members = drawers.get(drawer);
    if (members) members.push(memory);
    else drawers.set(drawer, [memory]);
  }
  return drawers.values();
}

function diagnosisOf(
  [newer, older]: readonly [Memory, Memory],
  likeness: number,
  terms: ReadonlyMap<string, ReadonlySet<string>>,
): Diagnosis {
  const differing = [...(terms.get(newer.id) ?? [])]
    .concat([...(terms.get(older.id) ?? [])])
    .filter((term) => !(terms.get(newer.id)?.has(term) && terms.get(older.id)?.has(term)));
  const isOther =
    DENIAL.test(newer.body) !== DENIAL.test(older.body) ||
    differing.some((term) => term.startsWith(EXACT) || /\d/.test(term));
  const percent = Math.round(likeness * 100);
  const but = isOther ? ', but for a number, a name or a denial' : '';
  return {
    check: 'near_duplicates',
    severity: 'info',
    confidence: isOther ? OTHER_CLAIM : Math.min(MOST, Math.round(likeness * 100) / 100),
    ids: [newer.id, older.id],
    message: `${newer.id} and ${older.id} have ${percent} % of their words in common${but}`,
    fix: `loci relate ${newer.id} supersedes ${older.id}`,
  };
}

function termsOf({ title = '', body }: Memory): ReadonlySet<string> {
  const text = `${title}\n${body.slice(0, COMPARED_CHARACTERS)}`;
  return new Set(piecesOf(text).map(({ term }) => term));
}
