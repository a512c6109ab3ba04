import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseConfigFile, type ConfigFile, type ConfigKey } from './config/config-file.ts';
import { parseDotEnv } from './config/dot-env.ts';
import { BUILTIN, chooseEmbedders, type EmbedderConfig } from './config/embedder.ts';
import {
  first,
  namedSource,
  variableSource,
  type Choice,
  type Origin,
  type Source,
} from './config/source.ts';
import { nearestVault, parseStoreName, userVault, type StoreName } from './config/store-name.ts';
import { unknownVariables, type Environment } from './config/variables.ts';
import type { EmbedderChoice } from './domain/embedder-choice.ts';
import { asLociError, LociError, quote } from './domain/errors.ts';
import { redact } from './domain/hygiene/redact.ts';
import { GLOBAL_PROJECT } from './domain/lifecycle.ts';
import { nearestOf, snakeCase } from './domain/parse.ts';
import { weightsOf, type Weights } from './domain/ranking/settings.ts';
import { UTC, zoneNamed } from './domain/zone.ts';
import { gitWorkspace } from './models/workspace/git.ts';
import type { Repository } from './ports/workspace.ts';

export { keepAgentsApart } from './config/keep-apart.ts';
export { version } from './config/version.ts';
export type { Environment };

const ISOLATIONS = ['shared', 'per-agent'] as const;
const SURFACES = ['core', 'full'] as const;
const SECRETS = ['redact', 'keep'] as const;
type Isolation = (typeof ISOLATIONS)[number];
export type Surface = (typeof SURFACES)[number];

/** What a command line, a library caller or a host said explicitly. */
export interface Flags {
  readonly store?: string;
  readonly project?: string;
  readonly agent?: string;
  readonly isolation?: string;
  readonly surface?: string;
  readonly embedder?: string;
  readonly zone?: string;
  readonly secrets?: string;
  readonly weights?: string;
  readonly embedModel?: string;
  readonly embedBaseUrl?: string;
  readonly embedApiKey?: string;
  readonly embedDimensions?: string;
  readonly embedTimeoutMs?: string;
}

export interface ResolvedConfig {
  readonly store: StoreName;
  readonly project: { readonly name: string; readonly repository?: Repository };
  readonly agent?: string;
  /** Whether each agent has a drawer of its own. */
  readonly isolation: Isolation;
  /** Which tools agents are offered. */
  readonly surface: Surface;
  /** IANA zone in which dates and words such as `yesterday` are read. */
  readonly zone: string;
  /** Whether secrets are taken out of what is written. */
  readonly secrets: (typeof SECRETS)[number];
  /** Numbers of ranking that were set, as they were written; absent = none. */
  readonly weights?: { readonly setting: string; readonly values: Weights };
  /** The builtin one first, then the one that was chosen beside it; none for keywords alone. */
  readonly embedders: readonly EmbedderChoice[];
  readonly origins: Readonly<Record<'store' | 'embed_api_key' | ConfigKey, Origin>>;
  /** Settings that nothing reads. */
  readonly warnings: readonly string[];
}

export interface ConfigRequest {
  readonly flags?: Flags;
  /** Default: the process's. */
  readonly env?: Environment;
  /** Folder that relative paths, `.env` and the repository count from. Default: the process's. */
  readonly cwd?: string;
  /**
   * What an embedder does that cannot be: fail, or be a warning beside the builtin one, for a server
   * that has to start all the same. Default fail.
   */
  readonly impossibleEmbedder?: 'fail' | 'warn';
}

/**
 * Every setting with its origin: flag, environment, `.env`, the store's `config.yaml`, the git
 * repository, default. Empty means unset. Writes nothing and starts nothing.
 * @throws LociError invalid_input or unsupported, naming the setting and what it accepts
 */
