import * as z from 'zod';
import type { ViewOptions } from '../domain/upkeep-inputs.ts';
import { viewOptions } from '../domain/upkeep-options.ts';
import type { Operation } from './operation.ts';

export const view: Operation = {
  name: 'view',
  title: 'View page',
  description:
    'A page of what is known, as Markdown: index, handoff (for the next session), decisions, constraints or open questions.',
  audience: 'full',
  input: viewOptions,
  get output() {
    return z.looseObject({ name: z.string(), text: z.string() });
  },
  annotations: { readOnly: true, destructive: false, idempotent: true },
  cli: {
    group: 'Find',
    positionals: ['name'],
    examples: [
      { command: 'loci view handoff', what: 'What the next session needs to know' },
      { command: 'loci view decisions > DECISIONS.md', what: 'From a store without a folder' },
    ],
  },
  run: (loci, input) => loci.view(input as unknown as ViewOptions),
};
