import * as z from 'zod';
import { fixedTime, integer, text, word } from './fields.ts';
import { memoryInput } from './options.ts';

/** What `eval` takes and reads. Keys of files are in snake_case. */

/** A line of `memories.jsonl`. */
export const evalMemory = memoryInput
  .pick({
    title: true,
    type: true,
    tier: true,
    tags: true,
    confidence: true,
    speaker: true,
    sessionId: true,
    turn: true,
    supersedes: true,
    ttlDays: true,
    entities: true,
    agent: true,
  })
  .extend({
    id: word(),
    project: word(),
    body: text(),
    createdAt: fixedTime().optional(),
    expiredAt: fixedTime().optional(),
  });
export type EvalMemory = z.output<typeof evalMemory>;

const ids = () => z.array(word()).optional();

/** A line of `queries.jsonl`. */
export const evalQuery = z.strictObject({
  id: word(),
  project: word(),
  agent: word().optional(),
  query: text(),
  asOf: fixedTime('end').optional(),
  since: fixedTime().optional(),
  until: fixedTime().optional(),
  /** Grade by id: 2 answers it, 1 is useful beside it; where all are 1, each is an answer. */
  relevant: z.record(z.string(), integer(0, 10)),
  /** Groups of which any one member will do. */
  equivalent: z.array(z.array(word())).optional(),
  /** Must not stand ahead of the answer. */
  forbidden: ids(),
  forbiddenWhy: z.record(z.string(), z.string()).optional(),
  otherAgent: ids(),
  kind: word().optional(),
  lang: z.string().optional(),
  notes: z.string().optional(),
});
export type EvalQuery = z.output<typeof evalQuery>;

const counts = (max: number) => z.array(integer(1, max)).min(1, 'must have at least one number');

export const evaluateOptions = z.strictObject({
  dir: word().describe('Folder with memories.jsonl and queries.jsonl'),
  k: counts(1000).optional().describe('Ranks to score at (default 5,10,20)'),
  budgets: counts(1_000_000).optional().describe('Token budgets (default 500,1000,2000)'),
  limit: integer(1, 1_000_000_000).optional().describe('Only the first queries'),
  embedder: z
    .enum(['default', 'none'], 'must be none or default: this version has keyword search only')
    .optional()
    .describe('none is keywords alone'),
});
