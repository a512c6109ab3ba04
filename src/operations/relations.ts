import * as z from 'zod';
import type { RelationsOptions, UnrelateOptions } from '../domain/graph/inputs.ts';
import { relationsOptions, unrelateOptions } from '../domain/graph/options.ts';
import type { RelateOptions } from '../domain/inputs.ts';
import { relateOptions } from '../domain/options.ts';
import type { Operation } from './operation.ts';
import { edge } from './outputs.ts';

const edges = z.looseObject({ relations: z.array(edge) });

export const relate: Operation = {
  name: 'relate',
  title: 'Relate',
  description: 'Adds a typed edge between two memories.',
  audience: 'core',
  input: relateOptions,
  get output() {
    return edges;
  },
  annotations: { readOnly: false, destructive: false, idempotent: true },
  cli: {
    group: 'Connect',
    positionals: ['source', 'type', 'target'],
    examples: [
      {
        command: 'loci relate FACT-2026-03-09-PORT-8080-4TQX supports DECI-2026-03-09-PROXY-9M3A',
        what: 'The fact supports the decision',
      },
    ],
  },
  run: (loci, input) => loci.relate(input as unknown as RelateOptions),
};

export const relations: Operation = {
  name: 'relations',
  title: 'Relations',
  description:
    'Lists the edges from and to a memory; with depth also those of its neighbours, and how far each is.',
  audience: 'full',
  input: relationsOptions,
  get output() {
    return edges;
  },
  annotations: { readOnly: true, destructive: false, idempotent: true },
  cli: {
    group: 'Connect',
    summary: 'Edges from and to a memory',
    positionals: ['id'],
    examples: [
      { command: 'loci relations DECI-2026-03-09-PROXY-9M3A', what: 'From it and to it' },
      {
        command: 'loci relations DECI-2026-03-09-PROXY-9M3A --depth 3 --type depends_on',
        what: 'All that it rests on, three steps far',
      },
    ],
  },
  run: (loci, input) => loci.relations(input as unknown as RelationsOptions),
};

export const unrelate: Operation = {
  name: 'unrelate',
  title: 'Unrelate',
  description: 'Takes a typed edge between two memories away; the memories stay.',
  audience: 'full',
  input: unrelateOptions,
  get output() {
    return z.looseObject({ removed: z.array(edge) });
  },
  annotations: { readOnly: false, destructive: false, idempotent: false },
  cli: {
    group: 'Connect',
    positionals: ['source', 'type', 'target'],
    examples: [
      {
        command: 'loci unrelate FACT-2026-03-09-PORT-8080-4TQX supports DECI-2026-03-09-PROXY-9M3A',
        what: 'They have nothing to do with each other',
      },
    ],
  },
  run: (loci, input) => loci.unrelate(input as unknown as UnrelateOptions),
};
