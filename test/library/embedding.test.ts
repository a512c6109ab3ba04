import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Loci } from '../../src/loci.ts';
import { useServer } from '../models/embedders/support.ts';
import { newFolder, openStore, places, write } from './support.ts';

const PAGE =
  '# Ropes\n\nA bowline holds fast and is easily untied.\n\n# Engine\n\nCheck the oil daily.\n';

describe.each([
  ['in-memory', () => 'memory:'],
  ['sqlite', (folder: string) => `sqlite:${join(folder, 's.db')}`],
  ['vault', (folder: string) => join(folder, 'v')],
])('%s', (kind, name) => {
  const server = useServer();
  const open = (folder: string, model: string): Promise<Loci> =>
    openStore(name(folder), {
      env: {
        LOCI_EMBEDDER: 'openai-compatible',
        LOCI_EMBED_MODEL: model,
        LOCI_EMBED_BASE_URL: server().url,
      },
    });
  /** How many texts the server was asked to embed as documents since the last look. */
  const embedded = (): number => {
    const texts = server()
      .requests.splice(0)
      .flatMap((request) => request.texts);
    return texts.filter((text) => text.includes('\n')).length;
  };

  test('sections are embedded when they are indexed, and not again while they stay', async () => {
    const [folder, docs] = [newFolder(), newFolder()];
    await write(docs, { 'a.md': PAGE });
    const loci = await open(folder, 'one');
    expect((await loci.reindexDocs({ dir: docs })).warnings).toEqual([]);
    expect(embedded()).toBe(2);
    const { results } = await loci.recallDocs({ query: 'bowline', explain: true });
    expect(results[0]?.explain?.meaning?.map(({ embedder }) => embedder)).toContain(
      'openai-compatible:one',
    );
    await loci.reindexDocs({ dir: docs });
    expect(embedded()).toBe(0);
    await write(docs, { 'a.md': `${PAGE}\n# Deck\n\nScrub it with salt water.\n` });
    await loci.reindexDocs({ dir: docs });
    expect(embedded()).toBe(1);
  });

  test('[C15] an embedder that is down is said, words find the sections, and the next run heals', async () => {
    const [folder, docs] = [newFolder(), newFolder()];
    await write(docs, { 'a.md': PAGE });
    const loci = await open(folder, 'one');
    server().otherwise = ({ json }) => json(401, { error: { message: 'no' } });
    const { files, warnings } = await loci.reindexDocs({ dir: docs });
    expect(files.indexed).toBe(1);
    expect(warnings).toEqual([expect.stringContaining('openai-compatible (one)')]);
    expect(await places(loci, 'bowline')).toEqual(['a.md:3 Ropes']);
  });

  if (kind === 'in-memory') return;

  test('[C15] after a change of model documents want indexing again, and it is said', async () => {
    const [folder, docs] = [newFolder(), newFolder()];
    await write(docs, { 'a.md': PAGE });
    const first = await open(folder, 'one');
    await first.reindexDocs({ dir: docs });
    expect((await first.recallDocs({ query: 'bowline' })).warnings).toEqual([]);
    await first.close();

    const second = await open(folder, 'two');
    const { warnings, results } = await second.recallDocs({ query: 'bowline' });
    expect(results).toHaveLength(1);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^documents have vectors of .*openai-compatible:one.* and none of openai-compatible:two: run loci reindex-docs/,
      ),
    ]);
    embedded();
    const again = await second.reindexDocs({ dir: docs });
    expect(again.files).toEqual({ indexed: 0, unchanged: 1, removed: 0, failed: 0 });
    expect(embedded()).toBe(2);
    expect((await second.recallDocs({ query: 'bowline' })).warnings).toEqual([]);
  });
});
