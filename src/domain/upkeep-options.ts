import * as z from 'zod';
import { flag, integer, word } from './fields.ts';
import { PAGES } from './pages/page.ts';

/** What the verbs of upkeep accept; see options.ts. */

export const reflectOptions = z.strictObject({
  dryRun: flag().optional().describe('Only say what would be changed'),
});

export const viewOptions = z.strictObject({
  name: z.enum(PAGES).describe('Which page'),
  allProjects: flag().optional().describe('Every project, not only this one and global'),
});

export const meditateOptions = z.strictObject({
  mode: z
    .enum(['full', 'stale', 'duplicates'])
    .optional()
    .describe('Archive by age, find duplicates, or both (default full)'),
  dryRun: flag().optional().describe('Only say what would be archived'),
});

export const runsOptions = z.strictObject({
  run: word().optional().describe('Id of a run: shows its changes'),
  limit: integer(1, 1000).optional().describe('Number of runs, newest first (default 20)'),
});

export const undoOptions = z.strictObject({
  ref: word().describe('Id of a run, or of one of its events'),
  dryRun: flag().optional().describe('Only say what would be taken back'),
});
