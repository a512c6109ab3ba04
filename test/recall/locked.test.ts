import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { open } from '../../src/open.ts';
import { holdLock } from '../engines/processes.ts';

const folder = mkdtempSync(join(tmpdir(), 'loci-locked-'));
const VAULT = join(folder, 'vault');
const FILE = join(folder, 'store.db');

describe.each([
  ['vault', VAULT, join(VAULT, '.loci-lock.db')],
  ['sqlite', `sqlite:${FILE}`, FILE],
])('%s, while another process writes', (_kind, name, lock) => {
  test('recall answers at once, also for memories whose tokens were never counted', async () => {
    const writer = await open(name, { project: 'boat' });
    await writer.remember({ body: 'The anchor is red.' });
    // Closed before the pause in which it would have been counted.
    await writer.close();
    const holder = holdLock(lock, 3000);
    await holder.printed(1);
    const reader = await open(name, { project: 'boat' });
    const start = performance.now();
    const { results, tokens_used } = await reader.recall({ query: 'anchor' });
    expect(performance.now() - start).toBeLessThan(2000);
    expect(results.map(({ body }) => body)).toEqual(['The anchor is red.']);
    expect(tokens_used).toBeGreaterThan(30);

    // A write of this very process that waits for the lock does not hold it up either.
    const written = reader.remember({ body: 'The anchor is heavy.' });
    const again = performance.now();
    expect((await reader.recall({ query: 'red' })).results).toHaveLength(1);
    expect(performance.now() - again).toBeLessThan(1000);
    expect((await written).results).toMatchObject([{ outcome: 'stored' }]);
    expect(await holder.ended).toBe(0);
    await reader.close();
  });
});
