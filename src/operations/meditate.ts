import * as z from 'zod';
import type { MeditateOptions } from '../domain/upkeep-inputs.ts';
import { meditateOptions } from '../domain/upkeep-options.ts';
import type { Operation } from './operation.ts';
import { diagnosis, runResult, textList } from './outputs.ts';

export const meditate: Operation = {
  name: 'meditate',
  title: 'Meditate',
  description:
    'Archives what nobody has changed for as long as its tier allows (project-context 180 days, conversations 90), and reports duplicates.',
  audience: 'full',
  input: meditateOptions,
  get output() {
    return z.looseObject({
      archived: textList,
      duplicates: z.array(z.looseObject({ ids: textList, likeness: z.number() })),
      lint_findings: z.array(diagnosis).optional(),
      ...runResult,
    });
  },
  annotations: { readOnly: false, destructive: false, idempotent: true },
  cli: {
    group: 'Look after',
    positionals: [],
    examples: [
      { command: 'loci meditate --dry-run', what: 'What is stale, and what says the same' },
      { command: 'loci meditate --include-lint', what: 'With what lint would find' },
      { command: 'loci meditate --mode stale', what: 'Archive it; undo takes it back' },
    ],
  },
  run: (loci, input) => loci.meditate(input as MeditateOptions),
};
