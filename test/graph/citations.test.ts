import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ConceptIndex } from '../../src/domain/graph/citations.ts';
import { onEveryStore } from '../recall/stores.ts';

function indexOf(...memories: { id: string; title?: string; body?: string }[]): ConceptIndex {
  const index = new ConceptIndex();
  for (const memory of memories) index.add({ body: '', ...memory });
  return index;
}

describe('[E2] names in a text', () => {
  const index = indexOf(
    { id: 'CACHE', title: 'Redis cache' },
    { id: 'POLICY', title: 'Redis cache policy' },
    { id: 'DECI-2026-04-16-CURSOR-PAGINATION-7K2M' },
    { id: 'SHORT', title: 'Bug' },
    { id: 'HEADED', body: '# Mooring lines\n\nTwo of them.' },
    { id: 'KANJI', title: '係留計画' },
    { id: 'PLAN-A', title: 'Release plan' },
    { id: 'PLAN-B', title: 'release PLAN' },
  );
  const cited = (body: string) => Object.fromEntries(index.citedBy({ id: 'X', body }));

  test.each([
    ['The redis cache is warm.', { CACHE: 1 }],
    ['Redis-Caches, and a Redis cache: twice.', { CACHE: 2 }],
    ['The redis cache policy is strict.', { POLICY: 1 }],
    ['We chose cursor pagination.', { 'DECI-2026-04-16-CURSOR-PAGINATION-7K2M': 1 }],
    ['Redis. Cache!', {}],
    ['A bug is a bug.', {}],
    ['Check the mooring lines', { HEADED: 1 }],
    ['次の係留計画を見る', { KANJI: 1 }],
    ['As the release plan says.', {}],
    ['', {}],
  ])('%j', (body, expected) => {
    expect(cited(body)).toEqual(expected);
  });

  test('a memory does not cite itself, and a name of several cites none', () => {
    expect(index.citedBy({ id: 'CACHE', body: 'This redis cache is ours.' }).size).toBe(0);
    expect(index.shared()).toEqual([{ name: 'Release plan', ids: ['PLAN-A', 'PLAN-B'] }]);
  });

  test('one pass finds what a search for each name finds', () => {
    const word = fc.constantFrom('alpha', 'bravo', 'delta', 'gamma');
    const name = fc.array(word, { minLength: 2, maxLength: 3 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 6 }), fc.array(word), (names, words) => {
        const own = indexOf(...names.map((title, i) => ({ id: `N${i}`, title })));
        const found = own.citedBy({ id: 'X', body: words.join(' ') });
        expect(new Map(found)).toEqual(slowly(names, words));
      }),
    );
  });
});

/** Tries every name at every word: the longest wins, and what it covers is used up. */
function slowly(names: readonly string[], words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (let at = 0; at < words.length;) {
    const fits = names
      .map((name, i) => ({ id: `N${i}`, parts: name.split(' ') }))
      .filter(({ parts }) => parts.every((part, i) => words[at + i] === part))
      .sort((a, b) => b.parts.length - a.parts.length);
    const best = fits[0];
    if (best) counts.set(best.id, (counts.get(best.id) ?? 0) + 1);
    at += best?.parts.length ?? 1;
  }
  return counts;
}

onEveryStore((openWith) => {
  test('[E2] citations are indexed and listed, most cited first, without an event', async () => {
    const loci = await openWith(
      { id: 'FACT-CACHE', title: 'Redis cache', body: 'It is warm.' },
      { id: 'FACT-MAST', title: 'Mast step', body: 'It is dry, unlike the redis cache.' },
      { id: 'FACT-ONE', body: 'The redis cache, again the Redis cache.' },
      { id: 'FACT-TWO', body: 'The mast step is sound.' },
      { id: 'FACT-SEA', body: 'A redis cache elsewhere.', project: 'sea' },
      { id: 'FACT-OLD', body: 'An old redis cache.', status: 'archived' },
    );
    const before = await loci.verify();
    const first = await loci.citations();
    expect(first).toEqual({
      memories: 4,
      names: 2,
      citations: 3,
      cited: [
        { id: 'FACT-CACHE', title: 'Redis cache', cited_by: 2, mentions: 3 },
        { id: 'FACT-MAST', title: 'Mast step', cited_by: 1, mentions: 1 },
      ],
      shared_names: [],
      shared_total: 0,
    });
    expect(await loci.citations()).toEqual(first);
    expect((await loci.citations({ limit: 1 })).cited).toHaveLength(1);
    expect(await loci.verify()).toEqual(before);
  });
});
