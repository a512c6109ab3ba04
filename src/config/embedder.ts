import { join } from 'node:path';
import {
  EMBEDDERS,
  PROVIDERS,
  type EmbedderChoice,
  type EmbedderName,
} from '../domain/embedder-choice.ts';
import { LociError, quote } from '../domain/errors.ts';
import { snakeCase } from '../domain/parse.ts';
import { Secret } from '../domain/secret.ts';
import {
  checkDimensions,
  checkKeyGoesWhereItMay,
  checkModel,
  notOne,
  wholeNumber,
  type Surroundings,
} from './embedder-checks.ts';
import { parseBaseUrl, parseOllamaHost, parseOllamaUrl } from './server-address.ts';
import { first, firstVariable, type Choice, type Origin, type Source } from './source.ts';
import { cacheFolder } from './store-name.ts';

/** Settings of the embedder, as the library spells them. */
const SETTINGS = [
  'embedder',
  'embedModel',
  'embedBaseUrl',
  'embedApiKey',
  'embedDimensions',
  'embedTimeoutMs',
] as const;
type Setting = (typeof SETTINGS)[number];

export interface EmbedderConfig {
  /** The builtin one first, then the one that was chosen beside it; none for keywords alone. */
  readonly embedders: readonly EmbedderChoice[];
  readonly origins: Readonly<Record<Setting, Origin>>;
  readonly warnings: readonly string[];
}

const IN_PROCESS: ReadonlySet<EmbedderName> = new Set(['use-lite', 'transformers', 'fake']);

export const BUILTIN: EmbedderChoice = { provider: 'builtin', model: 'words' };

/**
 * Which embedders to use, from the sources in their order.
 * @throws LociError invalid_input that lists what is accepted; denied for a key that a file would
 * send somewhere
 */
export function chooseEmbedders(sources: readonly Source[], around: Surroundings): EmbedderConfig {
  const named = first(sources, 'embedder') ?? { value: 'builtin', origin: 'default' as const };
  const { provider, model: own } = parseName(named);
  const relevant = sources.slice(0, ofAnother(sources, provider));
  const given = (setting: Setting): Choice | undefined => first(relevant, setting);
  const origins = Object.fromEntries(
    SETTINGS.map((setting) => [setting, given(setting)?.origin ?? 'default']),
  ) as Record<Setting, Origin>;
  const embedder = { embedder: named.origin };
  if (provider === 'none' || provider === 'builtin') {
    const embedders = provider === 'none' ? [] : [BUILTIN];
    const warnings = unused(SETTINGS.slice(1), given, provider);
    return { embedders, origins: { ...origins, ...embedder }, warnings };
  }
  const model = modelOf(provider, { ...named, own }, given('embedModel'), sources);
  const isHere = IN_PROCESS.has(provider);
  const baseUrl = isHere ? undefined : baseUrlOf(provider, given('embedBaseUrl'), sources);
  const key = isHere ? undefined : keyOf(provider, given('embedApiKey'), sources);
  const name = checkModel(provider, model, baseUrl, around);
  if (baseUrl && key) checkKeyGoesWhereItMay(provider, baseUrl, key);
  const timeout = wholeNumber('embed_timeout_ms', given('embedTimeoutMs'), 100, 3_600_000);
  const dimensions = wholeNumber('embed_dimensions', given('embedDimensions'), 1, 16_000);
  const chosen: EmbedderChoice = {
    provider,
    model: name,
    ...(baseUrl && { baseUrl: baseUrl.value }),
    ...(key && { apiKey: new Secret(key.value) }),
    ...(dimensions && { dimensions: dimensions.value }),
    ...(timeout && { timeoutMs: timeout.value }),
    ...(provider === 'transformers' && { cacheFolder: join(cacheFolder(around.env), 'models') }),
  };
  if (dimensions) checkDimensions(chosen, dimensions);
  return {
    embedders: [BUILTIN, chosen],
    origins: {
      ...origins,
      ...embedder,
      embedModel: model.origin,
      embedBaseUrl: baseUrl?.origin ?? 'default',
      embedApiKey: key?.origin ?? 'default',
    },
    warnings: isHere ? unused(['embedBaseUrl', 'embedApiKey'], given, provider) : [],
  };
}

