import * as z from 'zod';
import type { ContextOptions } from '../domain/inputs.ts';
import { contextOptions } from '../domain/options.ts';
import type { Operation } from './operation.ts';
import { textList } from './outputs.ts';

export const context: Operation = {
  name: 'context',
  title: 'Context',
  description:
    'What a new session should know: constraints, decisions, open questions, recent memories. Call it once at the start.',
  audience: 'core',
  input: contextOptions,
  output: z.looseObject({ text: z.string(), ids: textList, tokens_used: z.number() }),
  annotations: { readOnly: true, destructive: false, idempotent: true },
  cli: {
    group: 'Find',
    summary: 'What a new session should know, ready to paste',
    positionals: [],
    examples: [{ command: 'loci context --max-tokens 1500', what: 'To paste into a session' }],
  },
  run: (loci, input) => loci.context(input as ContextOptions),
};
