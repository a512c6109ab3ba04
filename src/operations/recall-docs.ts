import * as z from 'zod';
import { recallDocsOptions } from '../domain/document-options.ts';
import type { RecallDocsOptions } from '../domain/documents.ts';
import type { Operation } from './operation.ts';
import { textList } from './outputs.ts';

export const recallDocs: Operation = {
  name: 'recall-docs',
  title: 'Recall documents',
  description:
    'Finds the sections of indexed Markdown documents that answer a question, best first, with file and line. Memories are not among them: recall finds those.',
  audience: 'full',
  input: recallDocsOptions,
  get output() {
    return z.looseObject({
      results: z.array(
        z.looseObject({
          file: z.string(),
          heading: z.string(),
          line: z.number(),
          text: z.string(),
          score: z.number(),
        }),
      ),
      tokens_used: z.number(),
      warnings: textList,
    });
  },
  annotations: { readOnly: true, destructive: false, idempotent: true },
  cli: {
    group: 'Find',
    summary: 'Finds sections of indexed documents',
    positionals: ['query…'],
    examples: [
      { command: 'loci recall-docs "how do we deploy?"', what: 'The best ten sections' },
      { command: 'loci recall-docs deploy --paths "guide/**"', what: 'Of some files' },
      { command: 'loci recall-docs deploy --root ./docs --json', what: 'Of one folder' },
    ],
  },
  run: (loci, input) => loci.recallDocs(input as unknown as RecallDocsOptions),
};
