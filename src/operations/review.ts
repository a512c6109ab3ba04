import * as z from 'zod';
import type { ReviewOptions } from '../domain/upkeep-inputs.ts';
import { reviewOptions } from '../domain/upkeep-options.ts';
import type { Operation } from './operation.ts';

export const review: Operation = {
  name: 'review',
  title: 'Review',
  description:
    'What waits for a person: drafts that upkeep may not accept by itself, and its proposals. Lists, accepts or refuses them.',
  audience: 'cli',
  input: reviewOptions,
  get output() {
    return z.looseObject({});
  },
  annotations: { readOnly: false, destructive: false, idempotent: true },
  cli: {
    group: 'Look after',
    positionals: ['action', 'ids…'],
    examples: [
      { command: 'loci review', what: 'What waits, why, and since when' },
      { command: 'loci review accept FACT-2026-03-09-PORT-8080-4TQX', what: 'Make it active' },
      {
        command: 'loci review refuse PROP-7K2M4TQX9M3A --reason "not the same"',
        what: 'Do not propose it again',
      },
    ],
  },
  run: (loci, input) => loci.review(input as ReviewOptions),
};
