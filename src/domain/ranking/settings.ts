import { LociError, quote } from '../errors.ts';
import { nearestOf } from '../parse.ts';
import { CHOICE, FUSION, KEYWORD, MULTIPLIERS, NEIGHBOURS } from './weights.ts';

type Numbers<T> = { readonly [K in keyof T]: T[K] extends number ? number : T[K] };

export type KeywordWeights = Numbers<typeof KEYWORD>;

/** Every number of ranking that a store can set; the defaults are those of `weights.ts`. */
export interface Weights {
  readonly keyword: KeywordWeights;
  readonly fusion: Numbers<typeof FUSION>;
  readonly types: Readonly<Record<string, number>>;
  readonly confidence: Numbers<typeof MULTIPLIERS.confidence>;
  readonly trust: { readonly untrusted: number };
  readonly recency: Numbers<typeof MULTIPLIERS.recency>;
  readonly entity: { readonly named: number };
  readonly neighbours: Numbers<typeof NEIGHBOURS>;
  readonly choice: Numbers<typeof CHOICE>;
}

export const DEFAULT_WEIGHTS: Weights = {
  keyword: KEYWORD,
  fusion: FUSION,
  types: MULTIPLIERS.types,
  confidence: MULTIPLIERS.confidence,
  trust: { untrusted: MULTIPLIERS.untrusted },
  recency: MULTIPLIERS.recency,
  entity: { named: MULTIPLIERS.entity },
  neighbours: NEIGHBOURS,
  choice: CHOICE,
};

interface Setting {
  readonly group: keyof Weights;
  readonly key: string;
  readonly least: number;
  readonly most: number;
}

/** By the name that a configuration uses: what it may be. What is built into the index is not here. */
export const WEIGHT_SETTINGS: ReadonlyMap<string, Setting> = new Map([
  ...row('keyword', 0, 10, ['k1']),
  ...row('keyword', 0, 1, ['b', 'body', 'head', 'tags', 'context', 'part']),
  ...row('keyword', 0, 100, ['exact', 'dominance']),
  ...row('keyword', 0, 10, ['pair', 'subject', 'session', 'certainty']),
  ...row('keyword', 1, 10_000, ['minLength', 'sessionCandidates']),
  ...row('fusion', 0, 10, ['builtin', 'sentence']),
  ...row('fusion', 0, 1, ['weaker']),
  ...row('fusion', 0, 10, ['mostDeviations', 'speaker', 'asksBack']),
  ...row('fusion', 1, 10_000, ['candidates', 'asksBackWords']),
  ...row('types', 0, 10, [
    'fact',
    'decision',
    'constraint',
    'belief',
    'preference',
    'open_question',
    'procedure',
    'entity_summary',
    'conflict',
    'episode',
  ]),
  ...row('confidence', 0, 10, ['least', 'most']),
  ...row('trust', 0, 10, ['untrusted']),
  ...row('recency', 0, 1, ['weight']),
  ...row('recency', 0.001, 1_000_000, ['halfLifeDays']),
  ...row('entity', 0, 10, ['named']),
  ...row('neighbours', 0, 1000, ['seeds']),
  ...row('neighbours', 0, 1, ['boost']),
  ...row('neighbours', 0, 10, ['damping']),
  ...row('choice', 0, 1, ['minScore', 'diversity', 'confidenceThreshold']),
]);

function row(
  group: keyof Weights,
  least: number,
  most: number,
  keys: readonly string[],
): [string, Setting][] {
  return keys.map((key) => [`${group}.${snake(key)}`, { group, key, least, most }]);
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * The weights of a setting: `recency.weight=0.2, choice.min_score=0.3`; all others stay as they are.
 * @throws LociError invalid_input that names the weight and what it accepts
 */
export function weightsOf(setting: string, where: string): Weights {
  const weights = new Map<keyof Weights, Record<string, unknown>>();
  for (const item of setting.split(/[,\n]/).map((part) => part.trim())) {
    if (item === '') continue;
    const { group, key, value } = weightOf(item, where);
    const changed = weights.get(group) ?? { ...DEFAULT_WEIGHTS[group] };
    changed[key] = value;
    weights.set(group, changed);
  }
  return { ...DEFAULT_WEIGHTS, ...Object.fromEntries(weights) };
}

function weightOf(item: string, where: string): Setting & { readonly value: number } {
  const [, name = item, text = ''] = /^([\w.]+)\s*[=:]\s*(.*)$/.exec(item) ?? [];
  const setting = WEIGHT_SETTINGS.get(name);
  if (!setting) {
    const nearest = nearestOf(name, [...WEIGHT_SETTINGS.keys()]);
    throw new LociError(
      'invalid_input',
      `weights (${where}) names ${quote(name)}, which is no weight`,
      nearest ? `Did you mean ${nearest}?` : 'Write name=number, with the names of docs/recall.md.',
    );
  }
  const value = Number(text);
  const { least, most } = setting;
  if (text.trim() !== '' && value >= least && value <= most) return { ...setting, value };
  throw new LociError(
    'invalid_input',
    `weights (${where}): ${name} is ${quote(text)}`,
    `It is a number from ${least} to ${most}.`,
  );
}
