import * as z from 'zod';
import { flag, glob, integer, number, text, word } from './fields.ts';

/** What the verbs about documents accept; see `options.ts`. */

export const reindexDocsOptions = z.strictObject({
  dir: word().describe('A folder of Markdown files'),
  glob: word()
    .optional()
    .describe('Only files that this glob matches; the others stay as they are'),
  force: flag().optional().describe('Read every file, also those that have not changed'),
  forget: flag().optional().describe('Take the folder out of the index instead'),
});

export const recallDocsOptions = z.strictObject({
  query: text().describe('Question or keywords; plain text, never syntax'),
  limit: integer(1, 1000).optional().describe('Number of sections (default 10)'),
  maxTokens: integer(1, 1_000_000).optional().describe('Token budget; limit is then ignored'),
  minScore: number(0, 1).optional().describe('Leave out weaker matches'),
  root: word().optional().describe('Only this indexed folder'),
  paths: glob().optional().describe('Glob that the path of the file below its folder matches'),
  allProjects: flag().optional().describe('Folders of every project, not only this one and global'),
  explain: flag().optional().describe('Show how each score came about'),
});