export async function resolveConfig(request: ConfigRequest = {}): Promise<ResolvedConfig> {
  const { flags = {}, env = environment(), cwd = process.cwd() } = request;
  const dotEnv = readDotEnv(join(cwd, '.env'));
  const sources = [
    namedSource({ ...flags }, 'flag'),
    variableSource(env, 'environment'),
    variableSource(dotEnv.values, '.env'),
  ];
  const given = (flag: keyof Flags, file: ConfigFile = {}): Choice | undefined =>
    first([...sources, namedSource(file, 'config.yaml', snakeCase)], flag);

  const store = chooseStore(given('store'), cwd, env);
  const file = await readConfigFile(store.value);
  const project = chooseProject(given('project', file.values), cwd);
  const agent = given('agent', file.values);
  if (agent) checkAgent(agent.value);
  refuseSecret('project', project.value.name, project.origin);
  if (agent) refuseSecret('agent', agent.value, agent.origin);
  const isolation = oneOf('isolation', ISOLATIONS, given('isolation', file.values));
  const surface = oneOf('surface', SURFACES, given('surface', file.values));
  const zone = given('zone', file.values) ?? { value: UTC, origin: 'default' as const };
  const secrets = oneOf('secrets', SECRETS, given('secrets', file.values));
  const weights = given('weights', file.values);
  const embedding = embeddersFrom(
    [...sources, namedSource(file.values, 'config.yaml', snakeCase)],
    { ...request, env, cwd },
  );
  return {
    store: store.value,
    project: project.value,
    ...(agent && { agent: agent.value }),
    isolation: isolation.value,
    surface: surface.value,
    zone: zoneNamed(zone.value, `zone (${zone.origin})`),
    secrets: secrets.value,
    ...(weights && {
      weights: { setting: weights.value, values: weightsOf(weights.value, weights.origin) },
    }),
    embedders: embedding.embedders,
    origins: {
      store: store.origin,
      project: project.origin,
      agent: agent?.origin ?? 'default',
      isolation: isolation.origin,
      surface: surface.origin,
      zone: zone.origin,
      secrets: secrets.origin,
      weights: weights?.origin ?? 'default',
      embedder: embedding.origins.embedder,
      embed_model: embedding.origins.embedModel,
      embed_base_url: embedding.origins.embedBaseUrl,
      embed_api_key: embedding.origins.embedApiKey,
      embed_dimensions: embedding.origins.embedDimensions,
      embed_timeout_ms: embedding.origins.embedTimeoutMs,
    },
    warnings: [
      ...unknownVariables(env, 'environment'),
      ...unknownVariables(dotEnv.values, '.env'),
      ...dotEnv.warnings,
      ...file.warnings,
      ...embedding.warnings,
    ],
  };
}

/** The variables of this process: nothing else in Loci reads them. */
export function environment(): Environment {
  return process.env;
}

/** Where a server counts from: the project its host names, else the folder it was started in. */
export function hostFolder(env: Environment = environment()): string {
  return env.CLAUDE_PROJECT_DIR?.trim() || process.cwd();
}

function embeddersFrom(
  sources: readonly Source[],
  request: ConfigRequest & { readonly env: Environment; readonly cwd: string },
): EmbedderConfig {
  try {
    return chooseEmbedders(sources, request);
  } catch (thrown) {
    const { code, message, hint } = asLociError(thrown);
    if (request.impossibleEmbedder !== 'warn' || code === 'internal') throw thrown;
    const warning = hint === undefined ? message : `${message} (${hint})`;
    return { ...chooseEmbedders([], request), embedders: [BUILTIN], warnings: [warning] };
  }
}

function chooseStore(named: Choice | undefined, cwd: string, env: Environment): Choice<StoreName> {
  if (named) return { value: parseStoreName(named.value, cwd, env), origin: named.origin };
  const nearest = nearestVault(cwd);
  return nearest
    ? { value: nearest, origin: '.loci folder' }
    : { value: userVault(env), origin: 'default' };
}

function chooseProject(named: Choice | undefined, cwd: string): Choice<ResolvedConfig['project']> {
  if (named) return { value: { name: named.value }, origin: named.origin };
  const repository = gitWorkspace.repository(cwd);
  return repository
    ? { value: { name: repository.name, repository }, origin: 'git' }
    : { value: { name: GLOBAL_PROJECT }, origin: 'default' };
}

/** A `.env` may belong to another program: one that cannot be read stops nothing. */
function readDotEnv(path: string): { values: Environment; warnings: readonly string[] } {
  try {
    return { values: parseDotEnv(readIfThere(path) ?? ''), warnings: [] };
  } catch (error) {
    return { values: {}, warnings: [(error as Error).message] };
  }
}

async function readConfigFile(store: StoreName) {
  const path = join(store.path, 'config.yaml');
  const text = store.kind === 'vault' ? readIfThere(path) : undefined;
  return text === undefined ? { values: {}, warnings: [] } : parseConfigFile(text, path);
}

function oneOf<T extends string>(
  setting: keyof Flags,
  accepted: readonly [T, ...T[]],
  given: Choice | undefined,
): Choice<T> {
  if (!given) return { value: accepted[0], origin: 'default' };
  const value = accepted.find((word) => word === given.value);
  if (value !== undefined) return { value, origin: given.origin };
  const nearest = nearestOf(given.value, accepted);
  throw new LociError(
    'invalid_input',
    `${setting} (${given.origin}) is ${quote(given.value)}`,
    nearest ? `Did you mean ${nearest}?` : `It is one of ${accepted.join(', ')}.`,
  );
}

function checkAgent(agent: string): void {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(agent)) return;
  throw new LociError(
    'invalid_input',
    `agent is ${quote(agent)}`,
    'An agent id has at most 64 letters, digits, dashes and underscores.',
  );
}

/** These names stand in files, in events and in every answer. */
function refuseSecret(setting: string, name: string, origin: Origin): void {
  if (redact(name).kinds.length === 0) return;
  throw new LociError(
    'invalid_input',
    `${setting} (${origin}) looks like a secret`,
    'Its name stands in files and in the log: choose another one.',
  );
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return undefined;
    throw new LociError('unavailable', `${path} cannot be read (${code})`, undefined, {
      cause: error,
    });
  }
}
