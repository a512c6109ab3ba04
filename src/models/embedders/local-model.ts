import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LociError } from '../../domain/errors.ts';

export type Pooling = 'cls' | 'mean';

/** A model in a folder, laid out as on the Hugging Face hub. */
export interface LocalModel {
  readonly folder: string;
  /** The weights, and how transformers.js calls that kind of them. */
  readonly weights: string;
  readonly dtype: 'q8' | 'fp32';
  readonly dimensions: number | undefined;
  readonly pooling: Pooling;
  readonly queryPrefix: string;
  readonly documentPrefix: string;
}

const WEIGHTS = [
  ['onnx/model_quantized.onnx', 'q8'],
  ['onnx/model.onnx', 'fp32'],
] as const;

/** Whether all files of a model are there; they appear whole or not at all. */
export function isWhole(folder: string): boolean {
  const needed = ['config.json', 'tokenizer.json', 'tokenizer_config.json'];
  return needed.every((name) => existsSync(join(folder, name))) && weightsOf(folder) !== undefined;
}

/**
 * Reads what a model says of itself: length from `config.json`, pooling and prompts where
 * sentence-transformers keeps them. Without those, mean pooling and no prefixes, as there.
 * @throws LociError unavailable when a file is missing or cannot be read
 */
export function readLocalModel(folder: string): LocalModel {
  const weights = weightsOf(folder);
  if (!isWhole(folder) || !weights) {
    throw new LociError(
      'unavailable',
      `the folder ${folder} holds no whole model`,
      'It needs config.json, tokenizer.json, tokenizer_config.json and onnx/model_quantized.onnx or onnx/model.onnx.',
    );
  }
  const config = jsonIn(folder, 'config.json');
  const pooling = jsonIn(folder, '1_Pooling/config.json');
  const prompts = jsonIn(folder, 'config_sentence_transformers.json')['prompts'] as
    | Record<string, unknown>
    | undefined;
  const length = config['hidden_size'] ?? config['dim'];
  return {
    folder,
    weights: join(folder, weights[0]),
    dtype: weights[1],
    dimensions: typeof length === 'number' ? length : undefined,
    pooling: pooling['pooling_mode_cls_token'] === true ? 'cls' : 'mean',
    queryPrefix: textOf(prompts?.['query']),
    documentPrefix: textOf(prompts?.['document'] ?? prompts?.['passage']),
  };
}

/** Hash of the weights, by which a replaced model is noticed. */
export async function weightsHash({ weights }: LocalModel): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(weights)) hash.update(chunk as Uint8Array);
  return hash.digest('hex').slice(0, 16);
}

function weightsOf(folder: string): (typeof WEIGHTS)[number] | undefined {
  return WEIGHTS.find(([path]) => existsSync(join(folder, path)));
}

function jsonIn(folder: string, name: string): Record<string, unknown> {
  const path = join(folder, name);
  if (!existsSync(path)) return {};
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
  } catch (cause) {
    throw new LociError('unavailable', `${path} cannot be read`, 'Lay the model down again.', {
      cause,
    });
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
