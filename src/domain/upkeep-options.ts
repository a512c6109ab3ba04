import * as z from 'zod';
import { flag, integer, word } from './fields.ts';

/** What the verbs of upkeep accept; see options.ts. */

export const reflectOptions = z.strictObject({
  dryRun: flag().optional().describe('Only say what would be changed'),
});

export const runsOptions = z.strictObject({
  run: word().optional().describe('Id of a run: shows its changes'),
  limit: integer(1, 1000).optional().describe('Number of runs, newest first (default 20)'),
});

export const undoOptions = z.strictObject({
  ref: word().describe('Id of a run, or of one of its events'),
  dryRun: flag().optional().describe('Only say what would be taken back'),
});
