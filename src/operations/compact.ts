import * as z from 'zod';
import { parseInput } from '../domain/parse.ts';
import type { Operation } from './operation.ts';

const nothing = z.strictObject({});

export const compact: Operation = {
  name: 'compact',
  title: 'Compact',
  description:
    'Drops history from the log: all but the latest event of each memory. What is current stays; earlier states cannot be asked for any more.',
  audience: 'cli',
  input: nothing,
  get output() {
    return z.looseObject({ dropped: z.number(), events: z.number(), state_hash: z.string() });
  },
  annotations: { readOnly: false, destructive: true, idempotent: true },
  cli: {
    group: 'Look after',
    positionals: [],
    examples: [{ command: 'loci compact', what: 'Make the log small again' }],
  },
  run(loci, input) {
    parseInput(nothing, input, 'compact');
    return loci.compact();
  },
};
