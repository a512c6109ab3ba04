import * as z from 'zod';
import type { WanderOptions } from '../domain/graph/inputs.ts';
import { wanderOptions } from '../domain/graph/options.ts';
import type { Operation } from './operation.ts';
import { textList } from './outputs.ts';

export const wander: Operation = {
  name: 'wander',
  title: 'Wander',
  description:
    'Spreads activation from some memories over shared tags and edges: what they bring to mind, and pairs that are active together though they lie far apart.',
  audience: 'full',
  input: wanderOptions,
  get output() {
    return z.looseObject({
      seeds: textList,
      activated: z.array(z.looseObject({ id: z.string(), activation: z.number() })),
      collisions: z.array(z.looseObject({ a: z.string(), b: z.string(), score: z.number() })),
      steps: z.number(),
    });
  },
  annotations: { readOnly: true, destructive: false, idempotent: true },
  cli: {
    group: 'Connect',
    summary: 'Find unexpected connections',
    positionals: [],
    renamed: { seeds: 'seed' },
    variadic: ['seeds', 'tags'],
    examples: [
      { command: 'loci wander', what: 'From the three newest memories' },
      { command: 'loci wander --tags api design --steps 5', what: 'From two subjects, further' },
    ],
  },
  run: (loci, input) => loci.wander(input as WanderOptions),
};
