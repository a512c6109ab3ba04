import { describe, expect, test } from 'vitest';
import type { MemoryInput } from '../../src/domain/inputs.ts';
import type { Loci } from '../../src/loci.ts';
import { connect } from '../surfaces/mcp-support.ts';
import { lociJson, loci as run, tempFolder } from '../surfaces/run-cli.ts';
import { onEveryStore } from './support.ts';

const PORT = 'The API of the billing service listens on port 8443.';

async function tell(loci: Loci, body: string, more: Partial<MemoryInput> = {}) {
  const { results } = await loci.remember({ body, ...more });
  return results[0] ?? { id: '', outcome: 'refused' };
}

onEveryStore((newPlace) => {
  test('[A12] the same claim, written a little differently, is joined to the first', async () => {
    const loci = await newPlace().open();
    const first = await tell(loci, PORT, { tags: ['api'] });
    const second = await tell(loci, 'Note: the API of billing service  listens on port 8443', {
      tags: ['net'],
      externalId: 'x-1',
    });
    expect(second).toEqual({
      id: first.id,
      outcome: 'merged',
      reason: `it says the same as ${first.id}, written a little differently`,
      similar: [{ id: first.id, relation: 'same' }],
    });
    const { memories } = await loci.get({ ids: ['x-1'] });
    expect(memories).toMatchObject([{ id: first.id, body: PORT, tags: ['api', 'net'] }]);
    expect((await loci.status()).memories.total).toBe(1);
  });

  test('[A12] a changed claim is stored, and linked to what it is much like', async () => {
    const loci = await newPlace().open();
    const first = await tell(loci, PORT);
    const second = await tell(loci, PORT.replace('8443', '9443'));
    expect(second).toEqual({
      id: second.id,
      outcome: 'stored',
      similar: [{ id: first.id, relation: 'related_to' }],
    });
    expect(second.id).not.toBe(first.id);
    const { relations } = await loci.relations({ id: second.id });
    expect(relations).toEqual([
      {
        source: second.id,
        type: 'related_to',
        target: first.id,
        confidence: 0.83,
        origin: 'near_duplicate',
      },
    ]);
    const denied = await tell(loci, PORT.replace('listens', 'does not listen'));
    expect(denied.outcome).toBe('stored');
    expect((await loci.status()).memories.total).toBe(3);
  });

  test('[A12] a successor replaces what it names, however much alike', async () => {
    const loci = await newPlace().open();
    const first = await tell(loci, PORT);
    const second = await tell(loci, PORT.slice(0, -1), { supersedes: first.id });
    expect(second).toEqual({ id: second.id, outcome: 'superseded' });
    expect(second.id).not.toBe(first.id);
  });

  test('[A12] what would be lost keeps two memories apart', async () => {
    const loci = await newPlace().open();
    await tell(loci, PORT, { title: 'Billing' });
    const loose = PORT.slice(0, -1);
    for (const more of [
      { title: 'Shop' },
      { type: 'decision' as const },
      { validTo: '2030-01-01' },
      { classification: 'PRIVATE' as const },
      { id: 'FACT-OF-MY-OWN' },
      { source: 'web' },
      { project: 'plane' },
    ]) {
      const receipt = await tell(loci, loose, more);
      expect([more, receipt.outcome]).toEqual([more, 'stored']);
      await loci.scoped({ project: more.project ?? 'boat' }).archive({ id: receipt.id });
    }
    expect((await tell(loci, loose)).outcome).toBe('merged');
  });

  test('[A12] an expired memory takes nothing in: it would not be recalled', async () => {
    const loci = await newPlace().open();
    await tell(loci, PORT, { createdAt: '2020-01-01', ttlDays: 1 });
    expect((await tell(loci, PORT.slice(0, -1), { ttlDays: 1 })).outcome).toBe('stored');
  });

  test('[A12] turns of a conversation are records', async () => {
    const loci = await newPlace().open();
    const { results } = await loci.remember([
      { body: 'Thanks, that helped me a lot!', speaker: 'Ann', turn: 1 },
      { body: 'Thanks, that helped me a lot.', speaker: 'Bob', turn: 2 },
      { body: 'Ok', speaker: 'Ann', turn: 3 },
    ]);
    expect(results).toEqual(
      results.map(({ id }) => ({ id, outcome: 'stored', line: expect.any(Number) })),
    );
    expect(new Set(results.map(({ id }) => id)).size).toBe(3);
  });

  test('[A12] in a batch each item sees the ones before it, and near twins all stay', async () => {
    const loci = await newPlace().open();
    const releases = Array.from({ length: 10 }, (_, i) => `Release v1.${i + 1} notes, small fixes`);
    const { results } = await loci.remember([
      ...releases.map((body) => ({ body })),
      { body: 'Release v1.9 notes, small fixes.' },
    ]);
    expect(results.slice(0, 10).map(({ outcome }) => outcome)).toEqual(Array(10).fill('stored'));
    expect(results[10]).toMatchObject({ id: results[8]?.id, outcome: 'merged' });
    const { results: found } = await loci.recall({ query: 'v1.1' });
    expect(found[0]?.body).toBe('Release v1.1 notes, small fixes');
    expect((await loci.recall({ query: 'v1.9' })).results[0]?.body).toBe(releases[8]);
  });

  test('[A12] a memory with a new text is compared by it, one that is gone no more', async () => {
    const loci = await newPlace().open();
    const first = await tell(loci, PORT);
    await loci.update({ id: first.id, body: 'The mast of the boat is of wood and varnished.' });
    expect((await tell(loci, PORT.slice(0, -1))).outcome).toBe('stored');
    await loci.archive({ id: first.id });
    const again = await tell(loci, 'The mast of the boat is of wood and varnished');
    expect(again).toEqual({ id: again.id, outcome: 'stored' });
  });

  test('[A12] large batches of one template stay apart, and it does not grow with the square', async () => {
    const loci = await newPlace().open();
    const many = Array.from({ length: 400 }, (_, i) => ({
      body: `Entry ${i} of the journal: the harbour was calm and nothing was to report.`,
    }));
    const { results } = await loci.remember(many);
    expect(new Set(results.map(({ id }) => id)).size).toBe(400);
  });
});

