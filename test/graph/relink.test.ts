import { expect, test } from 'vitest';
import { open } from '../../src/index.ts';
import type { Loci } from '../../src/loci.ts';
import { onEveryStore } from '../recall/stores.ts';

const edge = (source: string, target: string, origin = 'link') => {
  return { source, type: 'related_to', target, confidence: 1, origin };
};

async function edgesOf(loci: Loci, id: string): Promise<string[]> {
  const { relations } = await loci.relations({ id });
  return relations.map(({ source, type, target }) => `${source} ${type} ${target}`);
}

onEveryStore((openWith) => {
  test('[E2] links, files and ids become edges as one run; a dry run writes nothing', async () => {
    const loci = await openWith(
      { id: 'FACT-PORT', title: 'Port', body: 'The server listens on 8080.' },
      { id: 'DECI-PROXY', body: 'A proxy stands before it.' },
      { id: 'FACT-HOST', body: 'See [[port]], [the file](FACT-PORT.md) and DECI-PROXY.' },
    );
    const before = await loci.verify();
    const wanted = [edge('FACT-HOST', 'DECI-PROXY'), edge('FACT-HOST', 'FACT-PORT')];
    const dry = await loci.relink();
    expect(dry).toMatchObject({ run: null, dry_run: true, removed: [], skipped: [] });
    expect(dry.added.toSorted((a, b) => (a.target < b.target ? -1 : 1))).toEqual(wanted);
    expect(await loci.verify()).toEqual(before);
    const { run } = await loci.relink({ apply: true });
    expect(run).toMatch(/^[0-9A-Z]{26}$/);
    expect((await loci.relations({ id: 'FACT-HOST' })).relations).toEqual(wanted);
    expect(await loci.relink({ apply: true })).toMatchObject({ run: null, added: [], removed: [] });
  });

  test('[E2] an edge goes with its link, and only that of a link', async () => {
    const loci = await openWith(
      { id: 'FACT-PORT', title: 'Port', body: 'The server listens on 8080.' },
      { id: 'DECI-PROXY', title: 'Proxy', body: 'A proxy stands before it.' },
      { id: 'FACT-HOST', body: 'See [[Port]] and [[Proxy]].' },
    );
    await loci.relink({ apply: true });
    await loci.relate({ source: 'FACT-HOST', type: 'supports', target: 'FACT-PORT' });
    await loci.update({ id: 'FACT-HOST', body: 'See [[Ghost]].' });
    const { added, removed, dangling } = await loci.relink({ apply: true });
    expect(added).toEqual([]);
    expect(removed).toEqual([edge('FACT-HOST', 'DECI-PROXY'), edge('FACT-HOST', 'FACT-PORT')]);
    expect(dangling).toEqual([{ source: 'FACT-HOST', name: 'Ghost', candidates: [] }]);
    expect(await edgesOf(loci, 'FACT-HOST')).toEqual(['FACT-HOST supports FACT-PORT']);
  });

  test('[E2] a sentence makes no supersession, and what is related is not related twice', async () => {
    const loci = await openWith(
      { id: 'DECI-OLD', title: 'Old', body: 'We use npm.' },
      { id: 'DECI-NEW', body: 'We use bun; this supersedes DECI-OLD, see also [[Old]].' },
      { id: 'FACT-STATED', body: 'About [[Old]].' },
    );
    await loci.relate({ source: 'FACT-STATED', type: 'depends_on', target: 'DECI-OLD' });
    const { added } = await loci.relink({ apply: true });
    expect(added).toEqual([edge('DECI-NEW', 'DECI-OLD')]);
    const { memories } = await loci.get({ ids: ['DECI-OLD'] });
    expect(memories[0]).toMatchObject({ status: 'active' });
    expect(memories[0]).not.toHaveProperty('superseded_by');
  });

  test('[C6] other syntax of notes makes nothing: one relation, to the roadmap', async () => {
    const body = [
      '> [!info] Title',
      '- [/] half done',
      '- [X] done',
      '[Linter](https://example.org) is fine',
      '[[Roadmap|the plan]] moved',
      'Fixed in #934',
      'https://example.org/#part',
      '```c',
      '#define X',
      '```',
    ].join('\n');
    const loci = await openWith(
      { id: 'FACT-ROADMAP', title: 'Roadmap', body: 'Where we go.' },
      { id: 'FACT-NOTE', body },
    );
    const { added, dangling, ambiguous } = await loci.relink({ apply: true });
    expect({ added, dangling, ambiguous }).toEqual({
      added: [edge('FACT-NOTE', 'FACT-ROADMAP')],
      dangling: [],
      ambiguous: [],
    });
    const { memories } = await loci.get({ ids: ['FACT-NOTE'] });
    expect(memories[0]).toMatchObject({ tags: [], entities: [], body });
  });

  test('[L6] of two notes with one title none is guessed, and a third moves nothing', async () => {
    const loci = await openWith(
      { id: 'FACT-PLAN-A', title: 'Plan', body: 'The first plan.' },
      { id: 'FACT-PLAN-B', title: 'plan', body: 'The second plan.' },
      { id: 'FACT-NOTE', body: 'As in [[Plan]].' },
    );
    const two = await loci.relink({ apply: true });
    expect(two).toMatchObject({
      added: [],
      ambiguous: [
        { source: 'FACT-NOTE', name: 'Plan', candidates: ['FACT-PLAN-A', 'FACT-PLAN-B'] },
      ],
    });
    await loci.remember({ id: 'FACT-PLAN-C', title: 'Plan', body: 'The third plan.' });
    expect(await loci.relink({ apply: true })).toMatchObject({ run: null, added: [] });
    await loci.archive({ id: 'FACT-PLAN-B' });
    await loci.archive({ id: 'FACT-PLAN-C' });
    expect((await loci.relink({ apply: true })).added).toEqual([edge('FACT-NOTE', 'FACT-PLAN-A')]);
  });

  test('[L6] a link is kept by id: by namesakes and by new names unmoved', async () => {
    const loci = await openWith(
      { id: 'FACT-PLAN-A', title: 'Plan', body: 'The first plan.' },
      { id: 'FACT-NOTE', body: 'As in [[Plan]].' },
    );
    await loci.relink({ apply: true });
    await loci.remember({ id: 'FACT-PLAN-B', title: 'Plan', body: 'The second plan.' });
    expect(await loci.relink({ apply: true })).toMatchObject({ run: null, ambiguous: [] });
    // Renamed: the name leads to the other one alone by now, and the link stays all the same.
    await loci.update({ id: 'FACT-PLAN-A', title: 'Plan of old' });
    expect(await loci.relink({ apply: true })).toMatchObject({ run: null, ambiguous: [] });
    await loci.archive({ id: 'FACT-PLAN-B' });
    expect(await loci.relink({ apply: true })).toMatchObject({ run: null, dangling: [] });
    expect(await edgesOf(loci, 'FACT-PLAN-A')).toEqual(['FACT-NOTE related_to FACT-PLAN-A']);
  });

  test('[E2] only the own project is written; its links may lead to the global one', async () => {
    const loci = await openWith(
      { id: 'FACT-SHARED', title: 'Shared', body: 'Common ground.', project: 'global' },
      { id: 'FACT-THEIRS', title: 'Theirs', body: 'See [[Shared]].', project: 'sea' },
      { id: 'FACT-GLOBAL', body: 'See [[Shared]].', project: 'global' },
      { id: 'FACT-OURS', body: 'See [[Shared]] and [[Theirs]].' },
    );
    const { added, dangling } = await loci.relink({ apply: true });
    expect(added).toEqual([edge('FACT-OURS', 'FACT-SHARED')]);
    expect(dangling).toEqual([{ source: 'FACT-OURS', name: 'Theirs', candidates: [] }]);
  });

  test('[E2] apply and dry run exclude each other', async () => {
    const loci = await openWith();
    await expect(loci.relink({ apply: true, dryRun: true })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });
});

test('of a name that hundreds bear, ten are told', async () => {
  const loci = await open('memory:', { project: 'p', env: {}, embedder: 'none' });
  const notes = Array.from({ length: 300 }, (_, i) => ({
    title: 'Daily notes',
    body: `What happened on day ${i}; see [[Daily notes]].`,
  }));
  await loci.remember(notes);
  const { ambiguous } = await loci.relink();
  expect(ambiguous).toHaveLength(300);
  expect(ambiguous.every(({ candidates }) => candidates.length === 10)).toBe(true);
});
