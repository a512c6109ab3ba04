import * as z from 'zod';
import { flag, word } from './fields.ts';
import { STRATEGIES } from './sharing.ts';

/** What the verbs between drawers accept; see `options.ts`. */

export const shareOptions = z.strictObject({
  id: word().describe('Id of the memory'),
  from: word().optional().describe('Agent whose drawer it lies in (default: the current one)'),
});

export const unshareOptions = z.strictObject({
  id: word().describe('Id of the copy, or of the memory it was made from'),
});

export const migrateIsolationOptions = z.strictObject({
  strategy: z.enum(STRATEGIES).describe('What becomes of the memories that are there'),
  dryRun: flag().optional().describe('Only say what would be done'),
});
