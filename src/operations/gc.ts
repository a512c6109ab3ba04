import * as z from 'zod';
import type { GcOptions } from '../domain/inputs.ts';
import { gcOptions } from '../domain/options.ts';
import type { Operation } from './operation.ts';
import { runResult, textList } from './outputs.ts';

export const gc: Operation = {
  name: 'gc',
  title: 'Collect expired',
  description:
    'Archives what has outlived its time to live or validity in the current project. Nothing else is touched.',
  audience: 'full',
  input: gcOptions,
  get output() {
    return z.looseObject({ ...runResult, expired: textList });
  },
  annotations: { readOnly: false, destructive: false, idempotent: true },
  cli: {
    group: 'Look after',
    positionals: [],
    examples: [
      { command: 'loci gc --dry-run', what: 'What would be archived' },
      { command: 'loci gc', what: 'Archive it; each can be restored' },
    ],
  },
  run: (loci, input) => loci.gc(input as GcOptions),
};
