import * as z from 'zod';
import type { StatusOptions } from '../domain/inputs.ts';
import { statusOptions } from '../domain/options.ts';
import type { Operation } from './operation.ts';
import { finding } from './outputs.ts';

export const status: Operation = {
  name: 'status',
  title: 'Status',
  description: 'Where the store is, what it holds, and whether index and log are sound.',
  audience: 'full',
  input: statusOptions,
  get output() {
    return z.looseObject({
      store: z.string(),
      engine: z.string(),
      project: z.string(),
      memories: z.looseObject({ total: z.number() }),
      staleness: z.looseObject({ over_90_days: z.number(), ended: z.number() }),
      index: z.string(),
      log: z.looseObject({ events: z.number(), position: z.number() }),
      findings: z.array(finding),
      version: z.string(),
    });
  },
  annotations: { readOnly: true, destructive: false, idempotent: true },
  cli: {
    group: 'Look after',
    summary: 'Where the store is, what it holds and how it is',
    positionals: [],
    alias: 'stats',
    examples: [
      { command: 'loci status --json', what: 'Counts by type, tier, status, project' },
      { command: 'loci stats --all-agents', what: 'What each agent holds' },
    ],
  },
  run: (loci, input) => loci.status(input as StatusOptions),
};
