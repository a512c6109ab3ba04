import { expect, test } from 'vitest';
import type { Engine } from '../../src/ports/engine.ts';
import { changeTo, NOTHING_NAMED } from '../../src/testing/memories.ts';
import { hashOf, onEveryEngine, statusesOf, type Given, type Kept } from './kept.ts';

const OLD: Given = {
  id: 'FACT-PORT-A',
  body: 'The API server listens on port 8080.',
  created_at: '2026-01-01T00:00:00.000Z',
};
const NEW: Given = { id: 'FACT-PORT-B', body: 'The API server listens on port 9090.' };
const PAIR = 'FACT-PORT-A+FACT-PORT-B';

/** Changes a memory in two places at once: both build on what was there before. */
async function editTwice(engine: Engine, id: string): Promise<readonly string[]> {
  const [first] = await engine.history(id);
  const { memory } = (await engine.get([id], { projects: 'all', agents: 'all' }))[0] as never as {
    memory: Parameters<typeof changeTo>[0];
  };
  const events: string[] = [];
  for (const [body, title, tags] of [
    ['It is blue.', 'Blue', ['a']],
    ['It is red.', 'Red', ['b']],
  ] as const) {
    const change = changeTo({ ...memory, body, title, tags }, { base: [first?.id ?? ''] });
    const done = await engine.commit(NOTHING_NAMED, () => ({ changes: [change], result: 0 }));
    events.push(...done.events.map((event) => event.id));
  }
  return events;
}

async function idOf({ loci }: Kept): Promise<string> {
  return (await loci.conflicts()).conflicts[0]?.id ?? '';
}

