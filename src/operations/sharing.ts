import * as z from 'zod';
import type { ShareOptions, UnshareOptions } from '../domain/sharing.ts';
import { shareOptions, unshareOptions } from '../domain/sharing-options.ts';
import type { Operation } from './operation.ts';

/** The verbs between the drawers of agents. */

export const share: Operation = {
  name: 'share',
  title: 'Share',
  description:
    'Copies a memory from your drawer into the one that all agents see; again brings the copy up to date.',
  audience: 'full',
  input: shareOptions,
  get output() {
    return z.looseObject({ id: z.string(), of: z.string(), outcome: z.string() });
  },
  annotations: { readOnly: false, destructive: false, idempotent: true },
  cli: {
    group: 'Connect',
    positionals: ['id'],
    examples: [
      {
        command: 'loci share FACT-2026-03-09-PORT-8080-4TQX --from alice',
        what: 'What Alice knows, for all agents',
      },
    ],
  },
  run: (loci, input) => loci.share(input as unknown as ShareOptions),
};

export const unshare: Operation = {
  name: 'unshare',
  title: 'Unshare',
  description: 'Takes a copy out of the drawer that all agents see; what it was made from stays.',
  audience: 'full',
  input: unshareOptions,
  get output() {
    return z.looseObject({ id: z.string(), outcome: z.string() });
  },
  annotations: { readOnly: false, destructive: false, idempotent: true },
  cli: {
    group: 'Connect',
    positionals: ['id'],
    examples: [
      { command: 'loci unshare FACT-2026-03-09-PORT-8080-4TQX', what: 'No longer for all agents' },
    ],
  },
  run: (loci, input) => loci.unshare(input as unknown as UnshareOptions),
};
