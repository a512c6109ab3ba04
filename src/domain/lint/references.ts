import { TYPES, typeRow } from '../lifecycle.ts';
import type { Memory } from '../memory.ts';

/** A place at which one memory names another. */
export interface Reference {
  readonly id: string;
  /** relation, supersedes, superseded_by, link or text. */
  readonly by: 'relation' | 'supersedes' | 'superseded_by' | 'link' | 'text';
}

const PREFIXES = TYPES.map((type) => typeRow(type).prefix).join('|');
/** Ids as this program makes them: with a date, so that no other word is taken for one. */
const ID = new RegExp(`\\b(?:${PREFIXES})-\\d{4}-\\d{2}-\\d{2}-[A-Z0-9-]*[A-Z0-9]\\b`, 'g');
/** Links to a memory by an id of ours, whoever chose it; other links are its owner's notes. */
const LINK = new RegExp(`\\[\\[((?:${PREFIXES})-[A-Z0-9-]*[A-Z0-9])(?:[|#][^\\]]*)?\\]\\]`, 'g');
/** Longer texts are searched this far. */
const SEARCHED_CHARACTERS = 100_000;

/** The memories that one names, each once, by the strongest way in which it does. */
export function referencesOf(memory: Memory): readonly Reference[] {
  const found = new Map<string, Reference['by']>();
  const add = (id: string | undefined, by: Reference['by']): void => {
    if (id !== undefined && id !== memory.id && !found.has(id)) found.set(id, by);
  };
  for (const { target } of memory.relations) add(target, 'relation');
  add(memory.supersedes, 'supersedes');
  add(memory.superseded_by, 'superseded_by');
  const text = memory.body.slice(0, SEARCHED_CHARACTERS);
  for (const [, id] of text.matchAll(LINK)) add(id, 'link');
  for (const [id] of text.matchAll(ID)) add(id, 'text');
  return [...found].map(([id, by]) => ({ id, by }));
}
