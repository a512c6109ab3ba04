import * as z from 'zod';
import type { CitationsOptions } from '../domain/graph/inputs.ts';
import { citationsOptions } from '../domain/graph/options.ts';
import type { Operation } from './operation.ts';

export const citations: Operation = {
  name: 'citations',
  title: 'Citations',
  description:
    'Notes which memories of the current project name others by title, and lists the most named. Run it before wander when much has changed.',
  audience: 'full',
  input: citationsOptions,
  get output() {
    return z.looseObject({
      memories: z.number(),
      citations: z.number(),
      cited: z.array(z.looseObject({ id: z.string(), title: z.string(), cited_by: z.number() })),
    });
  },
  annotations: { readOnly: false, destructive: false, idempotent: true },
  cli: {
    group: 'Connect',
    summary: 'Index which memories name which',
    positionals: [],
    examples: [
      { command: 'loci citations --limit 10', what: 'Index, and show the ten most named' },
    ],
  },
  run: (loci, input, { progress }) => loci.citations(input as CitationsOptions, progress),
};
