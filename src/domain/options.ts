import * as z from 'zod';
import { flag, glob, integer, listOf, number, text, time, word, words, zone } from './fields.ts';
import { LINT_CHECKS } from './lint/names.ts';
import { CLASSIFICATIONS, STATUSES, TIERS, TYPES } from './lifecycle.ts';

/**
 * What each verb accepts, in the library's spelling; surfaces offer the same in snake_case or as
 * `--kebab-case`. Stories parse with these once; descriptions feed help, tools and the reference.
 */

const relationInput = z.strictObject({
  type: word(),
  target: word(),
  confidence: number(0, 1).optional(),
});
const entityInput = z.strictObject({ kind: word(), name: word() });

/** Everything a memory can be given, apart from where it goes. */
const memoryFields = {
  body: text().optional().describe('The knowledge itself, as Markdown'),
  type: z.enum(TYPES).optional().describe('Kind of knowledge (default fact)'),
  title: text().optional().describe('Short heading'),
  slug: word().optional().describe('Words for the id (default: from title or body)'),
  tier: z.enum(TIERS).optional().describe('Default: by type'),
  tags: words().optional().describe('Topics'),
  paths: words().optional().describe('Files or folders it is about'),
  cites: words().optional().describe('Code it speaks of: path, path#name or path:12-40'),
  confidence: number(0, 1).optional().describe('0 to 1 (default 0.8)'),
  status: z.enum(STATUSES).optional().describe('Default active; draft if the source is untrusted'),
  source: word().optional().describe('owner, agent, tool, document, import …'),
  observed: word().optional().describe('stated, inferred, observed …'),
  classification: z.enum(CLASSIFICATIONS).optional().describe('Default TEAM'),
  ttlDays: number(0, 3_650_000).optional().describe('Days until it expires'),
  validFrom: time().optional().describe('Holds from this time'),
  validTo: time().optional().describe('Holds until this time'),
  createdAt: time().optional().describe('When it came to be known (default now)'),
  supersedes: word().optional().describe('Id of the memory that this one replaces'),
  id: word().optional().describe('A known id updates that memory'),
  sessionId: word().optional().describe('Session it comes from'),
  speaker: word().optional().describe('Who said it'),
  turn: integer(0, 1_000_000_000).optional().describe('Position within its session'),
  externalId: word().optional().describe('Its id in another system'),
  relations: listOf(relationInput).optional().describe('Edges to other memories'),
  entities: listOf(entityInput).optional().describe('People, projects, tools, decisions named'),
  evidence: words().optional().describe('Files that prove it; over MCP SHA-256 sums of kept ones'),
  details: z.looseObject({}).optional().describe('Free-form provenance'),
} as const;

export const memoryInput = z.strictObject({
  ...memoryFields,
  expiredAt: time().optional().describe('Same as valid_to'),
  project: word().optional().describe('Default: the current project'),
  agent: word().optional().describe('Drawer it lies in (default: the current agent, or shared)'),
});

export const updateOptions = z.strictObject({
  ...memoryFields,
  expectVersion: integer(1, 1_000_000_000).optional().describe('Refuse if it has changed since'),
  reason: text().optional().describe('Why'),
});

/** Reads of the past, and the zone of all times in a call. */
const pastFields = {
  asOf: time().optional().describe('What held at this time'),
  asRecorded: time().optional().describe('What the store knew at this time'),
  zone: zone().optional().describe('IANA zone of dates and words (default UTC)'),
} as const;

/** Filters that recall and search share. */
const filterFields = {
  type: words().optional().describe('Only these types'),
  tier: words().optional().describe('Only these tiers'),
  tags: words().optional().describe('All of these tags'),
  paths: glob().optional().describe('Glob that one of its paths matches'),
  since: time().optional().describe('Created at or after: a time, yesterday, 7d, last week …'),
  until: time().optional().describe('Created before'),
  ...pastFields,
  entity: word().optional().describe('Linked to this entity'),
  allProjects: flag().optional().describe('Every project, not only this one and global'),
} as const;

