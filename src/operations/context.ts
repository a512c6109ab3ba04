import * as z from 'zod';
import type { CheckpointOptions, ContextOptions } from '../domain/inputs.ts';
import { checkpointOptions, contextOptions } from '../domain/options.ts';
import type { Operation } from './operation.ts';
import { textList } from './outputs.ts';

export const context: Operation = {
  name: 'context',
  title: 'Context',
  description:
    'What a new session should know: constraints, decisions, open questions, conflicts, last episodes. Call it once at the start.',
  audience: 'core',
  input: contextOptions,
  get output() {
    return z.looseObject({ text: z.string(), ids: textList, tokens_used: z.number() });
  },
  annotations: { readOnly: true, destructive: false, idempotent: true },
  cli: {
    group: 'Find',
    summary: 'What a new session should know, ready to paste',
    positionals: [],
    examples: [{ command: 'loci context --max-tokens 1500', what: 'To paste into a session' }],
  },
  run: (loci, input) => loci.context(input as ContextOptions),
};

export const checkpoint: Operation = {
  name: 'checkpoint',
  title: 'Checkpoint',
  description:
    'What one session hands over to the next, within a token budget: the text of context, and the same in parts, with what was left out.',
  audience: 'full',
  input: checkpointOptions,
  get output() {
    return z.looseObject({
      text: z.string(),
      ids: textList,
      tokens_used: z.number(),
      parts: z.array(z.looseObject({ name: z.string(), left_out: z.number() })),
    });
  },
  annotations: { readOnly: true, destructive: false, idempotent: true },
  cli: {
    group: 'Find',
    summary: 'What one session hands over to the next',
    positionals: [],
    examples: [
      { command: 'loci checkpoint --json', what: 'Text and parts, for a program' },
      {
        command: 'loci checkpoint --session-id 2026-03-09-am',
        what: 'With what that session learnt',
      },
    ],
  },
  run: (loci, input) => loci.checkpoint(input as CheckpointOptions),
};
