import type { Loci } from '../../src/loci.ts';

type Read = readonly [
  verb: string,
  read: (loci: Loci, id: string, word: string) => Promise<unknown>,
];

const everything = { limit: 200, status: ['active', 'draft', 'archived', 'superseded'] } as const;

/**
 * Every verb that an agent reads with, on behalf of whoever the store is scoped to.
 * @param id of a memory that may be another's; @param word of texts that everybody has
 */
export const READS: readonly Read[] = [
  [
    'recall',
    (loci, _, word) => loci.recall({ query: word, explain: true, limit: 50, minScore: 0 }),
  ],
  ['recall, newest', (loci) => loci.recall({ limit: 50, includeSuperseded: true })],
  ['recall --why-not', (loci, id, word) => loci.recall({ query: word, whyNot: id })],
  ['recall --entity', (loci, _, word) => loci.recall({ entity: word })],
  ['recall --as-of', (loci, _, word) => loci.recall({ query: word, asOf: '2030-01-01' })],
  [
    'recall --as-recorded',
    (loci, _, word) => loci.recall({ query: word, asRecorded: '2031-01-01' }),
  ],
  ['search', (loci, _, word) => loci.search({ query: word, limit: 50 })],
  ['search, keyword', (loci, _, word) => loci.search({ query: word, mode: 'keyword' })],
  ['search, all', (loci) => loci.search({ ...everything, status: [...everything.status] })],
  [
    'search, paged',
    async (loci) => {
      const first = await loci.search({ limit: 1 });
      const cursor = first.next_cursor ?? undefined;
      return [first, await loci.search({ limit: 1, ...(cursor ? { cursor } : {}) })];
    },
  ],
  ['get', (loci, id) => loci.get({ ids: [id], history: true, relations: true })],
  ['get --as-recorded', (loci, id) => loci.get({ ids: [id], asRecorded: '2031-01-01' })],
  ['get, global', (loci) => loci.get({ ids: ['FACT-GLOBAL-ONE'], history: true, relations: true })],
  ['relations, global', (loci) => loci.relations({ id: 'FACT-GLOBAL-ONE', depth: 2 })],
  ['history, global', (loci) => loci.history({ id: 'FACT-GLOBAL-ONE' })],
  ['diff, global', (loci) => loci.diff({ id: 'FACT-GLOBAL-ONE' })],
  ['diff --since', (loci) => loci.diff({ since: '2 days ago' })],
  ['context', (loci) => loci.context({ maxTokens: 20_000 })],
  ['checkpoint', (loci) => loci.checkpoint({ maxTokens: 20_000 })],
  ['status', (loci) => loci.status()],
  ['entities', (loci) => loci.entities()],
  ['episodes', (loci) => loci.episodes()],
  ['citations', (loci) => loci.citations()],
  ['wander', (loci) => loci.wander({ threshold: 0 })],
  ['wander, seeds', (loci, id) => loci.wander({ seeds: [id] }).catch(String)],
  ['wander, tags', (loci, _, word) => loci.wander({ tags: [word] })],
  ['closure', (loci) => loci.closure()],
  ['closure --trajectory', (loci) => loci.closure({ trajectory: true, trajectoryDays: 2 })],
  ['view INDEX', (loci) => loci.view({ name: 'index' })],
  ['view HANDOFF', (loci) => loci.view({ name: 'handoff' })],
  ['view DECISIONS', (loci) => loci.view({ name: 'decisions' })],
  ['reflect --dry-run', (loci) => loci.reflect({ dryRun: true })],
  ['meditate --dry-run', (loci) => loci.meditate({ dryRun: true })],
  ['gc --dry-run', (loci) => loci.gc({ dryRun: true })],
  ['relink', (loci) => loci.relink()],
  ['migrate-relations', (loci) => loci.migrateRelations()],
  ['conflicts', (loci) => loci.conflicts({ limit: 100 })],
  ['review', (loci) => loci.review()],
  ['runs', (loci) => loci.runs({ limit: 100 })],
  [
    'runs ID',
    async (loci) => {
      const { runs } = await loci.runs({ limit: 3 });
      return Promise.all(runs.map(({ id }) => loci.runs({ run: id })));
    },
  ],
  ['lint', (loci) => loci.lint()],
  [
    'delta',
    async (loci) => {
      const { changes, more } = await loci.delta({ limit: 1000 });
      return { changes, more };
    },
  ],
];

/** Verbs that name one memory: a foreign one must be answered as if there were none. */
export const BY_ID: readonly [verb: string, ask: (loci: Loci, id: string) => Promise<unknown>][] = [
  ['get', (loci, id) => loci.get({ ids: [id] })],
  ['why-not', (loci, id) => loci.recall({ query: 'anchor', whyNot: id })],
  ['relations', (loci, id) => loci.relations({ id })],
  ['update', (loci, id) => loci.update({ id, tags: ['taken'] })],
  ['archive', (loci, id) => loci.archive({ id })],
  ['restore', (loci, id) => loci.restore({ id })],
  ['reject', (loci, id) => loci.reject({ id })],
  ['relate from', (loci, id) => loci.relate({ source: id, type: 'supports', target: id })],
  [
    'relate to',
    (loci, id) => loci.relate({ source: 'FACT-GLOBAL-ONE', type: 'supports', target: id }),
  ],
  [
    'unrelate',
    (loci, id) => loci.unrelate({ source: 'FACT-GLOBAL-ONE', type: 'supports', target: id }),
  ],
  ['supersede', (loci, id) => loci.remember({ body: 'Something new.', supersedes: id })],
  ['unshare', (loci, id) => loci.unshare({ id })],
  ['share', (loci, id) => loci.share({ id })],
  ['history', (loci, id) => loci.history({ id })],
  ['diff', (loci, id) => loci.diff({ id })],
  ['evidence', (loci, id) => loci.evidence({ ref: id })],
  ['wander', (loci, id) => loci.wander({ seeds: [id] })],
  ['resolve', (loci, id) => loci.resolve({ id, both: true })],
  ['accept', (loci, id) => loci.review({ action: 'accept', ids: [id] })],
  ['refuse', (loci, id) => loci.review({ action: 'refuse', ids: [id] })],
  ['undo', (loci, id) => loci.undo({ ref: id })],
  ['runs', (loci, id) => loci.runs({ run: id })],
  ['purge', (loci, id) => loci.purge({ ids: [id], yes: true })],
];