onEveryEngine((keep) => {
  test('[E7] conflicts are listed with both sides', async () => {
    const { loci } = await keep(OLD, NEW);
    const { conflicts, total } = await loci.conflicts();
    expect(total).toBe(1);
    expect(conflicts).toMatchObject([
      {
        id: PAIR,
        kind: 'texts',
        sides: [
          { ref: 'FACT-PORT-A', body: OLD.body },
          { ref: 'FACT-PORT-B', body: NEW.body },
        ],
      },
    ]);
    expect(await loci.scoped({ project: 'harbour' }).conflicts()).toEqual({
      conflicts: [],
      total: 0,
    });
  });

  test('[E7] the memory that holds replaces the other; undo brings the conflict back', async () => {
    const kept = await keep(OLD, NEW);
    const before = await hashOf(kept);
    const { run, resolved } = await kept.loci.resolve({
      id: PAIR.toLowerCase(),
      keep: 'FACT-PORT-A',
    });
    expect(resolved).toBe(PAIR);
    const { memories } = await kept.loci.get({ ids: ['FACT-PORT-A', 'FACT-PORT-B'] });
    expect(memories[0]?.relations).toMatchObject([{ type: 'supersedes', target: 'FACT-PORT-B' }]);
    expect(memories[1]).toMatchObject({ status: 'superseded', superseded_by: 'FACT-PORT-A' });
    expect((await kept.loci.conflicts()).total).toBe(0);
    await kept.loci.undo({ ref: run ?? '' });
    expect(await hashOf(kept)).toBe(before);
    expect((await kept.loci.conflicts()).total).toBe(1);
  });

  test('[E7] a text that holds instead goes into the newer one', async () => {
    const kept = await keep(OLD, NEW);
    await kept.loci.resolve({ id: PAIR, body: 'It listens on both.' });
    const { memories } = await kept.loci.get({ ids: ['FACT-PORT-B'] });
    expect(memories[0]?.body).toBe('It listens on both.');
    expect(await statusesOf(kept, 'FACT-PORT-A')).toEqual({ 'FACT-PORT-A': 'superseded' });
  });

  test('[E7] two that both hold are not flagged again', async () => {
    const stated: Given = {
      ...OLD,
      relations: [{ type: 'contradicts', target: 'FACT-PORT-B', confidence: 1, origin: 'stated' }],
    };
    const kept = await keep(stated, NEW);
    const before = await hashOf(kept);
    const { run } = await kept.loci.resolve({ id: PAIR, both: true, reason: 'two servers' });
    expect((await kept.loci.conflicts()).total).toBe(0);
    expect((await kept.loci.reflect()).conflicts).toEqual([]);
    expect(await statusesOf(kept, 'FACT-PORT-A', 'FACT-PORT-B')).toEqual({
      'FACT-PORT-A': 'active',
      'FACT-PORT-B': 'active',
    });
    await kept.loci.undo({ ref: run ?? '' });
    expect(await hashOf(kept)).toBe(before);
  });

  test('[E7] concurrent edits are listed with both versions, and one of them is kept', async () => {
    const kept = await keep({ id: 'FACT-BOAT', body: 'It has a colour.' });
    const [blue, red] = await editTwice(kept.engine, 'FACT-BOAT');
    const { conflicts } = await kept.loci.conflicts();
    expect(conflicts).toMatchObject([
      {
        kind: 'edits',
        ids: ['FACT-BOAT'],
        sides: [
          { ref: blue, body: 'It is blue.' },
          { ref: red, body: 'It is red.' },
        ],
      },
    ]);
    expect((await kept.loci.reflect()).conflicts.map(({ kind }) => kind)).toEqual(['edits']);
    await kept.loci.resolve({ id: await idOf(kept), keep: blue ?? '' });
    const { memories } = await kept.loci.get({ ids: ['FACT-BOAT'], history: true });
    expect(memories[0]).toMatchObject({ body: 'It is blue.', title: 'Blue', tags: ['a', 'b'] });
    expect((await kept.loci.conflicts()).total).toBe(0);
    const [last] = (await kept.engine.history('FACT-BOAT')).slice(-1);
    expect([...(last?.base ?? [])].sort()).toEqual([blue, red].sort());
    expect((await kept.engine.replay()).stateHash).toBe(await hashOf(kept));
  });

  test('[E7] a text can take the place of both versions', async () => {
    const kept = await keep({ id: 'FACT-BOAT', body: 'It has a colour.' });
    await editTwice(kept.engine, 'FACT-BOAT');
    await kept.loci.resolve({ id: await idOf(kept), body: 'It is purple.' });
    const { memories } = await kept.loci.get({ ids: ['FACT-BOAT'] });
    expect(memories[0]?.body).toBe('It is purple.');
    expect((await kept.loci.conflicts()).total).toBe(0);
  });

  test('[E7] what somebody noted as a conflict is settled and archived', async () => {
    const edge = { type: 'related_to', confidence: 1, origin: 'stated' };
    const kept = await keep(
      { ...OLD, body: 'Red.' },
      { ...NEW, body: 'Blue.' },
      {
        id: 'CONF-NOTED',
        type: 'conflict',
        body: 'Two colours.',
        relations: [
          { ...edge, target: 'FACT-PORT-A' },
          { ...edge, target: 'FACT-PORT-B' },
        ],
      },
    );
    const before = await hashOf(kept);
    expect((await kept.loci.conflicts()).conflicts).toMatchObject([
      { id: 'CONF-NOTED', kind: 'noted', ids: ['FACT-PORT-A', 'FACT-PORT-B'] },
    ]);
    const { run } = await kept.loci.resolve({ id: 'CONF-NOTED', keep: 'FACT-PORT-B' });
    expect(await statusesOf(kept, 'CONF-NOTED', 'FACT-PORT-A', 'FACT-PORT-B')).toEqual({
      'CONF-NOTED': 'archived',
      'FACT-PORT-A': 'superseded',
      'FACT-PORT-B': 'active',
    });
    await kept.loci.undo({ ref: run ?? '' });
    expect(await hashOf(kept)).toBe(before);
  });

  test.each([
    [{ id: PAIR }, 'invalid_input'],
    [{ id: PAIR, keep: 'FACT-PORT-A', both: true }, 'invalid_input'],
    [{ id: PAIR, keep: 'FACT-ELSE' }, 'invalid_input'],
    [{ id: 'FACT-PORT-A+FACT-NONE', both: true }, 'not_found'],
    [{ id: 'FACT-PORT-A', keep: 'FACT-PORT-A' }, 'not_found'],
    [{ id: 'FACT-DRAFT+FACT-PORT-A', keep: 'FACT-DRAFT' }, 'conflict'],
  ])('%j is refused as %s', async (options, code) => {
    const kept = await keep(OLD, NEW, { id: 'FACT-DRAFT', status: 'draft' });
    const before = await hashOf(kept);
    await expect(kept.loci.resolve(options)).rejects.toMatchObject({ code });
    expect(await hashOf(kept)).toBe(before);
  });
});
