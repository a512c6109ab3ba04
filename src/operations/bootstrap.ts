import * as z from 'zod';
import { parseInput } from '../domain/parse.ts';
import type { Operation } from './operation.ts';
import { finding } from './outputs.ts';

const nothing = z.strictObject({});

export const bootstrap: Operation = {
  name: 'bootstrap-events',
  title: 'Bootstrap events',
  description:
    'Gives each memory that is there as a file alone the event that its history begins with.',
  audience: 'cli',
  input: nothing,
  get output() {
    return z.looseObject({
      memories: z.number(),
      bootstrapped: z.number(),
      events: z.number(),
      state_hash: z.string(),
      problems: z.array(finding),
    });
  },
  annotations: { readOnly: false, destructive: false, idempotent: true },
  cli: {
    group: 'Look after',
    positionals: [],
    examples: [
      {
        command: 'loci bootstrap-events -d ./notes',
        what: 'A folder of Markdown files without a log',
      },
    ],
  },
  run(loci, input) {
    parseInput(nothing, input, 'bootstrap-events');
    return loci.bootstrapEvents();
  },
};
