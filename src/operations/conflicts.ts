import * as z from 'zod';
import type { ConflictsOptions, ResolveOptions } from '../domain/upkeep-inputs.ts';
import { conflictsOptions, resolveOptions } from '../domain/upkeep-options.ts';
import type { Operation } from './operation.ts';
import { runResult, textList } from './outputs.ts';

export const conflicts: Operation = {
  name: 'conflicts',
  title: 'Conflicts',
  description:
    'Lists what does not agree in this project, with both sides: concurrent edits, stated and apparent contradictions.',
  audience: 'full',
  input: conflictsOptions,
  get output() {
    return z.looseObject({
      conflicts: z.array(z.looseObject({ id: z.string(), ids: textList, reason: z.string() })),
      total: z.number(),
    });
  },
  annotations: { readOnly: true, destructive: false, idempotent: true },
  cli: {
    group: 'Look after',
    positionals: [],
    examples: [
      { command: 'loci conflicts', what: 'Surest first, with the ids that resolve takes' },
    ],
  },
  run: (loci, input) => loci.conflicts(input as ConflictsOptions),
};

const PAIR = 'FACT-2026-03-09-PORT-8080-4TQX+FACT-2026-03-10-PORT-9090-2M7C';

export const resolve: Operation = {
  name: 'resolve',
  title: 'Resolve',
  description:
    'Settles a conflict with the id of what holds (it replaces the other), a text, or both. Can be taken back with undo.',
  audience: 'full',
  input: resolveOptions,
  get output() {
    return z.looseObject({ resolved: z.string(), ...runResult });
  },
  annotations: { readOnly: false, destructive: false, idempotent: false },
  cli: {
    group: 'Look after',
    positionals: ['id'],
    examples: [
      {
        command: `loci resolve ${PAIR} --keep FACT-2026-03-10-PORT-9090-2M7C`,
        what: 'This one holds; the other is kept as history',
      },
      {
        command: `loci resolve ${PAIR} --both --reason "two servers"`,
        what: 'No conflict; not flagged again',
      },
    ],
  },
  run: (loci, input) => loci.resolve(input as unknown as ResolveOptions),
};
