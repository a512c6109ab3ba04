import * as z from 'zod';
import { flag, integer, text, word, words } from './fields.ts';
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
  includeLint: flag().optional().describe('Lint first, and tell its findings too (default false)'),
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

export const reviewOptions = z.strictObject({
  action: z.enum(['list', 'accept', 'refuse']).optional().describe('What to do (default list)'),
  ids: words().optional().describe('Ids of drafts and proposals'),
  reason: text().optional().describe('Why'),
  limit: integer(1, 1000).optional().describe('Number listed, oldest first (default 50)'),
});

export const conflictsOptions = z.strictObject({
  limit: integer(1, 1000).optional().describe('Number of conflicts, surest first (default 20)'),
});

export const resolveOptions = z.strictObject({
  id: word().describe('Id of the conflict'),
  keep: word().optional().describe('The memory that holds, or the event whose version does'),
  body: text().optional().describe('What holds instead'),
  both: flag().optional().describe('Both hold: they are no conflict'),
  reason: text().optional().describe('Why'),
});
