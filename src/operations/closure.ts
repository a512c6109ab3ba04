import * as z from 'zod';
import type { ClosureOptions } from '../domain/graph/inputs.ts';
import { closureOptions } from '../domain/graph/options.ts';
import type { Operation } from './operation.ts';

export const closure: Operation = {
  name: 'closure',
  title: 'Closure',
  description:
    'Measures how self-referential the memories are: the share of beliefs, and how densely they refer to each other.',
  audience: 'full',
  input: closureOptions,
  get output() {
    return z.looseObject({
      memories: z.number(),
      belief_pct: z.number(),
      closure_index: z.number(),
      entanglement_pct: z.number(),
      phase: z.string(),
      predictions: z.array(z.looseObject({ about: z.string(), level: z.string() })),
    });
  },
  annotations: { readOnly: true, destructive: false, idempotent: true },
  cli: {
    group: 'Look after',
    summary: 'How self-referential the memories are',
    positionals: [],
    examples: [
      { command: 'loci closure', what: 'As it is now' },
      {
        command: 'loci closure --trajectory --trajectory-days 10',
        what: 'And of the last ten days',
      },
    ],
  },
  run: (loci, input) => loci.closure(input as ClosureOptions),
};
