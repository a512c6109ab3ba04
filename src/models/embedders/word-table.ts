import { readFileSync } from 'node:fs';
import { LociError } from '../../domain/errors.ts';

const MAGIC = 0x31564c57;
const HEADER_BYTES = 20;

/**
 * Word vectors as scripts/word-vectors.mjs packs them: found through the hash table in the file, so
 * that loading is reading. A row is int8; times its scale it is the word's vector times its weight.
 */
export class WordTable {
  readonly dims: number;
  readonly #table: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #text: Uint8Array;
  readonly #scales: Float32Array;
  readonly #rows: Int8Array;

  constructor(file: Uint8Array) {
    const { buffer, byteOffset } = file;
    const [magic, count = 0, dims = 0, slots = 0, textBytes = 0] = new Uint32Array(
      buffer,
      byteOffset,
      HEADER_BYTES / 4,
    );
    if (magic !== MAGIC) throw new LociError('corrupt', 'the word vectors are not readable');
    this.dims = dims;
    let at = byteOffset + HEADER_BYTES;
    this.#table = new Uint32Array(buffer, at, slots);
    this.#ends = new Uint32Array(buffer, (at += slots * 4), count);
    this.#text = new Uint8Array(buffer, (at += count * 4), textBytes);
    this.#scales = new Float32Array(buffer, (at += textBytes), count);
    this.#rows = new Int8Array(buffer, at + count * 4, count * dims);
  }

  /** Adds the weighted vector of a word in small Latin letters; false if it is not known. */
  addTo(sum: Float32Array, word: string): boolean {
    const row = this.#rowOf(word);
    if (row < 0) return false;
    const scale = this.#scales[row] as number;
    const start = row * this.dims;
    for (let k = 0; k < this.dims; k++) {
      sum[k] = (sum[k] as number) + scale * (this.#rows[start + k] as number);
    }
    return true;
  }

  /** Whether a word in small Latin letters is in the table. */
  has(word: string): boolean {
    return this.#rowOf(word) >= 0;
  }

  #rowOf(word: string): number {
    const mask = this.#table.length - 1;
    for (let slot = fnv1a(word) & mask; ; slot = (slot + 1) & mask) {
      const entry = this.#table[slot] as number;
      if (entry === 0) return -1;
      if (this.#holds(entry - 1, word)) return entry - 1;
    }
  }

  #holds(row: number, word: string): boolean {
    const start = row === 0 ? 0 : (this.#ends[row - 1] as number);
    if ((this.#ends[row] as number) - start !== word.length) return false;
    for (let i = 0; i < word.length; i++) {
      if (this.#text[start + i] !== word.charCodeAt(i)) return false;
    }
    return true;
  }
}

/** Reads a table from a file; its buffer is aligned for the columns. */
export function readWordTable(path: string | URL): WordTable {
  const bytes = readFileSync(path);
  return new WordTable(bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes));
}

/** FNV-1a, 32 bits. */
export function fnv1a(word: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
