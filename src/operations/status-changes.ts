import * as z from 'zod';
import type { StatusChangeOptions } from '../domain/inputs.ts';
import { statusChangeOptions } from '../domain/options.ts';
import { parseInput } from '../domain/parse.ts';
import type { Operation } from './operation.ts';
import { changed } from './outputs.ts';

/** The four verbs that change a memory's status and nothing else. */

const EXAMPLE_ID = 'FACT-2026-03-09-PORT-8080-4TQX';

export const archive: Operation = {
  name: 'archive',
  title: 'Archive',
  description: 'Takes a memory out of recall; restore brings it back.',
  audience: 'full',
  input: statusChangeOptions,
  get output() {
    return changed;
  },
  annotations: { readOnly: false, destructive: false, idempotent: true },
  cli: {
    group: 'Remember',
    positionals: ['id'],
    examples: [
      {
        command: `loci archive ${EXAMPLE_ID} --reason "moved to port 9000"`,
        what: 'Out of recall',
      },
    ],
  },
  run: (loci, input) => loci.archive(input as unknown as StatusChangeOptions),
};

export const restore: Operation = {
  name: 'restore',
  title: 'Restore',
  description: 'Makes an archived or rejected memory active again.',
  audience: 'full',
  input: statusChangeOptions,
  get output() {
    return changed;
  },
  annotations: { readOnly: false, destructive: false, idempotent: true },
  cli: {
    group: 'Remember',
    positionals: ['id'],
    examples: [{ command: `loci restore ${EXAMPLE_ID}`, what: 'Back into recall' }],
  },
  run: (loci, input) => loci.restore(input as unknown as StatusChangeOptions),
};

export const reject: Operation = {
  name: 'reject',
  title: 'Reject',
  description: 'Keeps a memory, and any later text equal to it, out of recall for good.',
  audience: 'full',
  input: statusChangeOptions,
  get output() {
    return changed;
  },
  annotations: { readOnly: false, destructive: true, idempotent: true },
  cli: {
    group: 'Remember',
    positionals: ['id'],
    examples: [
      { command: `loci reject ${EXAMPLE_ID} --reason "never was true"`, what: 'Never again' },
    ],
  },
  run: (loci, input) => loci.reject(input as unknown as StatusChangeOptions),
};

const forgetOptions = statusChangeOptions.extend({
  mode: z
    .enum(['archive', 'reject'])
    .optional()
    .describe('archive (default): can be restored; reject: wrong, never store it again'),
});

export const forget: Operation = {
  name: 'forget',
  title: 'Forget',
  description: 'Takes a memory that is wrong or no longer of use out of recall.',
  audience: 'core',
  input: forgetOptions,
  get output() {
    return changed;
  },
  annotations: { readOnly: false, destructive: true, idempotent: true },
  run(loci, input) {
    const { mode = 'archive', ...change } = parseInput(forgetOptions, input, 'forget');
    return mode === 'reject' ? loci.reject(change) : loci.archive(change);
  },
};
