import * as z from 'zod';
import { flag, integer, text, time, word, words } from './fields.ts';

/** The schemas of the verbs of the log's life; `log-verbs.ts` has the same for library callers. */

export const mergeOptions = z.strictObject({
  from: word().describe('A vault, an events.ndjson file or an SQLite store'),
  dryRun: flag().optional().describe('Only say what would come'),
});

export const purgeOptions = z.strictObject({
  ids: words().describe('Ids of the memories'),
  yes: flag().optional().describe('Confirm: it cannot be taken back'),
});

export const evidenceOptions = z.strictObject({
  refs: words().describe('Id of a memory, or: show SHA256'),
  out: text().optional().describe('Write the blob to this file'),
});

export const replayOptions = z.strictObject({
  from: word()
    .optional()
    .describe('Another log: a vault, an events.ndjson file or an SQLite store'),
  to: word().optional().describe('A new store to build; this one is not touched'),
});

export const historyOptions = z.strictObject({
  id: word().describe('Id of the memory'),
});

export const diffOptions = z.strictObject({
  id: word().optional().describe('Id of a memory'),
  from: word().optional().describe('Event or time to compare from (default: the change before)'),
  to: word().optional().describe('Event or time to compare to (default: now)'),
  since: time().optional().describe('All that changed in the store since then'),
});

export const deltaOptions = z.strictObject({
  cursor: word().optional().describe('cursor of the page before, or of head'),
  limit: integer(1, 1000).optional().describe('Changes a page (default 50)'),
});