/** `ollama`, or `ollama:qwen3-embedding:0.6b`. */
function parseName({ value, origin }: Choice): { provider: EmbedderName; model?: string } {
  const [, word = '', model] = /^([^:]*)(?::(.*))?$/s.exec(value) ?? [];
  const provider = EMBEDDERS.find((name) => name === word.trim().toLowerCase());
  const text = model?.trim();
  if (provider) return { provider, ...(text ? { model: text } : {}) };
  throw notOne(`embedder (${origin}) is ${quote(value)}`, word, EMBEDDERS);
}

/** Index of the first source that speaks of another embedder: its other settings are for that one. */
function ofAnother(sources: readonly Source[], provider: EmbedderName): number {
  const index = sources.findIndex(({ read }) => {
    const other = read('embedder')?.trim().split(':', 1)[0]?.trim().toLowerCase();
    return other !== undefined && other !== '' && other !== provider;
  });
  return index < 0 ? sources.length : index;
}

function unused(
  settings: readonly Setting[],
  given: (setting: Setting) => Choice | undefined,
  provider: EmbedderName,
): string[] {
  return settings.flatMap((setting) => {
    const found = given(setting);
    const what = `${snakeCase(setting)} (${found?.origin}) is set, but the embedder is ${provider}`;
    return found ? [`${what}, which takes none`] : [];
  });
}

/** The model that the embedder's own name gives, the one of `embed_model`, or the default. */
function modelOf(
  provider: EmbedderChoice['provider'],
  named: Choice & { readonly own?: string | undefined },
  apart: Choice | undefined,
  sources: readonly Source[],
): Choice {
  const { own } = named;
  const rank = ({ origin }: Choice): number => sources.findIndex((each) => each.origin === origin);
  if (own !== undefined) {
    if (!apart || apart.value === own || rank(named) < rank(apart)) {
      return { value: own, origin: named.origin };
    }
    if (rank(named) === rank(apart)) {
      throw new LociError(
        'invalid_input',
        `embedder (${named.origin}) names the model ${quote(own)} and embed_model ${quote(apart.value)}`,
        'Give the model once.',
      );
    }
  }
  if (apart) return apart;
  const fallback = PROVIDERS[provider].defaultModel;
  if (fallback !== undefined) return { value: fallback, origin: 'default' };
  throw new LociError(
    'invalid_input',
    `embed_model is missing for the embedder ${provider}`,
    'Set LOCI_EMBED_MODEL to the name that the server gives its model.',
  );
}

function baseUrlOf(
  provider: EmbedderName,
  given: Choice | undefined,
  sources: readonly Source[],
): Choice | undefined {
  if (provider === 'ollama') {
    const host = given ? undefined : firstVariable(sources, 'OLLAMA_HOST');
    if (host) return { value: parseOllamaHost(host.value), origin: host.origin };
  }
  if (given) {
    const setting = `embed_base_url (${given.origin})`;
    const parse = provider === 'ollama' ? parseOllamaUrl : parseBaseUrl;
    return { value: parse(given.value, setting), origin: given.origin };
  }
  if (provider !== 'openai-compatible') return undefined;
  throw new LociError(
    'invalid_input',
    'embed_base_url is missing for the embedder openai-compatible',
    'Set LOCI_EMBED_BASE_URL to the address of the server, for example http://localhost:8080/v1',
  );
}

function keyOf(
  provider: EmbedderChoice['provider'],
  given: Choice | undefined,
  sources: readonly Source[],
): Choice | undefined {
  const { keyVariable } = PROVIDERS[provider];
  return given ?? (keyVariable ? firstVariable(sources, keyVariable) : undefined);
}
