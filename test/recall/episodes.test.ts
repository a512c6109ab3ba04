import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onEveryStore } from './stores.ts';

onEveryStore((openWith) => {
  test('[A10] a session has one episode: written again, it is the same one', async () => {
    const loci = await openWith();
    const first = await loci.episode({
      sessionId: 's-1',
      summary: 'Moved the API to cursors.\n',
      title: 'Cursors',
      tags: ['api'],
      startedAt: '2026-03-09T08:00:00Z',
    });
    expect(first).toMatchObject({ session_id: 's-1', outcome: 'stored', warnings: [] });
    const again = await loci.episode({
      sessionId: 's-1',
      summary: 'Moved the API to cursors, and tested it.',
      endedAt: '2026-03-09T10:00:00Z',
    });
    expect(again).toMatchObject({ id: first.id, outcome: 'updated' });
    expect(await loci.episodes()).toEqual({
      episodes: [
        {
          id: first.id,
          session_id: 's-1',
          title: 'Cursors',
          summary: 'Moved the API to cursors, and tested it.',
          tags: ['api'],
          status: 'active',
          started_at: '2026-03-09T08:00:00.000Z',
          ended_at: '2026-03-09T10:00:00.000Z',
          created_at: '2026-03-09T10:00:00.000Z',
          updated_at: expect.any(String),
        },
      ],
      total: 1,
    });
    const { memories } = await loci.get({ ids: [first.id] });
    expect(memories[0]).toMatchObject({
      type: 'episode',
      tier: 'conversations',
      session_id: 's-1',
      project: 'boat',
    });
  });

  test('[A10] sessions that are summed up alike are two; the newest is listed first', async () => {
    const loci = await openWith();
    const summary = 'Nothing new.';
    const old = await loci.episode({ sessionId: 'old', summary, endedAt: '2026-03-01T10:00:00Z' });
    const late = await loci.episode({
      sessionId: 'late',
      summary,
      endedAt: '2026-03-02T10:00:00Z',
    });
    expect(late).toMatchObject({ outcome: 'stored' });
    const listed = await loci.episodes();
    expect(listed.episodes.map(({ id }) => id)).toEqual([late.id, old.id]);
    expect(listed.episodes.map((one) => one.summary)).toEqual([summary, summary]);
    expect(await loci.episodes({ limit: 1 })).toMatchObject({
      episodes: [{ id: late.id }],
      total: 2,
    });
  });

  test('[A10] an episode that was remembered like any memory is the one of its session', async () => {
    const loci = await openWith({
      id: 'EPIS-BY-HAND',
      type: 'episode',
      sessionId: 's-1',
      body: 'By hand.',
    });
    expect((await loci.episodes()).episodes[0]).toMatchObject({ summary: 'By hand.' });
    const { id } = await loci.episode({ sessionId: 's-1', summary: 'By the verb.' });
    expect(id).toBe('EPIS-BY-HAND');
    expect((await loci.episodes()).episodes).toMatchObject([{ summary: 'By the verb.' }]);
  });

  test('[A10] one that is archived stays so, and that is said', async () => {
    const loci = await openWith();
    const { id } = await loci.episode({ sessionId: 's-1', summary: 'One.' });
    await loci.archive({ id });
    const again = await loci.episode({ sessionId: 's-1', summary: 'Two.' });
    expect(again).toMatchObject({ id, outcome: 'updated' });
    expect(again.warnings).toEqual([`${id} is archived: restore it to see it listed`]);
    expect((await loci.episodes()).total).toBe(0);
  });

  test('[A10] of another project it is another one, and what cannot be is refused', async () => {
    const loci = await openWith();
    const { id } = await loci.episode({ sessionId: 's-1', summary: 'At home.' });
    const sea = loci.scoped({ project: 'sea' });
    expect((await sea.episode({ sessionId: 's-1', summary: 'At sea.' })).id).not.toBe(id);
    expect((await sea.episodes()).total).toBe(1);
    const bad = [
      { sessionId: ' ', summary: 'x' },
      { sessionId: 's', summary: ' ' },
      { sessionId: 's', summary: 'x', startedAt: '2026-03-09', endedAt: '2026-03-08' },
    ];
    for (const options of bad) {
      await expect(loci.episode(options)).rejects.toMatchObject({ code: 'invalid_input' });
    }
  });

  test('[A10] a vault keeps it apart, as a file', async (context) => {
    const loci = await openWith();
    const { id } = await loci.episode({ sessionId: 's-1', summary: 'One.' });
    const isFolder = statSync(loci.location, { throwIfNoEntry: false })?.isDirectory() ?? false;
    if (!isFolder) context.skip('this store has no files');
    expect(existsSync(join(loci.location, 'EPISODES', `${id}.md`))).toBe(true);
  });
});
