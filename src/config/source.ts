import { snakeCase } from '../domain/parse.ts';
import type { Environment } from './variables.ts';

/** Where a value comes from; the first that has one wins, in this order. */
export type Origin =
  | 'flag'
  | 'environment'
  | '.env'
  | 'config.yaml'
  | 'git'
  | '.loci folder'
  | 'default';

export interface Choice<T = string> {
  readonly value: T;
  readonly origin: Origin;
}

/** One place that settings are read from; `undefined` where it does not have one. */
export interface Source {
  readonly origin: Origin;
  /** @param setting as the library spells it: `embedModel` */
  read(setting: string): string | undefined;
  /** A variable by its own name; only environments have some. */
  variable(name: string): string | undefined;
}

function choice(value: string | undefined, origin: Origin): Choice | undefined {
  const text = value?.trim();
  return text ? { value: text, origin } : undefined;
}

/** What a caller said, or what a settings file says. */
export function namedSource(
  values: Readonly<Record<string, string | undefined>>,
  origin: Origin,
  keyOf: (setting: string) => string = (setting) => setting,
): Source {
  return { origin, read: (setting) => values[keyOf(setting)], variable: () => undefined };
}

/** Variables, `LOCI_EMBED_MODEL` for `embedModel`. */
export function variableSource(env: Environment, origin: Origin): Source {
  return {
    origin,
    read: (setting) => env[`LOCI_${snakeCase(setting).toUpperCase()}`],
    variable: (name) => env[name],
  };
}

/** The first source that has a setting. */
export function first(sources: readonly Source[], setting: string): Choice | undefined {
  return firstOf(sources, (source) => source.read(setting));
}

export function firstVariable(sources: readonly Source[], name: string): Choice | undefined {
  return firstOf(sources, (source) => source.variable(name));
}

function firstOf(
  sources: readonly Source[],
  read: (source: Source) => string | undefined,
): Choice | undefined {
  for (const source of sources) {
    const found = choice(read(source), source.origin);
    if (found) return found;
  }
  return undefined;
}
