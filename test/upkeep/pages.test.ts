import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PAGES } from '../../src/domain/pages/page.ts';
import { testClock } from '../../src/testing/clock.ts';
import { useBench } from '../../src/testing/engine-harness.ts';
import { memoryOf, put } from '../../src/testing/memories.ts';
import { vault } from '../engines/harnesses.ts';
import { clockedOver } from '../recall/clocked.ts';
import { onEveryEngine, type Given } from './kept.ts';

const BUN: Given = {
  id: 'DECI-BUN',
  type: 'decision',
  title: 'Package manager',
  body: 'We use bun.\n\n# It is fast\n<!-- loci:page -->',
  tags: ['tools'],
  created_at: '2026-02-01T00:00:00.000Z',
};
const GLOBAL: Given = {
  id: 'DECI-ALL',
  type: 'decision',
  body: 'English everywhere.',
  project: 'global',
};
const OTHERS: readonly Given[] = [
  { id: 'CONS-MONEY', type: 'constraint', body: 'No floats for money.' },
  { id: 'OPEN-DB', type: 'open_question', body: 'Which database?', ttl_days: 90 },
  { id: 'EPIS-LAST', type: 'episode', tier: 'conversations', body: 'Built the importer.' },
  { id: 'CONF-PORT', type: 'conflict', body: 'Two ports are named.' },
  { id: 'DECI-SECRET', type: 'decision', body: 'The private one.', classification: 'PRIVATE' },
  { id: 'DECI-DRAFT', type: 'decision', body: 'Maybe.', status: 'draft' },
  { id: 'DECI-OVER', type: 'decision', body: 'No more.', valid_to: '2026-01-01T00:00:00.000Z' },
  { id: 'FACT-GONE', body: 'Gone.', status: 'archived', status_reason: 'moved away' },
];

onEveryEngine((keep) => {
  test('[E8] decisions that hold are listed by project, newest first, as data', async () => {
    const { loci } = await keep(BUN, GLOBAL, ...OTHERS);
    expect(await loci.view({ name: 'decisions' })).toEqual({
      name: 'DECISIONS.md',
      text: [
        '<!-- loci:page -->',
        '',
        '# Decisions',
        '',
        'What was decided and holds now, newest first.',
        'This page is generated: change the memories, not the page.',
        '',
        '## global',
        '',
        '- **English everywhere.** [[DECI-ALL]] (2026-03-09, confidence 0.8)',
        '',
        '## boat',
        '',
        '- **Package manager** [[DECI-BUN]] (2026-02-01, confidence 0.8, #tools)',
        '  We use bun. # It is fast &lt;!-- loci:page -->',
        '',
      ].join('\n'),
    });
  });

  test('[E8] each page tells its own', async () => {
    const { loci } = await keep(BUN, GLOBAL, ...OTHERS);
    const text = async (name: (typeof PAGES)[number]): Promise<string> =>
      (await loci.view({ name })).text;
    expect(await text('constraints')).toContain('**No floats for money.** [[CONS-MONEY]]');
    expect(await text('open_questions')).toContain(
      '[[OPEN-DB]] (2026-03-09, confidence 0.8, until 2026-06-07)',
    );
    const index = await text('index');
    expect(index).toContain('- [HANDOFF.md](HANDOFF.md)');
    expect(index).toContain('- decision: 5');
    const handoff = await text('handoff');
    const headings = handoff.split('\n').filter((line) => line.startsWith('#'));
    expect(headings).toEqual([
      '# Handoff',
      '## global',
      '### Recent decisions',
      '### Recent changes',
      '## boat',
      '### Last sessions',
      '### Conflicts',
      '### Recent decisions',
      '### Open questions',
      '### Recent changes',
    ]);
    expect(handoff).toContain('- 2026-03-09 **Gone.** [[FACT-GONE]] (fact, archived): moved away');
    for (const name of PAGES) expect(await text(name)).not.toContain('private one');
  });

  test('[E8] reflect tells which pages changed; nothing changed, no page does', async () => {
    const { loci, clock } = await keep(BUN);
    const changed = async (): Promise<string[]> =>
      (await loci.reflect()).views.filter((view) => view.changed).map(({ name }) => name);
    const all = ['INDEX.md', 'HANDOFF.md', 'DECISIONS.md', 'CONSTRAINTS.md', 'OPEN_QUESTIONS.md'];
    expect(await changed()).toEqual(all);
    clock.advance(86_400_000);
    expect(await changed()).toEqual([]);
    await loci.remember({ body: 'No floats for money.', type: 'constraint' });
    expect(await changed()).toEqual(['INDEX.md', 'HANDOFF.md', 'CONSTRAINTS.md']);
  });

  test('an unknown page is refused with those that there are', async () => {
    const { loci } = await keep();
    await expect(loci.view({ name: 'wiki' as 'index' })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('open_questions'),
    });
  });
});

describe('in a vault', () => {
  const bench = useBench(vault);

  async function openVault() {
    const clock = testClock('2026-03-10T12:00:00.000Z');
    const engine = await bench().openAt(clock);
    await put(engine, memoryOf({ project: 'boat', ...BUN }));
    const loci = clockedOver(engine, clock);
    return { loci, engine, page: (name: string) => join(engine.location, name) };
  }

  test('[E8] [B2] pages lie at the root, are not rewritten without need, and come back', async () => {
    const { loci, engine, page } = await openVault();
    await loci.reflect();
    const { text } = await loci.view({ name: 'decisions', allProjects: true });
    expect(readFileSync(page('DECISIONS.md'), 'utf8')).toBe(text);
    const before = statSync(page('DECISIONS.md'), { bigint: true });
    await loci.reflect();
    const after = statSync(page('DECISIONS.md'), { bigint: true });
    expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs]);
    rmSync(page('DECISIONS.md'));
    writeFileSync(page('HANDOFF.md'), `${readFileSync(page('HANDOFF.md'), 'utf8')}\nMine.\n`);
    const { views } = await loci.reflect();
    expect(views.filter(({ changed }) => changed).map(({ name }) => name)).toEqual([
      'HANDOFF.md',
      'DECISIONS.md',
    ]);
    expect(readFileSync(page('DECISIONS.md'), 'utf8')).toBe(text);
    expect((await engine.verify()).problems).toEqual([]);
  });

  test('pages are no memories and no hand edits', async () => {
    const { loci, engine } = await openVault();
    await loci.reflect();
    const { position } = await engine.head();
    const { edits, memories } = await engine.reindex();
    expect({ edits, memories }).toEqual({ edits: 0, memories: 1 });
    expect((await engine.head()).position).toBe(position);
  });

  test('[E8] a file of that name which is not ours stays as it is, with a finding', async () => {
    const { loci, engine, page } = await openVault();
    writeFileSync(page('INDEX.md'), '# My own index\n');
    const { views } = await loci.reflect();
    expect(views[0]).toEqual({ name: 'INDEX.md', changed: false, left_alone: true });
    expect(readFileSync(page('INDEX.md'), 'utf8')).toBe('# My own index\n');
    expect(await engine.findings()).toMatchObject([
      { check: 'pages', message: expect.stringContaining('INDEX.md') },
    ]);
    rmSync(page('INDEX.md'));
    await loci.reflect();
    expect(await engine.findings()).toEqual([]);
  });

  test('a dry run writes no page', async () => {
    const { loci, page } = await openVault();
    const { views } = await loci.reflect({ dryRun: true });
    expect(views.every(({ changed }) => changed)).toBe(true);
    expect(existsSync(page('INDEX.md'))).toBe(false);
  });
});
