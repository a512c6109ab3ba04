import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { GoldenResult } from '../../src/domain/golden.ts';
import type { Loci } from '../../src/loci.ts';
import { open } from '../../src/open.ts';

const stores: Loci[] = [];
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

const HOURS = 'harbour office opening hours in winter';

interface Golden {
  readonly store: Loci;
  readonly file: string;
  readonly baseline: string;
  /** Ids by the first word of the body. */
  readonly ids: Readonly<Record<'office' | 'diesel' | 'paint', string>>;
  check(update?: boolean): Promise<GoldenResult>;
}

/** A store with three memories, and a file with these lines beside it. */
async function golden(
  lines: (ids: Golden['ids']) => readonly Record<string, unknown>[],
): Promise<Golden> {
  const folder = mkdtempSync(join(homedir(), 'golden-'));
  const store = await open('memory:', { project: 'boat' });
  stores.push(store);
  const { results } = await store.remember([
    { body: 'The harbour office opens at nine.', externalId: 'office-1' },
    { body: 'Diesel is paid by card at pump two.' },
    { body: 'The paint of the hull is green.' },
  ]);
  const [office = '', diesel = '', paint = ''] = results.map(({ id }) => id);
  const ids = { office, diesel, paint };
  const [file, baseline] = [join(folder, 'golden.jsonl'), join(folder, 'golden-baseline.jsonl')];
  writeFileSync(
    file,
    lines(ids)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
  const check = (update = false): Promise<GoldenResult> => store.checkGolden({ file, update });
  return { store, file, baseline, ids, check };
}

const officeAndDiesel = ({ office, diesel }: Golden['ids']) => [
  { id: 'hours', project: 'boat', query: HOURS, relevant: { [office]: 2 } },
  { id: 'fuel', project: 'boat', query: 'how is diesel paid', relevant: { [diesel]: 2 } },
];

/** Ten memories that have all words of the question, and little else in common. */
function louder(): { title: string; body: string }[] {
  const bodies = [
    'Ring twice, somebody comes down the stairs.',
    'Ask Maria about parcels from the ferry.',
    'Frozen pipes made them close in February.',
    'A sign by the crane lists every holiday.',
    'Keys hang behind the blue cupboard door.',
    'Payment by invoice needs a stamped form.',
    'Fog delays are announced on channel twelve.',
    'Bring your own cup, coffee costs nothing.',
    'Lost gloves are collected under the bench.',
    'Snow is cleared from the north pier first.',
  ];
  return bodies.map((body) => ({ title: 'Harbour office: opening hours in winter', body }));
}

describe('[I6] golden queries', () => {
  test('without a baseline are expected to bring what they name', async () => {
    const { check, file } = await golden((ids) => [
      ...officeAndDiesel(ids),
      { id: 'lost', project: 'boat', query: 'diesel', relevant: { [ids.paint]: 2 } },
    ]);
    const result = await check();
    expect(result).toMatchObject({
      file,
      baseline: null,
      updated: false,
      queries: 3,
      worse: 1,
      better: 0,
      moved: 0,
      same: 2,
      recall: { 10: 0.6667 },
      warnings: [],
    });
    expect(result.differences).toMatchObject([
      { id: 'lost', verdict: 'worse', changes: [{ change: 'lost', was: null, now: null }] },
    ]);
  });

  test('say which query lost which memory, and to what rank', async () => {
    const { store, check, ids, baseline } = await golden(officeAndDiesel);
    expect(await check(true)).toMatchObject({ updated: true, worse: 0, same: 2 });
    await store.remember(louder());
    const { worse, same, differences } = await check();
    expect([worse, same]).toEqual([1, 1]);
    expect(differences).toEqual([
      {
        id: 'hours',
        query: HOURS,
        verdict: 'worse',
        changes: [
          { change: 'lost', ids: [ids.office], was: 1, now: 11, why: 'others stand ahead of it' },
        ],
        ahead: [],
        unwanted: [],
      },
    ]);
    const kept = readFileSync(baseline, 'utf8').trim().split('\n');
    expect(kept.map((line) => JSON.parse(line) as unknown)).toEqual([
      { id: 'hours', project: 'boat', query: HOURS, results: [ids.office] },
      { id: 'fuel', project: 'boat', query: 'how is diesel paid', results: [ids.diesel] },
    ]);

    // Once it is accepted it is no difference, and getting better is none that fails.
    await check(true);
    expect(await check()).toMatchObject({ worse: 0, same: 2 });
    const { results } = await store.search({ query: 'winter', limit: 20 });
    for (const { id } of results.filter(({ title }) => title !== null)) {
      await store.archive({ id, reason: 'noise' });
    }
    expect(await check()).toMatchObject({
      better: 1,
      differences: [
        { id: 'hours', verdict: 'better', changes: [{ change: 'found', was: null, now: 1 }] },
      ],
    });
  });

  test('say what became of a memory', async () => {
    const { store, ids, check } = await golden((known) => [
      ...officeAndDiesel(known),
      { id: 'gone', project: 'boat', query: 'anchor', relevant: { 'FACT-NOT-THERE': 2 } },
      { id: 'other', project: 'shed', query: 'paint', relevant: { [known.paint]: 2 } },
    ]);
    await store.archive({ id: ids.office, reason: 'closed for good' });
    await store.update({ id: ids.diesel, validTo: '2026-01-01' });
    const { differences, warnings } = await check();
    expect(differences.map(({ id, changes }) => [id, changes[0]?.why])).toEqual([
      ['hours', 'archived: closed for good'],
      ['fuel', 'expired on 2026-01-01'],
      ['gone', 'not in the store'],
      ['other', 'out of view, in boat'],
    ]);
    expect(warnings).toEqual([
      'gone: FACT-NOT-THERE is not in the store',
      `other: ${ids.paint} is out of view, in boat`,
    ]);
  });

  test('want the successor of what was replaced, except for an earlier time', async () => {
    const asOf = '2025-06-01T00:00:00.000Z';
    const folder = mkdtempSync(join(homedir(), 'golden-'));
    const store = await open('memory:', { project: 'boat' });
    stores.push(store);
    await store.remember({
      body: 'The office opens at nine.',
      createdAt: '2025-01-01',
      externalId: 'a',
    });
    const old = (await store.get({ ids: ['a'] })).memories[0]?.id ?? '';
    const file = join(folder, 'q.jsonl');
    writeFileSync(
      file,
      [
        { id: 'now', project: 'boat', query: 'office opens', relevant: { a: 2 } },
        { id: 'then', project: 'boat', query: 'office opens', relevant: { [old]: 2 }, as_of: asOf },
        { id: 'not', project: 'boat', query: 'office', relevant: { a: 2 }, forbidden: [old] },
      ]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    );
    await store.checkGolden({ file, update: true });
    const second = await store.remember({
      body: 'The office opens at eight.',
      createdAt: '2025-09-01',
      supersedes: old,
    });
    const { results } = await store.remember({
      body: 'The office opens at seven.',
      createdAt: '2025-10-01',
      supersedes: second.results[0]?.id ?? '',
    });
    const current = results[0]?.id;
    const { worse, moved, same, warnings } = await store.checkGolden({ file });
    expect([worse, moved, same]).toEqual([0, 0, 3]);
    expect(warnings).toEqual([
      `now: a was replaced by ${current}, which is wanted in its place`,
      `not: a was replaced by ${current}, which is wanted in its place`,
    ]);
  });

  test('compare only with an answer to the same question', async () => {
    const { check, file, store } = await golden(officeAndDiesel);
    await store.remember(louder());
    await check(true);
    expect((await check()).worse).toBe(0);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(HOURS, 'winter opening hours of the harbour office'));
    expect(await check()).toMatchObject({ worse: 1, differences: [{ id: 'hours' }] });
  });

  test('are judged by the labels of today, before and now', async () => {
    const { check, file, ids } = await golden(officeAndDiesel);
    await check(true);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(`"${ids.office}":2`, `"${ids.paint}":2`));
    expect(await check()).toMatchObject({ worse: 0, same: 2, recall: { 10: 0.5 } });
  });

  test('fail when a forbidden memory gets ahead, or something answers nothing', async () => {
    const { store, check, ids } = await golden(({ office, diesel }) => [
      {
        id: 'a',
        project: 'boat',
        query: 'harbour office nine',
        relevant: { [office]: 2 },
        forbidden: ['LOUD-0001-X'],
      },
      { id: 'n', project: 'boat', query: 'rudder', relevant: {} },
      { id: 'g', project: 'boat', query: 'diesel', relevant: { [diesel]: 2 } },
    ]);
    expect((await check(true)).warnings).toEqual(['a: LOUD-0001-X is not in the store']);
    await store.remember({
      body: 'Harbour office nine: harbour office nine.',
      title: 'Harbour office nine',
      externalId: 'LOUD-0001-X',
    });
    await store.remember({ body: 'The rudder is bent.' });
    const { worse, differences } = await check();
    const loud = (await store.get({ ids: ['LOUD-0001-X'] })).memories[0]?.id;
    expect(worse).toBe(2);
    expect(differences).toMatchObject([
      { id: 'a', ahead: [loud], changes: [{ change: 'moved', ids: [ids.office], was: 1, now: 2 }] },
      { id: 'n', unwanted: [expect.any(String)] },
    ]);
    await check(true);
    expect((await check()).worse).toBe(0);
  });

  test('write nothing into the store', async () => {
    const { store, check } = await golden(officeAndDiesel);
    const before = await store.verify();
    const { log } = await store.status();
    await check(true);
    expect((await store.verify()).state_hash).toBe(before.state_hash);
    expect((await store.status()).log).toEqual(log);
  });
});

