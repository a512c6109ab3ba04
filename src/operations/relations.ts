import * as z from 'zod';
import { word } from '../domain/fields.ts';
import type { RelateOptions } from '../domain/inputs.ts';
import { relateOptions } from '../domain/options.ts';
import { parseInput } from '../domain/parse.ts';
import type { Operation } from './operation.ts';
import { edge } from './outputs.ts';

const edges = z.looseObject({ relations: z.array(edge) });

export const relate: Operation = {
  name: 'relate',
  title: 'Relate',
  description: 'Adds a typed edge between two memories.',
  audience: 'core',
  input: relateOptions,
  output: edges,
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

const relationsOptions = z.strictObject({ id: word().describe('Id of the memory') });

export const relations: Operation = {
  name: 'relations',
  title: 'Relations',
  description: 'Lists the edges from and to a memory.',
  audience: 'full',
  input: relationsOptions,
  output: edges,
  annotations: { readOnly: true, destructive: false, idempotent: true },
  cli: {
    group: 'Connect',
    positionals: ['id'],
    examples: [{ command: 'loci relations DECI-2026-03-09-PROXY-9M3A', what: 'From it and to it' }],
  },
  run: (loci, input) => loci.relations(parseInput(relationsOptions, input, 'relations')),
};
