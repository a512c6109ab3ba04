import type { Memory } from '../domain/memory.ts';
import { passes, type Filter } from '../domain/view.ts';

/** A criterion that does not let a memory through, and what the memory has there. */
export interface Refusal {
  /** The option's name in JSON, or `valid` and `status`, which recall sets by itself. */
  readonly criterion: string;
  readonly value: string;
}

/** Criteria that mean something only together. */
const GROUPS: readonly (readonly (keyof Filter)[])[] = [
  ['asOfMs', 'statuses'],
  ['validAtMs'],
  ['endedByMs'],
  ['types'],
  ['notTypes'],
  ['tiers'],
  ['tags'],
  ['paths'],
  ['sources'],
  ['sessionId'],
  ['entityNames'],
  ['minConfidence'],
  ['sinceMs'],
  ['untilMs'],
  ['ids'],
];

/** Every criterion of a filter that a memory fails, by the meaning that `passes` gives it. */
export function refusalsOf(filter: Filter, memory: Memory): readonly Refusal[] {
  return GROUPS.flatMap((names) => {
    const given = Object.fromEntries(
      names.filter((name) => filter[name] !== undefined).map((name) => [name, filter[name]]),
    );
    if (passes(given, memory)) return [];
    const alone = names.find((one) => one in given && !passes({ [one]: filter[one] }, memory));
    return [describe(alone ?? (names[0] as keyof Filter), memory)];
  });
}

function describe(name: keyof Filter, memory: Memory): Refusal {
  const value = VALUES[name];
  return { criterion: value.criterion, value: value.of(memory) };
}

const list = (words: readonly string[]): string => words.join(', ') || 'none';
const created = ({ created_at }: Memory): string => created_at;

const VALUES: Readonly<
  Record<keyof Filter, { readonly criterion: string; of(memory: Memory): string }>
> = {
  ids: { criterion: 'id', of: ({ id }) => id },
  statuses: { criterion: 'status', of: ({ status }) => status },
  asOfMs: { criterion: 'as_of', of: created },
  validAtMs: { criterion: 'valid', of: validity },
  endedByMs: { criterion: 'ended', of: validity },
  types: { criterion: 'type', of: ({ type }) => type },
  notTypes: { criterion: 'type', of: ({ type }) => type },
  tiers: { criterion: 'tier', of: ({ tier }) => tier },
  tags: { criterion: 'tags', of: ({ tags }) => list(tags) },
  paths: { criterion: 'paths', of: ({ paths }) => list(paths) },
  sources: { criterion: 'source', of: ({ source }) => source },
  sessionId: { criterion: 'session', of: ({ session_id }) => session_id ?? 'none' },
  entityNames: {
    criterion: 'entity',
    of: ({ entities }) => list(entities.map(({ name }) => name)),
  },
  minConfidence: { criterion: 'min_confidence', of: ({ confidence }) => String(confidence) },
  sinceMs: { criterion: 'since', of: created },
  untilMs: { criterion: 'until', of: created },
};

function validity({ valid_from, valid_to, ttl_days, created_at }: Memory): string {
  const parts = [
    valid_from === undefined ? '' : `from ${valid_from}`,
    valid_to === undefined ? '' : `until ${valid_to}`,
    ttl_days === undefined ? '' : `for ${ttl_days} days from ${created_at}`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}
