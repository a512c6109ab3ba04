import * as z from 'zod';
import type { EntityOptions } from '../domain/inputs.ts';
import { entityOptions } from '../domain/options.ts';
import { parseInput } from '../domain/parse.ts';
import type { Operation } from './operation.ts';

const listed = z.looseObject({
  entities: z.array(
    z.looseObject({ id: z.string(), name: z.string(), aliases: z.array(z.string()) }),
  ),
});

export const entity: Operation = {
  name: 'entity',
  title: 'Name an entity',
  description:
    'Makes a project, person, tool or decision known by its names; recall with entity finds it by any of them.',
  audience: 'full',
  input: entityOptions,
  get output() {
    return listed;
  },
  annotations: { readOnly: false, destructive: false, idempotent: true },
  cli: {
    group: 'Connect',
    positionals: ['name'],
    examples: [
      {
        command: 'loci entity PostgreSQL --kind tool --aliases postgres,pg',
        what: 'Three names of one tool',
      },
    ],
  },
  run: (loci, input) => loci.entity(input as unknown as EntityOptions),
};

const nothing = z.strictObject({});

export const entities: Operation = {
  name: 'entities',
  title: 'Entities',
  description: 'Lists the entities that are known by several names.',
  audience: 'full',
  input: nothing,
  get output() {
    return listed;
  },
  annotations: { readOnly: true, destructive: false, idempotent: true },
  cli: {
    group: 'Connect',
    positionals: [],
    examples: [{ command: 'loci entities', what: 'All names of all entities' }],
  },
  run(loci, input) {
    parseInput(nothing, input, 'entities');
    return loci.entities();
  },
};
