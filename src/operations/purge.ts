import * as z from 'zod';
import { purgeOptions } from '../domain/log-options.ts';
import type { PurgeOptions } from '../domain/log-verbs.ts';
import type { Operation } from './operation.ts';
import { textList } from './outputs.ts';

export const purge: Operation = {
  name: 'purge',
  title: 'Purge',
  description:
    'Deletes memories of the current project for good, out of the log, its history and every file of the store. Git history is yours to rewrite.',
  audience: 'cli',
  input: purgeOptions,
  get output() {
    return z.looseObject({ purged: textList, missing: textList });
  },
  annotations: { readOnly: false, destructive: true, idempotent: true },
  cli: {
    group: 'Look after',
    positionals: ['ids…'],
    examples: [
      {
        command: 'loci purge FACT-2026-03-09-THE-CODE-IS-1234-7K2M --yes',
        what: 'Delete what should never have been stored',
      },
    ],
  },
  run: (loci, input) => loci.purge(input as unknown as PurgeOptions),
};
