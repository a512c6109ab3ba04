import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loci, lociJson, tempFolder } from './run-cli.ts';

interface Answer {
  readonly results: readonly { readonly id: string; readonly body: string }[];
  readonly window?: Readonly<Record<string, string>>;
}

const folder = tempFolder();
const STORES = [
  ['vault', join(folder, 'vault')],
  ['sqlite', `sqlite:${join(folder, 'store.db')}`],
] as const;

const texts = ({ results }: Answer): string[] => results.map(({ body }) => body);

/** The last characters of what was found. */
const entries = (answer: Answer): string => {
  return texts(answer)
    .map((text) => text.at(-1))
    .toSorted()
    .join('');
};

describe.each(STORES)('%s', (_kind, store) => {
  const ask = (args: readonly string[], env = {}): Answer => {
    const { code, json } = lociJson<Answer>([...args, '--store', store], { env });
    expect(code).toBe(0);
    return json;
  };
  test('[C11] case L4: what holds, what held, and what was known', () => {
    const vim = ask(['remember', 'My favourite editor is Vim', '--created-at', '2026-01-05']);
    const [{ id = '' } = {}] = vim.results;
    const helix = 'My current favourite editor is Helix';
    ask(['remember', helix, '--supersedes', id, '--created-at', '2026-02-01']);
    const recall = ['recall', 'favourite editor'];
    expect(texts(ask(recall))).toEqual([helix]);
    expect(texts(ask([...recall, '--include-superseded']))[0]).toBe(helix);
    expect(texts(ask([...recall, '--as-of', '2026-01-31']))).toEqual([
      'My favourite editor is Vim',
    ]);
    expect(texts(ask([...recall, '--as-recorded', 'yesterday']))).toEqual([]);
    expect(texts(ask([...recall, '--as-recorded', 'now']))).toEqual([helix]);
    const got = lociJson<{ memories: { status: string }[]; window: object }>([
      'get',
      id,
      '--as-of',
      '2026-01-31',
      '--store',
      store,
    ]);
    expect(got.json).toMatchObject({
      memories: [{ status: 'active' }],
      window: { as_of: '2026-01-31T23:59:59.999Z', zone: 'UTC' },
    });
  });

  test('[C11] case L5: a window in a zone, whatever zone the machine is in', () => {
    const lines = [
      '2026-03-08T23:59:59Z',
      '2026-03-09T00:00Z',
      '2026-03-09T04:00:00+05:30',
      '2026-03-09T12:00:00',
      '2026-03-09T23:59:59.999Z',
      '2026-03-10T00:00:01Z',
    ].map((created_at, n) => JSON.stringify({ body: `Log entry ${n}`, created_at }));
    const batch = join(folder, 'batch.jsonl');
    writeFileSync(batch, lines.join('\n'));
    const args = ['search', '--since', '2026-03-09', '--until', '2026-03-10', '--limit', '50'];
    ask(['remember', '--batch', batch], { TZ: 'Pacific/Kiritimati' });
    for (const TZ of ['UTC', 'Pacific/Midway', 'Asia/Kolkata', 'Pacific/Kiritimati']) {
      const answer = ask(args, { TZ });
      expect(entries(answer)).toBe('134');
      expect(answer.window).toEqual({
        since: '2026-03-09T00:00:00.000Z',
        until: '2026-03-10T00:00:00.000Z',
        zone: 'UTC',
      });
      expect(entries(ask([...args, '--zone', 'Asia/Kolkata'], { TZ }))).toBe('0123');
      expect(entries(ask(args, { TZ, LOCI_ZONE: 'Pacific/Midway' }))).toBe('345');
    }
    const { out } = loci([...args, '--zone', 'Asia/Kolkata', '--store', store]);
    expect(out).toContain(
      'created from 2026-03-08T18:30:00.000Z until before 2026-03-09T18:30:00.000Z; zone Asia/Kolkata',
    );
  });
});
