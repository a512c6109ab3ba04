import * as z from 'zod';
import type { ReflectOptions } from '../domain/upkeep-inputs.ts';
import { reflectOptions } from '../domain/upkeep-options.ts';
import type { Operation } from './operation.ts';
import { runResult, textList } from './outputs.ts';

const flagged = z.looseObject({ id: z.string(), ids: textList, reason: z.string() });

export const reflect: Operation = {
  name: 'reflect',
  title: 'Reflect',
  description:
    'Consolidates this project: expires, joins duplicates, promotes what is sure, flags conflicts, renews the view pages.',
  audience: 'full',
  input: reflectOptions,
  get output() {
    return z.looseObject({
      ...runResult,
      expired: textList,
      deduplicated: textList,
      promoted: textList,
      conflicts: z.array(flagged),
      proposed: z.array(flagged),
      views: z.array(z.looseObject({ name: z.string(), changed: z.boolean() })),
    });
  },
  annotations: { readOnly: false, destructive: false, idempotent: true },
  cli: {
    group: 'Look after',
    positionals: [],
    examples: [
      { command: 'loci reflect --dry-run', what: 'What it would change' },
      { command: 'loci reflect', what: 'Every night, or after a merge; undo takes it back' },
    ],
  },
  run: (loci, input) => loci.reflect(input as ReflectOptions),
};
