import type { Memory } from './memory.ts';
import { rarePairs } from './rare-pairs.ts';
import { EXACT } from './text/identifiers.ts';
import { piecesOf } from './text/analyse.ts';
import { denies } from './text/denial.ts';

/** Share of the words of both (Dice) from which two texts say the same, but for a word or two. */
const COPY = 0.9;

/** Memories that say the same; `likeness` is the least of those that hold the group together. */
export interface AlikeGroup {
  readonly ids: readonly string[];
  readonly likeness: number;
}

interface Read {
  readonly id: string;
  readonly body: string;
  readonly words: readonly string[];
  readonly wordSet: ReadonlySet<string>;
  readonly denies: boolean;
}

/**
 * Groups of memories that say the same in the same or nearly the same words, by their first id.
 * Another number or identifier, or a denial, make it another claim.
 */
export function alikeGroups(memories: readonly Memory[]): readonly AlikeGroup[] {
  const read = memories.map(readOf);
  const groups = new Groups(read.map(({ id }) => id));
  const byText = new Map<string, string>();
  for (const { id, body } of read) {
    const text = body.trim();
    const other = byText.get(text);
    if (other === undefined) byText.set(text, id);
    else groups.join(other, id, 1);
  }
  for (const [i, j] of rarePairs(read.map(({ words }) => words))) {
    const [a, b] = [read[i] as Read, read[j] as Read];
    const likeness = likenessOf(a, b);
    if (likeness !== undefined) groups.join(a.id, b.id, likeness);
  }
  return groups.all();
}

function readOf({ id, body }: Memory): Read {
  const wordSet = new Set(piecesOf(body).map(({ term }) => term));
  return { id, body, words: [...wordSet], wordSet, denies: denies(body) };
}

function likenessOf(a: Read, b: Read): number | undefined {
  if (a.denies !== b.denies) return undefined;
  const all = a.words.length + b.words.length;
  if ((2 * Math.min(a.words.length, b.words.length)) / all < COPY) return undefined;
  const onlyA = a.words.filter((word) => !b.wordSet.has(word));
  const onlyB = b.words.filter((word) => !a.wordSet.has(word));
  const likeness = 1 - (onlyA.length + onlyB.length) / all;
  if (likeness < COPY || [...onlyA, ...onlyB].some(isValue)) return undefined;
  return Math.round(likeness * 100) / 100;
}

function isValue(term: string): boolean {
  return term.startsWith(EXACT) || /\d/.test(term);
}

/** Ids in groups that grow together (disjoint sets). */
class Groups {
  readonly #parents: Map<string, string>;
  readonly #likeness = new Map<string, number>();

  constructor(ids: readonly string[]) {
    this.#parents = new Map(ids.map((id) => [id, id]));
  }

  join(a: string, b: string, likeness: number): void {
    const [first, second] = [this.#root(a), this.#root(b)].sort() as [string, string];
    const known = [first, second].map((id) => this.#likeness.get(id) ?? 1);
    this.#parents.set(second, first);
    this.#likeness.set(first, Math.min(likeness, ...known));
  }

  all(): AlikeGroup[] {
    const groups = new Map<string, string[]>();
    for (const id of [...this.#parents.keys()].sort()) {
      const root = this.#root(id);
      const group = groups.get(root);
      if (group) group.push(id);
      else groups.set(root, [id]);
    }
    return [...groups.entries()]
      .filter(([, ids]) => ids.length > 1)
      .map(([root, ids]) => ({ ids, likeness: this.#likeness.get(root) ?? 1 }));
  }

  #root(id: string): string {
    let root = id;
    for (let up = this.#parents.get(root); up !== root; up = this.#parents.get(root)) {
      root = up as string;
    }
    // Whoever asks next has a short way.
    for (let at = id; at !== root;) {
      const up = this.#parents.get(at) as string;
      this.#parents.set(at, root);
      at = up;
    }
    return root;
  }
}
