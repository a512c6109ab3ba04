import { i32, I32, inOrder, local, moduleOf, repeatWhile, V128, v128, type Code } from './wasm.ts';

/** Rows of codes are as long as a multiple of this: what one turn of the inner loop takes. */
export const STEP = 32;

/**
 * Multiplies codes. It works in a memory of its own, and all places are in bytes: `count` row numbers
 * of 32 bits at `rows`, the codes of row n at `codes + n * stride`, one byte each, and a question's
 * codes, `stride` of 16 bits, at `query`. The sums, of 32 bits, go to `sums`.
 */
export interface Kernel {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): void };
  dots(
    query: number,
    rows: number,
    count: number,
    codes: number,
    stride: number,
    sums: number,
  ): void;
}

export const PAGE_BYTES = 65_536;

/** What is used of WebAssembly; not every Node has it (`--jitless`). */
interface WebAssemblyParts {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
}

/** By WebAssembly, 8 products an instruction; undefined where there is none, or none with SIMD. */
export function wasmKernel(): Kernel | undefined {
  const { WebAssembly: wasm } = globalThis as { readonly WebAssembly?: WebAssemblyParts };
  if (!wasm) return undefined;
  try {
    compiled ??= new wasm.Module(moduleOf('memory', { name: 'dots', ...DOTS }));
    return new wasm.Instance(compiled).exports as Kernel;
  } catch {
    // An old or restricted machine, or no address space left for a memory.
    return undefined;
  }
}

/** The same in JavaScript. */
export function plainKernel(): Kernel {
  const memory = {
    buffer: new ArrayBuffer(PAGE_BYTES),
    grow(pages: number): void {
      const { buffer } = memory;
      memory.buffer = new ArrayBuffer(buffer.byteLength + pages * PAGE_BYTES);
      new Uint8Array(memory.buffer).set(new Uint8Array(buffer));
    },
  };
  return {
    memory,
    dots(query, rows, count, codes, stride, sums) {
      const { buffer } = memory;
      const asked = new Int16Array(buffer, query, stride);
      const wanted = new Uint32Array(buffer, rows, count);
      const bytes = new Int8Array(buffer);
      const found = new Int32Array(buffer, sums, count);
      for (let i = 0; i < count; i++) {
        const at = codes + (wanted[i] as number) * stride;
        let sum = 0;
        for (let d = 0; d < stride; d++) sum += (asked[d] as number) * (bytes[at + d] as number);
        found[i] = sum;
      }
    },
  };
}

let compiled: object | undefined;

const [QUERY, ROWS, COUNT, CODES, STRIDE, SUMS] = [0, 1, 2, 3, 4, 5];
const [CODE, END, ASKED, FIRST_SUM] = [6, 7, 8, 9];
const LANES = [0, 1, 2, 3];
const PARTIAL_SUMS = LANES.map((lane) => FIRST_SUM + lane);

/** Four sums side by side, so that no addition waits for the one before it. */
const STEP_OF_ROW = PARTIAL_SUMS.map((sum, i) =>
  inOrder(
    local.get(CODE),
    v128.load8x8Signed(i * 8),
    local.get(ASKED),
    v128.load(i * 16),
    v128.dot,
    local.get(sum),
    v128.add,
    local.set(sum),
  ),
);

const BEGIN_ROW = inOrder(
  // From codes + rows[0] * stride, a row long.
  inOrder(local.get(CODES), local.get(ROWS), i32.load, local.get(STRIDE), i32.mul, i32.add),
  inOrder(local.tee(CODE), local.get(STRIDE), i32.add, local.set(END)),
  inOrder(local.get(QUERY), local.set(ASKED)),
  ...PARTIAL_SUMS.map((sum) => inOrder(v128.zero, local.set(sum))),
);

const STORE_SUM = inOrder(
  local.get(FIRST_SUM),
  ...PARTIAL_SUMS.slice(1).map((sum) => inOrder(local.get(sum), v128.add)),
  local.set(FIRST_SUM),
  local.get(SUMS),
  i32.const(0),
  ...LANES.map((lane) => inOrder(local.get(FIRST_SUM), v128.lane(lane), i32.add)),
  i32.store,
);

const DOTS = {
  parameters: 6,
  locals: [I32, I32, I32, ...PARTIAL_SUMS.map(() => V128)],
  body: repeatWhile(
    BEGIN_ROW,
    repeatWhile(
      ...STEP_OF_ROW,
      advance(ASKED, STEP * 2),
      advance(CODE, STEP),
      inOrder(local.get(CODE), local.get(END), i32.lessUnsigned),
    ),
    STORE_SUM,
    advance(SUMS, 4),
    advance(ROWS, 4),
    inOrder(local.get(COUNT), i32.const(1), i32.sub, local.tee(COUNT)),
  ),
};

function advance(index: number, by: number): Code {
  return inOrder(local.get(index), i32.const(by), i32.add, local.set(index));
}
