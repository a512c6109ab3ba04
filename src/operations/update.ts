import type { UpdateOptions } from '../domain/inputs.ts';
import { updateOptions } from '../domain/options.ts';
import { word } from '../domain/fields.ts';
import type { Operation } from './operation.ts';
import { changed } from './outputs.ts';

export const update: Operation = {
  name: 'update',
  title: 'Update',
  description:
    'Changes fields of a memory; what is not given stays. For a claim that no longer holds, remember its successor with supersedes instead.',
  audience: 'full',
  input: updateOptions.extend({ id: word().describe('Id of the memory') }),
  get output() {
    return changed;
  },
  annotations: { readOnly: false, destructive: false, idempotent: true },
  cli: {
    group: 'Remember',
    positionals: ['id', 'body'],
    renamed: { sessionId: 'session' },
    omitted: ['relations', 'entities', 'details'],
    examples: [
      {
        command: 'loci update DECI-2026-03-09-FILE-FIRST-7K2M --tags storage,design',
        what: 'New tags',
      },
      {
        command: 'loci update DECI-2026-03-09-FILE-FIRST-7K2M "New text" --expect-version 3',
        what: 'Only if nobody changed it meanwhile',
      },
    ],
  },
  run: (loci, input) => loci.update(input as unknown as UpdateOptions),
};
