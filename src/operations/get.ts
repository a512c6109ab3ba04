import * as z from 'zod';
import type { GetOptions } from '../domain/inputs.ts';
import { getOptions } from '../domain/options.ts';
import type { Operation } from './operation.ts';
import { textList } from './outputs.ts';

export const get: Operation = {
  name: 'get',
  title: 'Get',
  description: 'Whole memories by id, with their history or edges on request.',
  audience: 'core',
  input: getOptions,
  published: ['ids', 'history', 'relations'],
  get output() {
    return z.looseObject({
      memories: z.array(z.looseObject({ id: z.string(), body: z.string() })),
      missing: textList,
    });
  },
  annotations: { readOnly: true, destructive: false, idempotent: true },
  cli: {
    group: 'Find',
    positionals: ['ids…'],
    examples: [
      { command: 'loci get DECI-2026-03-09-FILE-FIRST-7K2M', what: 'One memory, whole' },
      { command: 'loci get DECI-2026-03-09-FILE-FIRST-7K2M --history', what: 'How it changed' },
    ],
  },
  run: (loci, input) => loci.get(input as unknown as GetOptions),
};
