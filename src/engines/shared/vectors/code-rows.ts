import { PAGE_BYTES, plainKernel, STEP, wasmKernel, type Kernel } from './kernel.ts';

/** Rows that are multiplied at a time: their numbers and sums stay in the processor's cache. */
const CHUNK = 4096;
/** Room is made for this many times what is needed. */
const AHEAD = 1.25;
/** Addresses have 32 bits. */
const MOST_BYTES = 2 ** 32 - PAGE_BYTES;

/** Codes of many vectors, one byte a number, in the memory of a kernel that multiplies them. */
export class CodeRows {
  readonly #dims: number;
  readonly #stride: number;
  readonly #rowsAt: number;
  readonly #sumsAt: number;
  readonly #codesAt: number;
  #kernel: Kernel;

  constructor(dims: number, kernel: Kernel = wasmKernel() ?? plainKernel()) {
    this.#dims = dims;
    this.#stride = Math.max(1, Math.ceil(dims / STEP)) * STEP;
    this.#rowsAt = this.#stride * 2;
    this.#sumsAt = this.#rowsAt + CHUNK * 4;
    this.#codesAt = this.#sumsAt + CHUNK * 4;
    this.#kernel = kernel;
    this.#grow(this.#codesAt);
  }

  reserve(rows: number): void {
    const { byteLength } = this.#kernel.memory.buffer;
    if (this.#codesAt + rows * this.#stride <= byteLength) return;
    this.#grow(this.#codesAt + Math.ceil(rows * AHEAD) * this.#stride);
  }

  /** Puts codes of whole rows from a row on, for which there is room. */
  set(row: number, codes: Int8Array): void {
    const [dims, stride] = [this.#dims, this.#stride];
    const bytes = new Int8Array(this.#kernel.memory.buffer, this.#codesAt + row * stride);
    if (dims === stride) {
      bytes.set(codes);
      return;
    }
    for (let from = 0, to = 0; from < codes.length; from += dims, to += stride) {
      bytes.set(codes.subarray(from, from + dims), to);
    }
  }

  /** Multiplies the first `count` of the named rows with a question's codes. */
  dots(query: Int16Array, rows: Uint32Array, count: number, sums: Int32Array): void {
    const { memory } = this.#kernel;
    const asked = new Int16Array(memory.buffer, 0, this.#stride);
    asked.fill(0);
    asked.set(query);
    const wanted = new Uint32Array(memory.buffer, this.#rowsAt, CHUNK);
    const found = new Int32Array(memory.buffer, this.#sumsAt, CHUNK);
    for (let from = 0; from < count; from += CHUNK) {
      const some = Math.min(CHUNK, count - from);
      wanted.set(rows.subarray(from, from + some));
      this.#kernel.dots(0, this.#rowsAt, some, this.#codesAt, this.#stride, this.#sumsAt);
      sums.set(found.subarray(0, some), from);
    }
  }

  #grow(bytes: number): void {
    const { memory } = this.#kernel;
    const pages = Math.ceil((bytes - memory.buffer.byteLength) / PAGE_BYTES);
    if (pages <= 0) return;
    try {
      if (bytes > MOST_BYTES) throw new RangeError('more than 32 bits address');
      memory.grow(pages);
    } catch {
      // JavaScript's own memory may reach further.
      const plain = plainKernel();
      plain.memory.grow(Math.ceil(bytes / PAGE_BYTES));
      new Uint8Array(plain.memory.buffer).set(new Uint8Array(memory.buffer));
      this.#kernel = plain;
    }
  }
}
