import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { relatedInFront } from '../../src/domain/markdown/legacy-links.ts';
import { open } from '../../src/open.ts';

test.each([
  ['links:\n  related: [FACT-A, FACT-B]', ['FACT-A', 'FACT-B']],
  ['links:\n  related:\n    - "[[FACT-A]]"\n    - FACT-A', ['FACT-A']],
  ['links: {related: "FACT-A, FACT-B"}', ['FACT-A', 'FACT-B']],
  ['links:\n  related:\n    - [[FACT-A]]', ['FACT-A']],
  ['links:\n  related:', []],
  ['links: FACT-A', []],
  ['links: [FACT-A]', []],
  ['links:\n  related: [1, {a: b}, null]', []],
  ['links: {related: [', []],
  ['id: FACT-A', []],
])('[E2] what front matter of another system names: %j', (yaml, ids) => {
  expect(relatedInFront(`---\n${yaml}\n---\n`)).toEqual(ids);
});

test('[E2] edges of front matter and ids in texts are taken over, and nothing is taken away', async () => {
  const path = mkdtempSync(join(tmpdir(), 'loci-migrate-'));
  const loci = await open(path, { project: 'boat', create: true });
  await loci.remember([
    { id: 'FACT-KEEL', title: 'Keel', body: 'The keel is oak.' },
    { id: 'FACT-MAST', body: 'The mast stands on FACT-KEEL.' },
  ]);
  const file = [
    '---',
    'id: FACT-SAIL',
    'project: boat',
    'links:',
    '  related: [FACT-KEEL, Mast, FACT-GONE]',
    '---',
    'The sail hangs on FACT-MAST, see [[Keel]].',
    '',
  ].join('\n');
  writeFileSync(join(path, 'ENTITIES', 'FACT-SAIL.md'), file);
  await loci.reindex();
  const dry = await loci.migrateRelations();
  expect(dry.run).toBeNull();
  const done = await loci.migrateRelations({ apply: true });
  expect({ ...done, run: null, dry_run: true }).toEqual(dry);
  expect(done.added.map(({ source, target, origin }) => [source, target, origin])).toEqual([
    ['FACT-MAST', 'FACT-KEEL', 'link'],
    ['FACT-SAIL', 'FACT-KEEL', 'migrated'],
    ['FACT-SAIL', 'FACT-MAST', 'link'],
  ]);
  expect(done.dangling.map(({ name }) => name)).toEqual(['Mast', 'FACT-GONE']);
  expect(await loci.migrateRelations({ apply: true })).toMatchObject({ run: null, added: [] });
  // What was taken over is no link of the text, and stays when links are read again.
  await loci.update({ id: 'FACT-SAIL', body: 'The sail is red.' });
  const { removed } = await loci.relink({ apply: true });
  expect(removed.map(({ target }) => target)).toEqual(['FACT-MAST']);
  await loci.close();
});
