import type { Secret } from './secret.ts';

/** What `embedder` accepts; `none` is keyword search alone. */
export const EMBEDDERS = [
  'builtin',
  'none',
  'use-lite',
  'transformers',
  'ollama',
  'openai',
  'voyage',
  'openrouter',
  'openai-compatible',
  'fake',
] as const;
export type EmbedderName = (typeof EMBEDDERS)[number];

/** Which embedder to make, with everything it needs to know. */
export interface EmbedderChoice {
  readonly provider: Exclude<EmbedderName, 'none'>;
  readonly model: string;
  /** Without a slash at its end. */
  readonly baseUrl?: string;
  readonly apiKey?: Secret;
  /** Length of the vectors to ask for; absent: what the model gives. */
  readonly dimensions?: number;
  /** Deadline of a request, milliseconds. Default 4,000 for a question, 60,000 for memories. */
  readonly timeoutMs?: number;
  /** Absolute folder for downloaded models. */
  readonly cacheFolder?: string;
}

/** What is known of a model. */
export interface ModelFacts {
  /** Length of its vectors; absent: whoever runs it is asked. */
  readonly dimensions?: number;
  /**
   * Lengths its vectors may be cut to (Matryoshka representation learning): the ones listed, or
   * any from a minimum on. Absent: its vectors may not be cut.
   */
  readonly shorter?: readonly number[] | { readonly from: number };
  /** Longest text, in its tokens. */
  readonly inputTokens?: number;
  readonly queryPrefix?: string;
  readonly documentPrefix?: string;
}

interface ProviderFacts {
  readonly defaultModel?: string;
  /** All models there are, when `baseUrl` is the vendor's own; absent: any name may be one. */
  readonly models?: Readonly<Record<string, ModelFacts>>;
  readonly baseUrl?: string;
  /** The vendor's own variable. */
  readonly keyVariable?: string;
}

const SENTENCE = 'Represent this sentence for searching relevant passages: ';
const VOYAGE = { dimensions: 1024, shorter: [256, 512, 1024, 2048], inputTokens: 32_000 } as const;
const ARCTIC = { dimensions: 384, inputTokens: 512, queryPrefix: SENTENCE } as const;

/** Providers by name, with their defaults. Limits and lengths are those of the vendors' pages. */
export const PROVIDERS: Readonly<Record<EmbedderChoice['provider'], ProviderFacts>> = {
  builtin: { defaultModel: 'words', models: { words: {} } },
  fake: {
    defaultModel: 'fake',
    models: { fake: { shorter: { from: 8 }, inputTokens: 1_000_000 } },
  },
  'use-lite': {
    defaultModel: 'universal-sentence-encoder-lite',
    models: { 'universal-sentence-encoder-lite': { dimensions: 512, inputTokens: 512 } },
  },
  transformers: {
    defaultModel: 'snowflake-arctic-embed-xs',
    models: {
      'snowflake-arctic-embed-xs': ARCTIC,
      'snowflake-arctic-embed-s': ARCTIC,
    },
  },
  ollama: { defaultModel: 'qwen3-embedding:0.6b', baseUrl: 'http://localhost:11434' },
  openai: {
    defaultModel: 'text-embedding-3-small',
    models: {
      'text-embedding-3-small': { dimensions: 1536, shorter: { from: 1 }, inputTokens: 8191 },
      'text-embedding-3-large': { dimensions: 3072, shorter: { from: 1 }, inputTokens: 8191 },
      'text-embedding-ada-002': { dimensions: 1536, inputTokens: 8191 },
    },
    baseUrl: 'https://api.openai.com/v1',
    keyVariable: 'OPENAI_API_KEY',
  },
  voyage: {
    defaultModel: 'voyage-4-lite',
    models: {
      'voyage-4-lite': VOYAGE,
      'voyage-4': VOYAGE,
      'voyage-4-large': VOYAGE,
      'voyage-3.5-lite': VOYAGE,
      'voyage-3.5': VOYAGE,
      'voyage-3-large': VOYAGE,
      'voyage-code-3': VOYAGE,
      'voyage-3-lite': { dimensions: 512, inputTokens: 32_000 },
      'voyage-3': { dimensions: 1024, inputTokens: 32_000 },
      'voyage-finance-2': { dimensions: 1024, inputTokens: 32_000 },
      'voyage-law-2': { dimensions: 1024, inputTokens: 16_000 },
    },
    baseUrl: 'https://api.voyageai.com/v1',
    keyVariable: 'VOYAGE_API_KEY',
  },
  openrouter: {
    defaultModel: 'openai/text-embedding-3-small',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyVariable: 'OPENROUTER_API_KEY',
  },
  'openai-compatible': {},
};

/** Models that people serve themselves, by a part of their name; prefixes are their cards'. */
const FAMILIES: readonly (readonly [RegExp, ModelFacts])[] = [
  [/text-embedding-3-(small|large)/, { shorter: { from: 1 }, inputTokens: 8191 }],
  [
    /qwen3-embedding/,
    {
      shorter: { from: 32 },
      inputTokens: 32_000,
      queryPrefix:
        'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:',
    },
  ],
  [
    /embeddinggemma/,
    {
      shorter: [128, 256, 512, 768],
      inputTokens: 2048,
      queryPrefix: 'task: search result | query: ',
      documentPrefix: 'title: none | text: ',
    },
  ],
  [
    /nomic-embed-text/,
    { inputTokens: 2048, queryPrefix: 'search_query: ', documentPrefix: 'search_document: ' },
  ],
  [/mxbai-embed-large/, { shorter: { from: 64 }, inputTokens: 512, queryPrefix: SENTENCE }],
  [/arctic-embed2|arctic-embed-[lm]-v2/, { inputTokens: 8192, queryPrefix: 'query: ' }],
  [/arctic-embed|bge-(small|base|large)(-en|:|$)/, { inputTokens: 512, queryPrefix: SENTENCE }],
  [/bge-m3/, { inputTokens: 8192 }],
  [
    /(^|[/-])e5-(?!.*instruct)/,
    { inputTokens: 512, queryPrefix: 'query: ', documentPrefix: 'passage: ' },
  ],
];

/** Nothing but a name that is not known is known: small enough for every model. */
const UNKNOWN: ModelFacts = { inputTokens: 512 };

/** What is known of a model; of one that nobody knows, how little it may be given. */
export function modelFacts({ provider, model }: EmbedderChoice): ModelFacts {
  const { models } = PROVIDERS[provider];
  if (models && Object.hasOwn(models, model)) return models[model] as ModelFacts;
  const name = model.toLowerCase();
  return FAMILIES.find(([pattern]) => pattern.test(name))?.[1] ?? UNKNOWN;
}

/** Whether a model may be asked for vectors of this length; `full` is the longest it gives. */
export function mayHaveLength(facts: ModelFacts, length: number, full = facts.dimensions): boolean {
  const { shorter } = facts;
  if (shorter === undefined) return full === undefined || length === full;
  if (!('from' in shorter)) return shorter.includes(length);
  return length >= shorter.from && length <= (full ?? Infinity);
}
