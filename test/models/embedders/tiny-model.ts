// A transformer small enough to be written by hand: token vectors, and each position also sees the
// sum of all others. It is laid down as on the Hugging Face hub and runs on the real ONNX Runtime.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789'];
const VOCABULARY = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  ...LETTERS,
  ...LETTERS.map((letter) => `##${letter}`),
  ...'.,:;!?()-',
];

export interface TinyModelOptions {
  readonly dimensions: number;
  readonly pooling?: 'cls' | 'mean';
  readonly prompts?: Readonly<Record<string, string>>;
  /** Other weights for another number. */
  readonly seed?: number;
}

/** Its files by path, as they lie in a folder or on the hub. */
export function tinyModelFiles(options: TinyModelOptions): ReadonlyMap<string, Buffer> {
  const { dimensions, pooling, prompts, seed = 1 } = options;
  const files = new Map<string, Buffer>();
  const json = (path: string, content: unknown) =>
    files.set(path, Buffer.from(JSON.stringify(content)));
  json('config.json', {
    model_type: 'bert',
    architectures: ['BertModel'],
    hidden_size: dimensions,
    vocab_size: VOCABULARY.length,
  });
  json('tokenizer_config.json', {
    tokenizer_class: 'BertTokenizer',
    model_max_length: 128,
    pad_token: '[PAD]',
    unk_token: '[UNK]',
    cls_token: '[CLS]',
    sep_token: '[SEP]',
  });
  json('tokenizer.json', tokenizer());
  if (pooling) {
    json('1_Pooling/config.json', {
      pooling_mode_cls_token: pooling === 'cls',
      pooling_mode_mean_tokens: pooling === 'mean',
    });
  }
  if (prompts) json('config_sentence_transformers.json', { prompts });
  files.set('onnx/model_quantized.onnx', onnxModel(dimensions, seed));
  return files;
}

export function layDown(folder: string, options: TinyModelOptions): void {
  for (const [path, content] of tinyModelFiles(options)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

function tokenizer(): object {
  const special = VOCABULARY.slice(0, 4).map((content, id) => ({
    id,
    content,
    special: true,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
  }));
  const text = { Sequence: { id: 'A', type_id: 0 } };
  const sequence = [specialToken('[CLS]'), text, specialToken('[SEP]')];
  return {
    version: '1.0',
    added_tokens: special,
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: sequence,
      pair: sequence,
      special_tokens: {
        '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
        '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
      },
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(VOCABULARY.map((word, id) => [word, id])),
    },
  };
}

function specialToken(id: string): object {
  return { SpecialToken: { id, type_id: 0 } };
}

// The few messages of ONNX's protocol buffers that the model needs.

const FLOAT = 1;
const INT64 = 7;

function onnxModel(dimensions: number, seed: number): Buffer {
  const graph = message(
    ...[
      node('Gather', ['table', 'input_ids'], 'token'),
      node('Unsqueeze', ['attention_mask', 'last'], 'column'),
      node('Cast', ['column'], 'mask', intAttribute('to', FLOAT)),
      node('Mul', ['token', 'mask'], 'shown'),
      node('ReduceSum', ['shown', 'middle'], 'sum'),
      node('Add', ['token', 'sum'], 'last_hidden_state'),
    ].map((each) => bytes(1, each)),
    bytes(2, 'tiny'),
    bytes(5, tensor('table', FLOAT, [VOCABULARY.length, dimensions], weights(dimensions, seed))),
    bytes(5, tensor('last', INT64, [1], int64s([-1]))),
    bytes(5, tensor('middle', INT64, [1], int64s([1]))),
    ...['input_ids', 'attention_mask', 'token_type_ids'].map((name) =>
      bytes(11, value(name, INT64, ['batch', 'tokens'])),
    ),
    bytes(12, value('last_hidden_state', FLOAT, ['batch', 'tokens', dimensions])),
  );
  const operators = message(bytes(1, ''), varint(2, 13));
  return message(varint(1, 8), bytes(2, 'loci tests'), bytes(7, graph), bytes(8, operators));
}

function weights(dimensions: number, seed: number): Buffer {
  let state = seed;
  const numbers = Float32Array.from({ length: VOCABULARY.length * dimensions }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5;
  });
  return Buffer.from(numbers.buffer);
}

function node(operator: string, inputs: readonly string[], output: string, ...more: Buffer[]) {
  return message(
    ...inputs.map((input) => bytes(1, input)),
    bytes(2, output),
    bytes(3, output),
    bytes(4, operator),
    ...more.map((attribute) => bytes(5, attribute)),
  );
}

function intAttribute(name: string, number: number): Buffer {
  return message(bytes(1, name), varint(3, number), varint(20, 2));
}

function tensor(name: string, type: number, shape: readonly number[], data: Buffer): Buffer {
  const sizes = shape.map((size) => varint(1, size));
  return message(...sizes, varint(2, type), bytes(8, name), bytes(9, data));
}

function value(name: string, type: number, shape: readonly (string | number)[]): Buffer {
  const sizes = shape.map((size) =>
    bytes(1, typeof size === 'string' ? message(bytes(2, size)) : message(varint(1, size))),
  );
  const tensorType = message(varint(1, type), bytes(2, message(...sizes)));
  return message(bytes(1, name), bytes(2, message(bytes(1, tensorType))));
}

function int64s(numbers: readonly number[]): Buffer {
  return Buffer.from(BigInt64Array.from(numbers, BigInt).buffer);
}

function message(...fields: readonly Buffer[]): Buffer {
  return Buffer.concat(fields);
}

function varint(field: number, number: number): Buffer {
  return Buffer.from([...digits(field << 3), ...digits(number)]);
}

function bytes(field: number, content: string | Buffer): Buffer {
  const data = typeof content === 'string' ? Buffer.from(content) : content;
  return Buffer.concat([Buffer.from([...digits((field << 3) | 2), ...digits(data.length)]), data]);
}

/** Base 128, the least first; the high bit says that more follow. */
function digits(number: number): number[] {
  return number < 128 ? [number] : [(number & 127) | 128, ...digits(number >>> 7)];
}
