import * as z from 'zod';
import { flag, integer, number, text, word, words } from '../fields.ts';

/** What the verbs about relations and the graph accept; see `options.ts`. */

export const relationsOptions = z.strictObject({
  id: word().describe('Id of the memory'),
  depth: integer(1, 100).optional().describe('Edges away from it that are followed (default 1)'),
  type: words().optional().describe('Only edges of these types'),
});

export const unrelateOptions = z.strictObject({
  source: word().describe('Id of the memory it starts from'),
  type: word().describe('Its type, as relations shows it'),
  target: word().describe('Id of the memory it points to'),
  reason: text().optional().describe('Why'),
});

/** What rewrites edges is shown first and done on request. */
const onRequest = {
  apply: flag().optional().describe('Do it; without it only say what would be done'),
  dryRun: flag().optional().describe('Only say what would be done (the default)'),
} as const;

export const relinkOptions = z.strictObject(onRequest);
export const migrateRelationsOptions = z.strictObject(onRequest);

export const citationsOptions = z.strictObject({
  limit: integer(1, 1000).optional().describe('Memories listed, most cited first (default 20)'),
});

export const wanderOptions = z.strictObject({
  seeds: words().optional().describe('Ids to start from (default the 3 newest memories)'),
  tags: words().optional().describe('Start from the newest memories with these tags'),
  steps: integer(1, 20).optional().describe('How often activation spreads (default 3)'),
  threshold: number(0, 1).optional().describe('Less activation does not survive (default 0.05)'),
  topK: integer(1, 200).optional().describe('Memories that survive a step (default 20)'),
  decay: number(0, 1).optional().describe('Share of its activation passed on (default 0.5)'),
  maxCollisions: integer(0, 100).optional().describe('Distant pairs listed (default 5)'),
  relationWeight: number(0, 100)
    .optional()
    .describe('Weight of an edge; that of a tag is at most 1 (default 2)'),
});

export const closureOptions = z.strictObject({
  trajectory: flag().optional().describe('Also day by day, as the log knew it'),
  trajectoryDays: integer(1, 3650).optional().describe('Days of that, up to today (default 30)'),
});
