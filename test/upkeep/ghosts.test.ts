import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Loci } from '../../src/loci.ts';
import { open } from '../../src/open.ts';
import { LASTING, tracesOf, type Lasting } from './lasting.ts';

const CHANGES = 200;

/** Numbers below `n`, the same in every run. */
function dice(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** A word that stands in one version of one memory and nowhere else. */
function token(n: number): string {
  const letters = [...String(1000 + n)].map((digit) => 'bcdfghjklm'[Number(digit)]);
  return `qu${letters.join('u')}x`;
}

interface Story {
  /** By id of a live memory: its word. */
  readonly live: Map<string, string>;
  /** Words of texts that were corrected, superseded, rejected or have expired, by id. */
  readonly history: Map<string, string[]>;
  readonly purged: string[];
}

async function live(loci: Loci, seed: number): Promise<Story> {
  const roll = dice(seed);
  const story: Story = { live: new Map(), history: new Map(), purged: [] };
  let words = 0;
  const next = (): string => token((words += 1));
  const end = (id: string): void => {
    const past = story.history.get(id) ?? [];
    story.history.set(id, [...past, story.live.get(id) as string]);
    story.live.delete(id);
  };
  const add = async (more: object = {}): Promise<void> => {
    const word = next();
    const body = `The ${word} of the harbour.`;
    const { results } = await loci.remember({ title: `About ${word}`, body, ...more });
    story.live.set(results[0]?.id as string, word);
  };
  for (let n = 0; n < 20; n++) await add();
  for (let n = 0; n < CHANGES; n++) {
    const ids = [...story.live.keys()];
    const id = ids[roll(ids.length)] as string;
    const other = ids[roll(ids.length)] as string;
    const act =
      ids.length < 5
        ? 'add'
        : ['correct', 'supersede', 'reject', 'expire', 'purge', 'add'][roll(6)];
    if (act === 'correct') {
      const word = next();
      end(id);
      await loci.update({ id, title: `Now ${word}`, body: `The ${word} is right.` });
      story.live.set(id, word);
    } else if (act === 'supersede') {
      end(id);
      await add({ supersedes: id });
    } else if (act === 'reject') {
      end(id);
      await loci.reject({ id, reason: 'wrong' });
    } else if (act === 'expire') {
      end(id);
      await loci.update({ id, validTo: '2020-01-02', validFrom: '2020-01-01' });
      if (roll(2) === 0) await loci.gc();
    } else if (act === 'purge') {
      if (id !== other) await loci.relate({ source: other, type: 'supports', target: id });
      await loci.purge({ ids: [id], yes: true });
      story.purged.push(story.live.get(id) as string, ...(story.history.get(id) ?? []));
      story.history.delete(id);
      story.live.delete(id);
    } else {
      await add(roll(2) === 0 ? { evidence: [Buffer.from(`proof ${n}`)] } : {});
    }
  }
  return story;
}

const KINDS: readonly Lasting[] = [['a store in memory', () => 'memory:'], ...LASTING];

describe.each(KINDS)('%s', (_kind, named) => {
  test('[A11] [A7] after 200 random changes nothing old is found, and nothing purged is left', async () => {
    const root = mkdtempSync(join(tmpdir(), 'loci-ghosts-'));
    const name = await named(root);
    const loci = await open(name, { project: 'boat', embedder: 'builtin' });
    try {
      const { live: current, history, purged } = await live(loci, 7);
      await loci.reEmbed();
      const old = [...history.values()].flat();
      expect(old.length).toBeGreaterThan(40);
      expect(purged.length).toBeGreaterThan(15);

      const page = (await loci.context({ maxTokens: 100_000 })).text;
      const { results } = await loci.search({ limit: 1000 });
      const listed = JSON.stringify(results);
      for (const word of [...old, ...purged]) {
        for (const mode of ['keyword', 'vector', 'hybrid'] as const) {
          const found = await loci.search({ query: word, mode, limit: 100 });
          expect(JSON.stringify(found.results)).not.toContain(word);
        }
        const recalled = await loci.recall({ query: `About the ${word} of the harbour` });
        expect(JSON.stringify(recalled.results)).not.toContain(word);
        expect(page + listed).not.toContain(word);
      }
      for (const [id, word] of current) {
        const { results: hits } = await loci.recall({ query: word, limit: 1 });
        expect(hits[0]?.id).toBe(id);
      }
      for (const [id, words] of history) {
        const told = JSON.stringify(await loci.get({ ids: [id], history: true }));
        for (const word of words) expect(told).toContain(word);
      }
      expect(await tracesOf(purged, { root, name })).toEqual([]);
      expect((await loci.verify()).problems).toEqual([]);
      await loci.reindex();
      expect(await tracesOf(purged, { root, name })).toEqual([]);
    } finally {
      await loci.close();
    }
  }, 240_000);
});
