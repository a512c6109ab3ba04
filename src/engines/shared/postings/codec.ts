import type { IndexEntry } from '../../../domain/ranking/entry.ts';
import type { PostingList } from './segment.ts';

/**
 * Blobs are little-endian columns one after another, so that reading is a copy and no parsing:
 * a posting list of n documents is n × u32 next, n × u16 local, n × u16 counts.
 */
const POSTING_BYTES = 8;

/** @param flat local, counts, next of one posting after the other */
export function encodePostings(flat: readonly number[]): Uint8Array {
  const n = flat.length / 3;
  const buffer = new ArrayBuffer(n * POSTING_BYTES);
  const next = new Uint32Array(buffer, 0, n);
  const locals = new Uint16Array(buffer, 4 * n, n);
  const counts = new Uint16Array(buffer, 6 * n, n);
  for (let i = 0, at = 0; i < n; i++, at += 3) {
    locals[i] = flat[at] as number;
    counts[i] = flat[at + 1] as number;
    next[i] = flat[at + 2] as number;
  }
  return new Uint8Array(buffer);
}

export function decodePostings(blob: Uint8Array): PostingList {
  const bytes = aligned(blob);
  const n = bytes.byteLength / POSTING_BYTES;
  return {
    next: new Uint32Array(bytes.buffer, bytes.byteOffset, n),
    locals: new Uint16Array(bytes.buffer, bytes.byteOffset + 4 * n, n),
    counts: new Uint16Array(bytes.buffer, bytes.byteOffset + 6 * n, n),
  };
}

export function encodeIntegers(values: Uint32Array): Uint8Array {
  return bytesOf(values);
}

export function decodeIntegers(blob: Uint8Array): Uint32Array {
  const bytes = aligned(blob);
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
}

/**
 * An index entry as one list: length, then term, counts and next in turn. Entries wait in thousands
 * until they become a segment, and the collector of garbage passes over a list at once.
 */
export type EntryList = readonly (string | number)[];

export function listOf(entry: IndexEntry): EntryList {
  const list: (string | number)[] = [entry.length];
  for (const [term, { counts, next }] of entry.terms) list.push(term, counts, next);
  return list;
}

export function encodeEntry(entry: EntryList): string {
  return JSON.stringify(entry);
}

export function decodeEntry(text: string): EntryList {
  return JSON.parse(text) as EntryList;
}

function bytesOf(values: Uint32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/** Drivers may hand out a window into a larger buffer that starts anywhere. */
function aligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
}
