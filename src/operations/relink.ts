import * as z from 'zod';
import type { MigrateRelationsOptions, RelinkOptions } from '../domain/graph/inputs.ts';
import { migrateRelationsOptions, relinkOptions } from '../domain/graph/options.ts';
import type { Operation } from './operation.ts';
import { edge, runResult } from './outputs.ts';

const unresolved = z.array(z.looseObject({ source: z.string(), name: z.string() }));

const output = z.looseObject({
  ...runResult,
  added: z.array(edge),
  removed: z.array(edge),
  ambiguous: unresolved,
  dangling: unresolved,
});

const annotations = { readOnly: false, destructive: false, idempotent: true } as const;

export const relink: Operation = {
  name: 'relink',
  title: 'Relink',
  description:
    'Reads links and ids in the bodies of the current project into related_to edges, and takes away those of links that are gone. Names that lead to no memory, or to several, are told.',
  audience: 'full',
  input: relinkOptions,
  output,
  annotations,
  cli: {
    group: 'Connect',
    summary: 'Read the links in bodies into edges',
    positionals: [],
    examples: [
      { command: 'loci relink', what: 'What would be linked, and what leads nowhere' },
      { command: 'loci relink --apply', what: 'Link it, as one run' },
    ],
  },
  run: (loci, input) => loci.relink(input as RelinkOptions),
};

export const migrateRelations: Operation = {
  name: 'migrate-relations',
  title: 'Migrate relations',
  description:
    'Takes over edges of another system: links.related in front matter, and ids in bodies. Nothing is taken away.',
  audience: 'cli',
  input: migrateRelationsOptions,
  output,
  annotations,
  cli: {
    group: 'Connect',
    summary: 'Take over edges from front matter and bodies',
    positionals: [],
    examples: [
      { command: 'loci migrate-relations', what: 'What would be taken over' },
      { command: 'loci migrate-relations --apply', what: 'Take it over, as one run' },
    ],
  },
  run: (loci, input) => loci.migrateRelations(input as MigrateRelationsOptions),
};