describe('[I6] a question is kept', () => {
  test('with an id of its own and the memories that answer it', async () => {
    const { store, file, ids, check } = await golden(officeAndDiesel);
    const query = 'Which colour has the hull?';
    const done = await store.addGolden({ file, query, ids: ['office-1', ids.paint] });
    expect(done).toEqual({
      file,
      added: {
        id: 'which-colour-has-the-hull',
        project: 'boat',
        query,
        relevant: { [ids.office]: 2, [ids.paint]: 2 },
      },
      ranks: [null, 1],
    });
    const line = readFileSync(file, 'utf8').split('\n')[2] ?? '';
    expect(JSON.parse(line)).toEqual(done.added);
    expect((await check()).queries).toBe(3);
  });

  test('in a file that is made, or that ends without a line break', async () => {
    const { store, ids } = await golden(officeAndDiesel);
    const file = join(mkdtempSync(join(homedir(), 'golden-')), 'mine.jsonl');
    await store.addGolden({ file, query: '船はどこ?', ids: [ids.paint] });
    writeFileSync(file, readFileSync(file, 'utf8').trimEnd());
    await store.addGolden({ file, query: '油は?', ids: [ids.diesel] });
    const kept = readFileSync(file, 'utf8').trim().split('\n');
    expect(kept.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual([
      'query',
      'query-2',
    ]);
  });

  test('for its agent where agents have drawers', async () => {
    const file = join(mkdtempSync(join(homedir(), 'golden-')), 'mine.jsonl');
    const store = await open('memory:', { project: 'boat', agent: 'cook', isolation: 'per-agent' });
    stores.push(store);
    const { results } = await store.remember({ body: 'Salt is on the top shelf.' });
    const { added, ranks } = await store.addGolden({
      file,
      query: 'where is the salt',
      ids: [results[0]?.id ?? ''],
    });
    expect(added.agent).toBe('cook');
    expect(ranks).toEqual([1]);
  });

  test.each([
    ['an unknown memory', { query: 'q', ids: ['FACT-NOT-THERE'] }, 'not_found', /FACT-NOT-THERE/],
    ['no memory', { query: 'q', ids: [] }, 'invalid_input', /ids is \[\]: must name a memory/],
    ['no question', { query: ' ', ids: ['office-1'] }, 'invalid_input', /query is " "/],
    [
      'it twice',
      { query: HOURS, ids: ['office-1'] },
      'conflict',
      /kept already: .*golden\.jsonl:1/,
    ],
  ])('but not %s', async (_, given, code, message) => {
    const { store, file } = await golden(officeAndDiesel);
    const before = readFileSync(file, 'utf8');
    await expect(store.addGolden({ file, ...given })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message) as string,
    });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });
});

test('a bad line is named, in the queries and in the baseline', async () => {
  const { check, file, baseline } = await golden(officeAndDiesel);
  await check(true);
  appendFileSync(baseline, '{"id":"x"}\n');
  await expect(check()).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringMatching(
      /golden-baseline\.jsonl:3: answer: project is missing/,
    ) as string,
  });
  appendFileSync(file, '{"id":"x","project":"boat","query":"q","relevant":{},"colour":"red"}\n');
  await expect(check()).rejects.toMatchObject({
    message: expect.stringMatching(/golden\.jsonl:3: query has an unknown key: "colour"/) as string,
  });
});
