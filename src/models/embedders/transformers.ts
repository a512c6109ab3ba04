import { join } from 'node:path';
import { modelFacts, type EmbedderChoice, type ModelFacts } from '../../domain/embedder-choice.ts';
import { LociError } from '../../domain/errors.ts';
import {
  isWhole,
  readLocalModel,
  weightsHash,
  type LocalModel,
  type Pooling,
} from './local-model.ts';
import { once } from './once.ts';
import { peer, type ImportPeer } from './peers.ts';
import type { Provider } from './provider.ts';

const PACKAGE = '@huggingface/transformers';
const INSTALL = `${PACKAGE}@4.3`;
const LIMITS = { texts: 16, tokens: 8192 };
/** The tokeniser cuts texts exactly; this only keeps it from reading a whole book for that. */
const INPUT_TOKENS = 8192;

/** Where known models lie on the hub, at a commit of their own, so that vectors stay comparable. */
const HUB: Readonly<Record<string, { readonly id: string; readonly revision: string }>> = {
  'snowflake-arctic-embed-xs': {
    id: 'Snowflake/snowflake-arctic-embed-xs',
    revision: 'd8c86521100d3556476a063fc2342036d45c106f',
  },
  'snowflake-arctic-embed-s': {
    id: 'Snowflake/snowflake-arctic-embed-s',
    revision: 'e596f507467533e48a2e17c007f0e1dacc837b33',
  },
};

interface Tensor {
  readonly dims: readonly number[];
  readonly data: Float32Array;
  dispose?(): void;
}
interface Pipeline {
  (texts: string[], options: { pooling: Pooling }): Promise<Tensor>;
  dispose(): Promise<void>;
}
interface Library {
  readonly env: { cacheDir: string; allowRemoteModels: boolean; logLevel: number };
  readonly LogLevel?: { readonly ERROR: number };
  pipeline(
    task: 'feature-extraction',
    model: string,
    options: Readonly<Record<string, unknown>>,
  ): Promise<Pipeline>;
}

/**
 * A transformer in this process, by transformers.js and ONNX Runtime. Known models are fetched once
 * from the Hugging Face hub into our own cache folder; a whole model there, or in the folder that
 * `model` names, is loaded without any network.
 */
export function transformersProvider(choice: EmbedderChoice, importPeer: ImportPeer): Provider {
  const hub = Object.hasOwn(HUB, choice.model) ? HUB[choice.model] : undefined;
  const cacheFolder = choice.cacheFolder ?? '';
  const folder = hub ? join(cacheFolder, hub.id, hub.revision) : choice.model;
  const local: LocalModel | undefined = hub ? undefined : readLocalModel(folder);
  const pooling = local?.pooling ?? 'cls';
  const dtype = local?.dtype ?? 'q8';
  let hash: Promise<string> | undefined;

  /** All that makes these vectors: weights, how exact they are, and how tokens become one vector. */
  const revision = async (): Promise<string> => {
    const weights = local ? await (hash ??= weightsHash(local)) : hub?.revision;
    return `${weights}-${dtype}-${pooling}`;
  };
  const loaded = once(async (): Promise<Pipeline> => {
    const library = (await peer(importPeer, choice.provider, PACKAGE, INSTALL)) as Library;
    const { env } = library;
    const isHere = isWhole(folder);
    env.cacheDir = cacheFolder;
    env.allowRemoteModels = !isHere;
    // What it prints would stand between the lines of a command's answer.
    env.logLevel = library.LogLevel?.ERROR ?? env.logLevel;
    try {
      return isHere || !hub
        ? await library.pipeline('feature-extraction', folder, { dtype, local_files_only: true })
        : await library.pipeline('feature-extraction', hub.id, { dtype, revision: hub.revision });
    } catch (cause) {
      throw isHere ? spoilt(folder, cause) : notFetched(choice, cacheFolder, cause);
    }
  });

  return {
    provider: choice.provider,
    model: choice.model,
    instant: false,
    facts: { ...(local ? localFacts(local) : modelFacts(choice)), inputTokens: INPUT_TOKENS },
    limits: LIMITS,
    identify: async () => ({ revision: await revision() }),
    load: async () => void (await loaded()),
    async request(texts) {
      const tensor = await (await loaded())([...texts], { pooling });
      const length = tensor.dims.at(-1) ?? 0;
      const vectors = Array.from({ length: tensor.dims[0] ?? 0 }, (_, i) =>
        tensor.data.slice(i * length, (i + 1) * length),
      );
      tensor.dispose?.();
      return vectors;
    },
    async close() {
      const pipeline = await loaded.take()?.catch(() => undefined);
      await pipeline?.dispose();
    },
  };
}

function localFacts({ dimensions, queryPrefix, documentPrefix }: LocalModel): ModelFacts {
  return { ...(dimensions === undefined ? {} : { dimensions }), queryPrefix, documentPrefix };
}

function notFetched({ model }: EmbedderChoice, cacheFolder: string, cause: unknown): LociError {
  return new LociError(
    'unavailable',
    `the model ${model} cannot be fetched (${(cause as Error).message})`,
    `It is fetched once, from huggingface.co into ${cacheFolder}; without a network, set LOCI_EMBED_MODEL to a folder that holds a model.`,
    { cause },
  );
}

function spoilt(folder: string, cause: unknown): LociError {
  return new LociError(
    'unavailable',
    `the model in ${folder} cannot be loaded (${(cause as Error).message})`,
    'If it is damaged, delete the folder: it is fetched again.',
    { cause },
  );
}
