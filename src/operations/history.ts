import * as z from 'zod';
import { diffOptions, historyOptions } from '../domain/log-options.ts';
import type { DiffOptions } from '../domain/log-verbs.ts';
import type { Operation } from './operation.ts';

export const history: Operation = {
  name: 'history',
  title: 'History',
  description: 'What happened to a memory: when, by whom, why, and which fields changed.',
  audience: 'full',
  input: historyOptions,
  get output() {
    return z.looseObject({
      id: z.string(),
      events: z.array(z.looseObject({ event: z.string(), at: z.string(), kind: z.string() })),
    });
  },
  annotations: { readOnly: true, destructive: false, idempotent: true },
  cli: {
    group: 'Find',
    positionals: ['id'],
    examples: [
      { command: 'loci history DECI-2026-03-09-DEPLOY-7K2M', what: 'Every change of a memory' },
    ],
  },
  run: (loci, input) => loci.history(input as { id: string }),
};

export const diff: Operation = {
  name: 'diff',
  title: 'Diff',
  description:
    'What changed: of a memory between two events or times, or in the whole store since a time.',
  audience: 'full',
  input: diffOptions,
  get output() {
    return z.looseObject({
      memories: z.array(z.looseObject({ id: z.string(), change: z.string() })),
    });
  },
  annotations: { readOnly: true, destructive: false, idempotent: true },
  cli: {
    group: 'Find',
    positionals: ['id'],
    examples: [
      { command: 'loci diff DECI-2026-03-09-DEPLOY-7K2M', what: 'The last change of a memory' },
      { command: 'loci diff --since yesterday', what: 'What appeared, changed or ended' },
    ],
  },
  run: (loci, input) => loci.diff(input as DiffOptions),
};