describe('notes that say nothing', () => {
  onEveryStore((newPlace) => {
    test('[A12] are refused with the reason, the others of a batch are stored', async () => {
      const loci = await newPlace().open();
      const { results } = await loci.remember([
        { body: 'ok' },
        { body: 'Port 5433' },
        { body: '# Deployment' },
      ]);
      expect(results.map(({ outcome, reason }) => [outcome, reason])).toEqual([
        [
          'refused',
          'body is "ok": it says nothing (Say what is so, in a sentence that is clear on its own.)',
        ],
        ['stored', undefined],
        [
          'refused',
          'body is "# Deployment": it is a heading without text (Say what is so, in a sentence that is clear on its own.)',
        ],
      ]);
      await expect(loci.remember({ body: '🎉🎉' })).rejects.toThrow(
        'body is "🎉🎉": it has no word in it',
      );
      expect((await tell(loci, 'done', { title: 'Migration of the ledger to v4' })).outcome).toBe(
        'stored',
      );
    });
  });
});

test('[A12] the command line shows what was made of a text', () => {
  const store = `${tempFolder()}/vault`;
  const told = run(['-d', store, 'remember', PORT]);
  const id = told.out.split(' ')[1]?.trim();
  expect(run(['-d', store, 'remember', PORT.slice(0, -1)]).out).toBe(
    `merged ${id}: it says the same as ${id}, written a little differently\n`,
  );
  expect(run(['-d', store, 'remember', PORT.replace('8443', '9443')]).out).toMatch(
    new RegExp(`^stored FACT-\\S+; much like ${id}\n$`),
  );
  const refused = lociJson<{ error: { code: string; message: string } }>([
    '-d',
    store,
    'remember',
    'TODO',
  ]);
  expect(refused.code).toBe(2);
  expect(refused.json.error).toMatchObject({
    code: 'invalid_input',
    message: 'body is "TODO": it says nothing',
  });
});

test('[A12] an agent is told what was made of a text', async () => {
  const { call } = await connect();
  const first = await call('remember', { body: PORT });
  const id = first.json.results[0].id as string;
  const joined = await call('remember', { body: PORT.slice(0, -1) });
  expect(joined.text).toBe(`merged ${id}: it says the same as ${id}, written a little differently`);
  const like = await call('remember', { body: PORT.replace('8443', '9443') });
  expect(like.text).toMatch(new RegExp(`^stored FACT-\\S+; much like ${id}$`));
  expect(like.json.results[0].similar).toEqual([{ id, relation: 'related_to' }]);
  const refused = await call('remember', { body: 'hello' });
  expect([refused.isError, refused.text]).toEqual([
    true,
    'invalid_input: body is "hello": it says nothing (Say what is so, in a sentence that is clear on its own.)',
  ]);
});
