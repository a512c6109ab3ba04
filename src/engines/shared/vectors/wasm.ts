/**
 * The little of WebAssembly's binary format that a module of one function needs. Names and numbers
 * are those of the specification (https://webassembly.github.io/spec/core/binary/).
 */
export type Code = readonly number[];

const MAGIC_AND_VERSION = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const SECTION = { type: 1, function: 3, memory: 5, export: 7, code: 10 } as const;
const FUNCTION_TYPE = 0x60;
const NOTHING = 0x40;
const EXPORTED = { function: 0, memory: 2 } as const;
const SIMD = 0xfd;

export const I32 = 0x7f;
export const V128 = 0x7b;

export const local = {
  get: (index: number): Code => [0x20, ...unsigned(index)],
  set: (index: number): Code => [0x21, ...unsigned(index)],
  tee: (index: number): Code => [0x22, ...unsigned(index)],
};

export const i32 = {
  const: (value: number): Code => [0x41, ...signed(value)],
  load: [0x28, 2, 0] as Code,
  store: [0x36, 2, 0] as Code,
  lessUnsigned: [0x49] as Code,
  add: [0x6a] as Code,
  sub: [0x6b] as Code,
  mul: [0x6c] as Code,
};

export const v128 = {
  /** 16 bytes from an address and a constant. */
  load: (offset: number): Code => [SIMD, ...unsigned(0), 0, ...unsigned(offset)],
  /** 8 signed bytes, as 8 numbers of 16 bits. */
  load8x8Signed: (offset: number): Code => [SIMD, ...unsigned(1), 0, ...unsigned(offset)],
  zero: [SIMD, ...unsigned(12), ...Array.from({ length: 16 }, () => 0)] as Code,
  /** One of 4 numbers of 32 bits. */
  lane: (index: number): Code => [SIMD, ...unsigned(27), index],
  /** 4 sums of 32 bits. */
  add: [SIMD, ...unsigned(174)] as Code,
  /** Products of 8 pairs of 16 bits, neighbours added: 4 numbers of 32 bits. */
  dot: [SIMD, ...unsigned(186)] as Code,
};

export function inOrder(...parts: readonly Code[]): Code {
  return parts.flat();
}

/** Does the body, and again from its beginning as long as the number it leaves is not 0. */
export function repeatWhile(...body: readonly Code[]): Code {
  return [0x03, NOTHING, ...body.flat(), 0x0d, 0, 0x0b];
}

export interface FunctionOf {
  readonly name: string;
  /** How many numbers of 32 bits it takes. */
  readonly parameters: number;
  /** Types of what it keeps besides; they follow the parameters. */
  readonly locals: readonly number[];
  readonly body: Code;
}

/** A module that exports its memory and one function, which gives back nothing. */
export function moduleOf(memory: string, { name, parameters, locals, body }: FunctionOf) {
  const type = [FUNCTION_TYPE, ...list(Array.from({ length: parameters }, () => [I32])), 0];
  const code = [...list(locals.map((one) => [1, one])), ...body, 0x0b];
  return new Uint8Array([
    ...MAGIC_AND_VERSION,
    ...section(SECTION.type, list([type])),
    ...section(SECTION.function, list([[0]])),
    // One page of 64 kB to begin with, and no bound.
    ...section(SECTION.memory, list([[0, 1]])),
    ...section(
      SECTION.export,
      list([
        [...text(memory), EXPORTED.memory, 0],
        [...text(name), EXPORTED.function, 0],
      ]),
    ),
    ...section(SECTION.code, list([sized(code)])),
  ]);
}

function section(id: number, content: Code): Code {
  return [id, ...sized(content)];
}

function list(items: readonly Code[]): Code {
  return [...unsigned(items.length), ...items.flat()];
}

function sized(content: Code): Code {
  return [...unsigned(content.length), ...content];
}

function text(name: string): Code {
  return sized([...Buffer.from(name, 'utf8')]);
}

/** LEB128: seven bits a byte, the lowest first; the top bit says that more follow. */
function unsigned(value: number): Code {
  const bytes: number[] = [];
  let rest = value;
  for (;;) {
    const low = rest & 0x7f;
    rest >>>= 7;
    if (rest === 0) return [...bytes, low];
    bytes.push(low | 0x80);
  }
}

/** The same with a sign: the last byte's second highest bit is carried on. */
function signed(value: number): Code {
  const bytes: number[] = [];
  let rest = value;
  for (;;) {
    const low = rest & 0x7f;
    rest >>= 7;
    if (rest === (low & 0x40 ? -1 : 0)) return [...bytes, low];
    bytes.push(low | 0x80);
  }
}