export const recallOptions = z.strictObject({
  query: text().optional().describe('Question or keywords; plain text, never syntax'),
  limit: integer(1, 1000).optional().describe('Number of memories (default 10)'),
  maxTokens: integer(1, 1_000_000).optional().describe('Token budget; limit is then ignored'),
  minScore: number(0, 1).optional().describe('Leave out weaker matches (default 0.2)'),
  diversity: number(0, 1).optional().describe('1 orders by score, less spreads (default 0.7)'),
  progressive: flag()
    .optional()
    .describe('Stop at the first tier that answers for sure (default true)'),
  confidenceThreshold: number(0, 1).optional().describe('Score that is sure (default 0.82)'),
  reserve: words()
    .optional()
    .describe('Types sure of a share of max_tokens (constraint, decision)'),
  decayWeight: number(0, 1).optional().describe('How much age takes from a score (default 0)'),
  decayHalfLife: number(0.01, 36_500).optional().describe('Days that halve it (default 30)'),
  graph: flag().optional().describe('Lift the neighbours of what answers (default true)'),
  ...filterFields,
  includeDrafts: flag().optional().describe('Also drafts'),
  includeSuperseded: flag().optional().describe('Also superseded and expired ones, marked'),
  includeEpisodes: flag().optional().describe('Also session summaries when there is no query'),
  explain: flag().optional().describe('Show how each score came about'),
  whyNot: word().optional().describe('Tell why this id is not in the answer'),
});

export const searchOptions = z.strictObject({
  query: text().optional().describe('Keywords; without it a plain listing'),
  mode: z
    .enum(['hybrid', 'keyword', 'vector', 'filter'])
    .optional()
    .describe('Words, meaning, both, or a plain listing (default keyword with text, else filter)'),
  ...filterFields,
  status: words().optional().describe('Only these statuses (default active)'),
  source: words().optional().describe('Only from these sources'),
  minConfidence: number(0, 1).optional().describe('At least this sure'),
  sort: z
    .enum(['score', 'created_at', 'updated_at', 'confidence', 'id'])
    .optional()
    .describe('Default score with text, else newest first'),
  limit: integer(1, 1000).optional().describe('Rows a page (default 20)'),
  cursor: word().optional().describe('next_cursor of the page before'),
});

export const getOptions = z.strictObject({
  ids: words().describe('Ids, ours or foreign'),
  history: flag().optional().describe('Every change with its time, actor and reason'),
  relations: flag().optional().describe('Edges from and to it'),
  ...pastFields,
  allProjects: flag().optional().describe('Every project, not only this one and global'),
});

export const statusChangeOptions = z.strictObject({
  id: word().describe('Id of the memory'),
  reason: text().optional().describe('Why'),
});

export const entityOptions = z.strictObject({
  name: word().describe('Canonical name'),
  kind: word().describe('project, person, tool, decision …'),
  aliases: words().optional().describe('Other names of it, added to those that are known'),
});

export const gcOptions = z.strictObject({
  dryRun: flag().optional().describe('Only say what would be archived'),
});

export const doctorOptions = z.strictObject({
  fix: flag().optional().describe('Do what can do no harm: build a damaged index again, embed'),
});

export const lintOptions = z.strictObject({
  check: z.enum(LINT_CHECKS).optional().describe('Only this check'),
  staleDays: number(0, 36_500)
    .optional()
    .describe('Age in days from which a memory is stale (default 90)'),
  expiringDays: number(0, 36_500)
    .optional()
    .describe('Days before its end in which a memory is said (default 14)'),
  fix: flag().optional().describe('Archive what is stale and settle what time has settled'),
  dryRun: flag().optional().describe('With fix: only say what would be changed'),
});

export const relateOptions = z.strictObject({
  source: word().describe('Id of the memory it starts from'),
  type: word().describe('supports, contradicts, supersedes, depends_on, related_to …'),
  target: word().describe('Id of the memory it points to'),
  confidence: number(0, 1).optional().describe('0 to 1 (default 1)'),
});

export const contextOptions = z.strictObject({
  maxTokens: integer(50, 100_000).optional().describe('Token budget (default 2000)'),
});

export const checkpointOptions = z.strictObject({
  maxTokens: integer(50, 100_000).optional().describe('Token budget (default 4000)'),
  sessionId: word().optional().describe('Session that hands over (default the last summed up)'),
});

export const statusOptions = z.strictObject({
  allProjects: flag().optional().describe('Every project, not only this one and global'),
  allAgents: flag().optional().describe('Also what each agent holds, in every drawer'),
});
