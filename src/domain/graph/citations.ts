import type { Memory } from '../memory.ts';
import { scan } from '../text/scan.ts';
import { titleOf } from './names.ts';

/** One memory whose text names another. */
export interface Citation {
  readonly source: string;
  readonly target: string;
  /** How often it does. */
  readonly mentions: number;
}

/** A name that several memories bear, so that it cites none. */
export interface SharedName {
  readonly name: string;
  /** Ids of those that bear it. */
  readonly ids: readonly string[];
}

/** Longer names are sentences, and nobody repeats those. */
const MOST_WORDS = 12;
/** A single short word is no name: too many texts hold it by chance. */
const LEAST_LETTERS = 4;

interface Node {
  readonly next: Map<string, Node>;
  /** Who bears the name that ends here, and how it is written. */
  owners?: Set<string>;
  name?: string;
}

/**
 * Names of memories as a tree of words, so that a text is read once for all of them: the time grows
 * with the length of the texts, not with the number of names (as with Aho, Corasick 1975, over words
 * instead of characters). Words are compared as search compares them, without case, ending and
 * function words.
 */
export class ConceptIndex {
  readonly #root: Node = { next: new Map() };
  names = 0;

  /** Adds the names of a memory: its title, and the words of an id that was made from words. */
  add(memory: Pick<Memory, 'id' | 'title' | 'body'>): void {
    for (const name of [titleOf(memory), wordsOfId(memory.id)]) {
      if (name === undefined) continue;
      const words = streamOf(name).map(({ term }) => term);
      if (!isName(name, words)) continue;
      let node = this.#root;
      for (const word of words) {
        let next = node.next.get(word);
        if (!next) node.next.set(word, (next = { next: new Map() }));
        node = next;
      }
      if (!node.owners) this.names += 1;
      node.name ??= name;
      (node.owners ??= new Set()).add(memory.id);
    }
  }

  /** Whom a text names, and how often. Of names that overlap the longest counts. */
  citedBy({ id, body }: Pick<Memory, 'id' | 'body'>): ReadonlyMap<string, number> {
    const words = streamOf(body);
    const cited = new Map<string, number>();
    for (let at = 0; at < words.length;) {
      const { owner, length } = this.#longestAt(words, at);
      if (owner !== undefined && owner !== id) cited.set(owner, (cited.get(owner) ?? 0) + 1);
      at += length;
    }
    return cited;
  }

  /** Names that cite nobody, because several memories bear them; by name. */
  shared(): readonly SharedName[] {
    const found: SharedName[] = [];
    const waiting = [this.#root];
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      const { owners, name = '' } = node;
      if (owners && owners.size > 1) found.push({ name, ids: [...owners].sort() });
      waiting.push(...node.next.values());
    }
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The longest name that begins at a word; one that several bear is passed over as a whole. */
  #longestAt(words: readonly Word[], at: number): { owner: string | undefined; length: number } {
    let node: Node | undefined = this.#root;
    let best: { owner: string | undefined; length: number } = { owner: undefined, length: 1 };
    for (let i = at; i < words.length; i++) {
      const { term, adjacent } = words[i] as Word;
      if (i > at && !adjacent) break;
      node = node.next.get(term);
      if (!node) break;
      const { owners } = node;
      if (!owners) continue;
      const [owner] = owners;
      best = { owner: owners.size === 1 ? owner : undefined, length: i - at + 1 };
    }
    return best;
  }
}

interface Word {
  readonly term: string;
  readonly adjacent: boolean;
}

function streamOf(text: string): Word[] {
  return scan(text).filter(({ inStream }) => inStream);
}

function isName(name: string, words: readonly string[]): boolean {
  if (words.length > 1) return words.length <= MOST_WORDS;
  // A character of a dense script says as much as a word.
  return words.length === 1 && (name.trim().length >= LEAST_LETTERS || /[^\0-\x7f]/.test(name));
}

/** `DECI-2026-03-09-FILE-FIRST-7K2M` is about "file first"; other ids were given by hand. */
const MADE_OF_WORDS = /^[A-Z]{4}-\d{4}-\d{2}-\d{2}-(.+)-[0-9A-Z]{4,10}$/;

function wordsOfId(id: string): string | undefined {
  return MADE_OF_WORDS.exec(id)?.[1]?.replaceAll('-', ' ').toLowerCase();
}
