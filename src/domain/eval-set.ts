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

/** A line of the baseline of golden queries: what a question brought, best first. */
export const goldenAnswer = evalQuery
  .pick({ id: true, project: true, agent: true, query: true, asOf: true, since: true, until: true })
  .extend({ results: z.array(word()) });
export type GoldenAnswer = z.output<typeof goldenAnswer>;

export const goldenOptions = z.strictObject({
  file: word().describe('File of queries'),
  update: z.boolean().optional().describe('Take the answers of today for the baseline'),
});

export const addGoldenOptions = z.strictObject({
  file: word().describe('File of queries'),
  query: word().describe('The question'),
  ids: z.array(word()).min(1, 'must name a memory').describe('Memories that answer it'),
});

const score = () => z.number().nullable();
const scoreBy = () => z.record(z.string(), score());

/** A line of the file that `--out` makes, as far as a comparison needs it. */
export const earlierAnswer = z.object({
  id: word(),
  kind: z.string().nullable(),
  query: text(),
  recall: scoreBy(),
  all: scoreBy(),
  any: scoreBy(),
  mrr: score(),
  ndcg10: score(),
  recall_at_tokens: scoreBy(),
  forbidden_ahead: score(),
  forbidden_ahead_unmarked: score(),
  no_answer_false_positive: score(),
  no_answer_forbidden_shown: score(),
  leak10: score(),
});

const counts = (max: number) => z.array(integer(1, max)).min(1, 'must have at least one number');

export const evaluateOptions = z.strictObject({
  dir: word().describe('Folder with memories.jsonl and queries.jsonl'),
  k: counts(1000).optional().describe('Ranks to score at (default 5,10,20)'),
  budgets: counts(1_000_000).optional().describe('Token budgets (default 500,1000,2000)'),
  limit: integer(1, 1_000_000_000).optional().describe('Only the first queries'),
});
