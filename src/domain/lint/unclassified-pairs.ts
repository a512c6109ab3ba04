import type { Memory } from '../memory.ts';
import { areRelated, type Checked, type LintSubjects } from './subjects.ts';

/** Tags of a memory that are looked at: their pairs grow with the square. */
const TAGS = 10;
/** Memories with the same two tags that are compared with each other: the newest. */
const COMPARED = 12;
/** Pairs that are listed: those that have most in common. */
const LISTED = 200;
/** Pairs kept while looking, before the weaker half is dropped. */
const KEPT = 20 * LISTED;
const MOST = 0.85;

interface Pair {
  readonly a: string;
  readonly b: string;
  readonly shared: readonly string[];
  /** Tags that both have ÷ tags of either. */
  readonly likeness: number;
}

/**
 * Pairs of memories that share two tags or more and are not related: nothing has said yet what they
 * have to do with each other. Looked up by pairs of tags, so that the work grows with the memories;
 * of a pair of tags that many memories bear, only the newest are compared.
 */
export function unclassifiedPairs(subjects: LintSubjects): Checked {
  const groups = byTagPair(subjects);
  const notes: string[] = [];
  let pairs: Pair[] = [];
  let total = 0;
  for (const [tags, members] of groups) {
    if (members.length < 2) continue;
    const newest = members.toSorted(newestFirst).slice(0, COMPARED);
    if (newest.length < members.length) {
      const { length } = members;
      notes.push(
        `unclassified_pairs: ${length} memories share ${tags}; the newest ${COMPARED} were compared`,
      );
    }
    for (const pair of pairsOf(newest, tags, subjects)) {
      total += 1;
      pairs.push(pair);
    }
    if (pairs.length > KEPT) pairs = pairs.sort(mostAlikeFirst).slice(0, LISTED);
  }
  const listed = pairs.sort(mostAlikeFirst).slice(0, LISTED);
  if (total > LISTED) notes.push(`unclassified_pairs: ${LISTED} of ${total} pairs are listed`);
  const findings = listed.map(({ a, b, shared, likeness }) => ({
    check: 'unclassified_pairs',
    severity: 'info' as const,
    confidence: Math.min(MOST, Math.round(likeness * 100) / 100),
    ids: [a, b],
    message: `${a} and ${b} share ${shared.join(', ')} and are not related`,
    fix: `loci relate ${a} related_to ${b}`,
  }));
  return { findings, notes: summed(notes) };
}

/** Memories by two of their tags, as `a + b`. */
function byTagPair({ memories }: LintSubjects): ReadonlyMap<string, readonly Memory[]> {
  const groups = new Map<string, Memory[]>();
  for (const memory of memories.values()) {
    const tags = tagsOf(memory);
    for (const [i, first] of tags.entries()) {
      for (const second of tags.slice(i + 1)) {
        const key = `${first} + ${second}`;
        const group = groups.get(key);
        if (group) group.push(memory);
        else groups.set(key, [memory]);
      }
    }
  }
  return groups;
}

/** A pair counts in the group of its first two common tags only, so that it is met once. */
function* pairsOf(
  members: readonly Memory[],
  group: string,
  subjects: LintSubjects,
): Iterable<Pair> {
  for (const [i, one] of members.entries()) {
    for (const other of members.slice(i + 1)) {
      const [mine, theirs] = [tagsOf(one), tagsOf(other)];
      const shared = mine.filter((tag) => theirs.includes(tag));
      if (`${shared[0]} + ${shared[1]}` !== group) continue;
      if (areRelated(one.id, other.id, subjects)) continue;
      const [a, b] = one.id < other.id ? [one.id, other.id] : [other.id, one.id];
      const likeness = shared.length / (mine.length + theirs.length - shared.length);
      yield { a, b, shared, likeness };
    }
  }
}

function tagsOf({ tags }: Memory): readonly string[] {
  return tags.toSorted().slice(0, TAGS);
}

function newestFirst(a: Memory, b: Memory): number {
  return a.created_at === b.created_at
    ? a.id < b.id
      ? -1
      : 1
    : a.created_at > b.created_at
      ? -1
      : 1;
}

function mostAlikeFirst(a: Pair, b: Pair): number {
  return b.likeness - a.likeness || (`${a.a} ${a.b}` < `${b.a} ${b.b}` ? -1 : 1);
}

/** A few notes word for word, many as one. */
function summed(notes: readonly string[]): readonly string[] {
  const few = 5;
  if (notes.length <= few) return notes;
  return [...notes.slice(0, few), `unclassified_pairs: and ${notes.length - few} more like these`];
}
