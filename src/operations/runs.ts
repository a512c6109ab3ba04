import * as z from 'zod';
import type { RunsOptions, UndoOptions } from '../domain/upkeep-inputs.ts';
import { runsOptions, undoOptions } from '../domain/upkeep-options.ts';
import type { Operation } from './operation.ts';
import { runResult } from './outputs.ts';

const EXAMPLE_RUN = '01KMB0QJ5X0Z3V9T6R2D8W4N7C';

export const runs: Operation = {
  name: 'runs',
  title: 'Runs',
  description:
    'Lists what upkeep has done in this project, run by run; with the id of a run, every change of it.',
  audience: 'full',
  input: runsOptions,
  get output() {
    return z.looseObject({
      runs: z.array(z.looseObject({ id: z.string(), verb: z.string(), applied: z.number() })),
      total: z.number(),
    });
  },
  annotations: { readOnly: true, destructive: false, idempotent: true },
  cli: {
    group: 'Look after',
    positionals: ['run'],
    examples: [
      { command: 'loci runs', what: 'The newest runs, and what of them is taken back' },
      { command: `loci runs ${EXAMPLE_RUN}`, what: 'What that run changed, as a difference' },
    ],
  },
  run: (loci, input) => loci.runs(input as RunsOptions),
};

export const undo: Operation = {
  name: 'undo',
  title: 'Undo',
  description:
    'Takes back a run of upkeep, or one change of it. What has changed since is named and left alone.',
  audience: 'full',
  input: undoOptions,
  get output() {
    return z.looseObject({ undoes: z.string(), ...runResult });
  },
  annotations: { readOnly: false, destructive: false, idempotent: true },
  cli: {
    group: 'Look after',
    positionals: ['ref'],
    examples: [
      { command: `loci undo ${EXAMPLE_RUN} --dry-run`, what: 'What would be taken back' },
      { command: `loci undo ${EXAMPLE_RUN}`, what: 'Take it back; exit code 1 if only in part' },
    ],
  },
  run: (loci, input) => loci.undo(input as unknown as UndoOptions),
};
