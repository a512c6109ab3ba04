import { isAbsolute, join, resolve } from 'node:path';
import {
  mayHaveLength,
  modelFacts,
  PROVIDERS,
  type EmbedderChoice,
} from '../domain/embedder-choice.ts';
import { LociError, quote } from '../domain/errors.ts';
import { nearestOf } from '../domain/parse.ts';
import type { Choice, Origin } from './source.ts';
import { homeFolder } from './store-name.ts';
import type { Environment } from './variables.ts';

/** What relative names count from. */
export interface Surroundings {
  readonly env: Environment;
  readonly cwd: string;
}

/** A folder that somebody else wrote must not send this user's key wherever it likes. */
export function checkKeyGoesWhereItMay(
  provider: EmbedderChoice['provider'],
  baseUrl: Choice,
  key: Choice,
): void {
  const known = PROVIDERS[provider].baseUrl === baseUrl.value;
  if (known || !fromFile(baseUrl.origin) || key.origin === baseUrl.origin) return;
  throw new LociError(
    'denied',
    `embed_base_url comes from ${baseUrl.origin}, and the key of the ${key.origin} is not sent where a file says`,
    `If you trust ${baseUrl.value}, set LOCI_EMBED_BASE_URL in the environment.`,
  );
}

/** The model's name, or the absolute folder that holds it. @throws LociError invalid_input */
export function checkModel(
  provider: EmbedderChoice['provider'],
  { value, origin }: Choice,
  baseUrl: Choice | undefined,
  { env, cwd }: Surroundings,
): string {
  if (provider === 'transformers' && /^(\.{0,2}[/\\]|~|[A-Za-z]:[/\\]|\.{1,2}$)/.test(value)) {
    const path = value.startsWith('~') ? join(homeFolder(env), value.slice(1)) : value;
    return isAbsolute(path) ? path : resolve(cwd, path);
  }
  const { models, baseUrl: vendor } = PROVIDERS[provider];
  const isElsewhere = baseUrl !== undefined && baseUrl.value !== vendor;
  if (!models || isElsewhere) return value;
  const name = provider === 'transformers' ? value.replace(/^Snowflake\//i, '') : value;
  if (Object.hasOwn(models, name)) return name;
  const what = `embed_model (${origin}) is ${quote(value)}, which ${provider} does not have`;
  const more = provider === 'transformers' ? ', or a folder that holds a model (./my-model)' : '';
  throw notOne(what, name, Object.keys(models), more);
}

/** @throws LociError invalid_input for a length that the model is known not to give */
export function checkDimensions(chosen: EmbedderChoice, { value, origin }: Choice<number>): void {
  const facts = modelFacts(chosen);
  if (mayHaveLength(facts, value)) return;
  const { shorter, dimensions } = facts;
  const list = shorter && !('from' in shorter) ? shorter.join(', ') : undefined;
  const range =
    shorter && 'from' in shorter ? `${shorter.from} to ${dimensions ?? 'its own'}` : undefined;
  throw new LociError(
    'invalid_input',
    `embed_dimensions (${origin}) is ${value}, which the model ${chosen.model} does not give`,
    `It gives ${list ?? range ?? dimensions}.`,
  );
}

/** @throws LociError invalid_input for anything but a whole number within the bounds */
export function wholeNumber(
  name: string,
  given: Choice | undefined,
  least: number,
  most: number,
): Choice<number> | undefined {
  if (!given) return undefined;
  const value = /^\d{1,9}$/.test(given.value) ? Number(given.value) : Number.NaN;
  if (value >= least && value <= most) return { value, origin: given.origin };
  throw new LociError(
    'invalid_input',
    `${name} (${given.origin}) is ${quote(given.value)}`,
    `It is a whole number from ${least} to ${most}.`,
  );
}

/** What is wrong, the nearest of what is accepted, and all of it. */
export function notOne(
  what: string,
  word: string,
  accepted: readonly string[],
  more = '',
): LociError {
  const nearest = nearestOf(word.trim().toLowerCase(), accepted);
  const slip = nearest ? `Did you mean ${nearest}? ` : '';
  return new LociError('invalid_input', what, `${slip}Accepted: ${accepted.join(', ')}${more}.`);
}

function fromFile(origin: Origin): boolean {
  return origin === '.env' || origin === 'config.yaml';
}
