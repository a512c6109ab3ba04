import * as z from 'zod';
import { mergeOptions } from '../domain/log-options.ts';
import type { MergeLogOptions } from '../domain/log-verbs.ts';
import type { Operation } from './operation.ts';
import { setAside, textList } from './outputs.ts';

export const merge: Operation = {
  name: 'merge',
  title: 'Merge',
  description:
    'Joins the log of another copy of the store: nothing is lost, and concurrent edits that contradict each other are listed as conflicts.',
  audience: 'cli',
  input: mergeOptions,
  get output() {
    return z.looseObject({
      dry_run: z.boolean(),
      events: z.number(),
      memories: z.number(),
      conflicts: textList,
      skipped: z.array(setAside),
      state_hash: z.string(),
    });
  },
  annotations: { readOnly: false, destructive: false, idempotent: true },
  cli: {
    group: 'Look after',
    positionals: [],
    examples: [
      { command: 'loci merge --from ../laptop/memory --dry-run', what: 'What would come' },
      { command: 'loci merge --from laptop-events.ndjson', what: 'Join a log that was sent over' },
    ],
  },
  run: (loci, input) => loci.merge(input as unknown as MergeLogOptions),
};
