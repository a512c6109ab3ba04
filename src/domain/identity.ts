import { sha256 } from './hash.ts';
import { typeRow } from './lifecycle.ts';
import type { Memory } from './memory.ts';

const NATIVE_ID = /^[A-Z0-9][A-Z0-9-]{6,94}[A-Z0-9]$/;
const MAX_ID = 96;
/** Crockford's base 32: no I, L, O, U, so that an id can be read aloud. */
const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Whether a string can be an id of ours (and so a file name) as it is. */
export function isNativeId(id: string): boolean {
  return NATIVE_ID.test(id);
}

/** Folds a text to the characters of an id: accents dropped, everything else becomes dashes. */
export function slugOf(text: string, maxLength = 48): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/['’]/g, '')
    .replace(/[^A-Z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  if (plain.length <= maxLength) return plain;
  const cut = plain.lastIndexOf('-', maxLength);
  return plain.slice(0, cut > maxLength / 2 ? cut : maxLength).replace(/-+$/, '');
}

export interface IdParts {
  readonly type: string;
  /** ISO time; its UTC date stands in the id. */
  readonly createdAt: string;
  /** What the slug is made from. */
  readonly heading: string;
  /** Random characters that tell memories of one day and heading apart. */
  readonly suffix: string;
}

/** `DECI-2026-03-09-FILE-FIRST-ARCHITECTURE-7K2M`: prefix, date, slug, suffix. */
export function memoryId({ type, createdAt, heading, suffix }: IdParts): string {
  const words = heading.split(/\s+/).slice(0, 8).join(' ');
  const head = `${typeRow(type).prefix}-${createdAt.slice(0, 10)}`;
  const slug = slugOf(words, MAX_ID - head.length - suffix.length - 2 - 28);
  return [head, slug, suffix].filter((part) => part !== '').join('-');
}

/** Characters for ids and hashes that people read, from random or hashed bytes. */
export function base32(bytes: Uint8Array, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += BASE32[(bytes[i] ?? 0) & 31];
  return text;
}

/**
 * What identity looks at: composition and outer blanks do not make another text. Case does
 * (`-v` is not `-V`): a correction must never be taken for a duplicate.
 */
function normaliseBody(body: string): string {
  return body.normalize('NFC').replaceAll('\r\n', '\n').trim();
}

/** Live content is unique by this key; texts are never compared across projects or drawers. */
export function contentKey(project: string, drawer: string, body: string): string {
  return sha256(JSON.stringify([project, drawer]) + normaliseBody(body));
}

type Content = Pick<Memory, 'project' | 'agent' | 'body'>;

/** A memory does not change, and on its way into a store it is asked for its key several times. */
const keys = new WeakMap<Content, { readonly drawer: string; readonly key: string }>();

/** `contentKey` of a memory in its drawer. */
export function contentKeyOf(memory: Content, isolated: boolean): string {
  const drawer = drawerOf(memory, isolated);
  const known = keys.get(memory);
  if (known?.drawer === drawer) return known.key;
  const key = contentKey(memory.project, drawer, memory.body);
  keys.set(memory, { drawer, key });
  return key;
}

/** The drawer that a memory's content is unique in: its agent's when agents are isolated. */
export function drawerOf(memory: { readonly agent?: string }, isolated: boolean): string {
  return isolated ? (memory.agent ?? '') : '';
}
