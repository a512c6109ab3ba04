import * as z from 'zod';
import { integer, text, time, word, words } from './fields.ts';

/** What the verbs about episodes accept; see `options.ts`. */

export const episodeOptions = z.strictObject({
  sessionId: word().describe('The session that is summed up'),
  summary: text().describe('What was done and learnt; written again, it replaces the one before'),
  title: text().optional().describe('Short heading'),
  tags: words().optional().describe('Topics'),
  startedAt: time().optional().describe('When the session began'),
  endedAt: time().optional().describe('When it ended (default now)'),
});

export const episodesOptions = z.strictObject({
  limit: integer(1, 1000).optional().describe('Number of episodes (default 10)'),
});
