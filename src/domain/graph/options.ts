import * as z from 'zod';
import { flag, integer, text, word, words } from '../fields.ts';

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
