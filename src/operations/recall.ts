import * as z from 'zod';
import type { RecallOptions } from '../domain/inputs.ts';
import { recallOptions } from '../domain/options.ts';
import type { Operation } from './operation.ts';
import { recalled, textList } from './outputs.ts';

export const recall: Operation = {
  name: 'recall',
  title: 'Recall',
  description:
    'Finds the memories that answer a question, best first. Use it before you rely on what earlier sessions decided or learnt.',
  audience: 'core',
  input: recallOptions,
  published: ['query', 'limit', 'maxTokens', 'type', 'asOf'],
  get output() {
    return z.looseObject({
      results: z.array(recalled),
      tokens_used: z.number(),
      warnings: textList,
    });
  },
  annotations: { readOnly: true, destructive: false, idempotent: true },
  cli: {
    group: 'Find',
    positionals: ['query…'],
    negated: ['progressive', 'graph'],
    examples: [
      { command: 'loci recall "when do we deploy?"', what: 'The best ten' },
      { command: 'loci recall deploy --max-tokens 800 --json', what: 'Within a token budget' },
      { command: 'loci recall "which database" --as-of 2026-01-01', what: 'What held then' },
      { command: 'loci recall "which database" --explain', what: 'How each score came about' },
      { command: 'loci recall "which database" --why-not FACT-…', what: 'Why one is missing' },
    ],
  },
  run: (loci, input) => loci.recall(input as RecallOptions),
};
