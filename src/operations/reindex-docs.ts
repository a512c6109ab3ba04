import * as z from 'zod';
import { reindexDocsOptions } from '../domain/document-options.ts';
import type { ReindexDocsOptions } from '../domain/documents.ts';
import type { Operation } from './operation.ts';
import { textList } from './outputs.ts';

export const reindexDocs: Operation = {
  name: 'reindex-docs',
  title: 'Index documents',
  description:
    'Indexes the Markdown files of a folder, apart from the memories, for recall-docs. Files that have not changed are skipped, deleted ones leave the index.',
  audience: 'cli',
  input: reindexDocsOptions,
  get output() {
    return z.looseObject({
      root: z.string(),
      files: z.looseObject({
        indexed: z.number(),
        unchanged: z.number(),
        removed: z.number(),
        failed: z.number(),
      }),
      sections: z.number(),
      warnings: textList,
    });
  },
  annotations: { readOnly: false, destructive: false, idempotent: true },
  cli: {
    group: 'Look after',
    summary: 'Indexes a folder of Markdown documents',
    positionals: ['dir'],
    examples: [
      { command: 'loci reindex-docs ./docs', what: 'Again whenever something has changed' },
      { command: 'loci reindex-docs . --glob "guide/**"', what: 'Only a part of it' },
      { command: 'loci reindex-docs ./docs --forget', what: 'Out of the index again' },
    ],
  },
  run: (loci, input, { progress }) =>
    loci.reindexDocs(input as unknown as ReindexDocsOptions, progress),
};
