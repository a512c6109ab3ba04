import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { DoctorResult } from '../../src/domain/results.ts';
import { networkName } from '../../src/engines/shared/place.ts';
import type { Loci } from '../../src/loci.ts';
import { open, type OpenOptions } from '../../src/open.ts';
import { onEveryStore } from '../recall/stores.ts';

const opened: Loci[] = [];
afterEach(async () => {
  for (const loci of opened.splice(0)) await loci.close();
});

async function openVault(folder: string, options: OpenOptions = {}): Promise<Loci> {
  const loci = await open(folder, { project: 'boat', ...options });
  opened.push(loci);
  return loci;
}

function freshFolder(): string {
  return join(mkdtempSync(join(tmpdir(), 'loci-doctor-')), 'vault');
}

function checks({ examined }: DoctorResult): string[] {
  return examined.map(({ check, ok }) => (ok ? check : `${check}: not ok`));
}

onEveryStore((openWith) => {
  test('[E6] a sound store has nothing to find, and everything is looked at', async () => {
    const loci = await openWith(
      { id: 'FACT-ONE', body: 'One.' },
      { id: 'FACT-TWO', body: 'Two.', relations: [{ type: 'supports', target: 'FACT-ONE' }] },
    );
    const result = await loci.doctor();
    expect(result.findings).toEqual([]);
    expect(result.fixed).toEqual([]);
    expect(checks(result).filter((check) => !['schema', 'place'].includes(check))).toEqual([
      'store',
      'driver',
      'log',
      'files',
      'index',
      'links',
      'conflicts',
      'anchors',
      'embedder',
      'program',
      'config',
    ]);
  });

  test('[E6] memories that name what is not there', async () => {
    const there = { id: 'FACT-2026-03-09-THERE', body: 'There.' };
    const loci = await openWith(there, {
      id: 'FACT-NAMES',
      body: [
        'See FACT-2026-03-09-THERE, [[FACT-2026-03-09-THERE|that one]] and DECI-2026-03-09-GONE-7K2M.',
        'Compare [[PROC-LOST]] and the notes [[Roadmap|plan]], SHA-2026-03-09-X, FACT-SHEET.',
      ].join('\n'),
    });
    const { findings } = await loci.doctor();
    expect(findings.map(({ check, severity, message }) => [check, severity, message])).toEqual([
      ['links', 'warning', 'FACT-NAMES links to PROC-LOST, which is not there'],
      ['links', 'info', 'FACT-NAMES names DECI-2026-03-09-GONE-7K2M, which is not there'],
    ]);
  });
});

describe('[E6] a vault', () => {
  test('says which database library it uses, and where it lies', async () => {
    const loci = await openVault(freshFolder());
    await loci.remember({ body: 'One.' });
    const { examined } = await loci.doctor();
    const of = (check: string) => examined.find((one) => one.check === check)?.message;
    expect(of('driver')).toMatch(/^(better-sqlite3|node:sqlite) \d/);
    expect(of('schema')).toMatch(/^version \d+ of the tables, this program knows \d+$/);
    expect(of('place')).toMatch(/, can be written$/);
    expect(of('program')).toMatch(/Node \d+\.\d+/);
  });

  test('that is not made yet is not made by looking at it', async () => {
    const folder = freshFolder();
    const loci = await openVault(folder);
    const { examined, findings } = await loci.doctor();
    expect(findings).toEqual([]);
    expect(examined[0]?.message).toContain('not made yet');
    expect(statSync(folder, { throwIfNoEntry: false })).toBeUndefined();
  });

  test('[K5] a damaged index is said, and it has been built again', async () => {
    const folder = freshFolder();
    await (await openVault(folder)).remember([{ body: 'One.' }, { body: 'Two.' }]);
    await opened.pop()?.close();
    const index = join(folder, '.memory-index.db');
    const bytes = readFileSync(index);
    bytes.fill(0xa5, 0, 4096);
    writeFileSync(index, bytes);
    for (const end of ['-wal', '-shm']) rmSync(index + end, { force: true });
    const loci = await openVault(folder);
    expect((await loci.doctor()).findings).toEqual([
      {
        check: 'index',
        severity: 'warning',
        confidence: 1,
        ids: [],
        message: 'the index was damaged; it was built again from the log',
      },
    ]);
    expect((await loci.status()).memories.total).toBe(2);
    await opened.pop()?.close();
    expect((await (await openVault(folder)).doctor()).findings).toEqual([]);
  });

  test('a change that was not taken up is taken up by a fix', async () => {
    const folder = freshFolder();
    const loci = await openVault(folder);
    await loci.remember({ id: 'FACT-EDITED', body: 'Before.' });
    appendFileSync(join(folder, 'ENTITIES', 'FACT-EDITED.md'), 'And after.\n');
    const before = await loci.doctor();
    expect(before.findings.map(({ check, ids }) => [check, ids])).toEqual([
      ['files', ['FACT-EDITED']],
    ]);
    expect(before.findings[0]?.fix).toContain('loci reindex');
    const after = await loci.doctor({ fix: true });
    expect(after.findings).toEqual([]);
    expect(after.fixed).toEqual([
      { check: 'index', message: 'built the index again (memories: 1, edits taken up: 1)' },
    ]);
    const { memories } = await loci.get({ ids: ['FACT-EDITED'] });
    expect(memories[0]?.body).toBe('Before.\nAnd after.');
  });

  test('an event that was tampered with is found, and not mended', async () => {
    const folder = freshFolder();
    await (await openVault(folder)).remember({ id: 'FACT-TRUE', body: 'It is nine.' });
    await opened.pop()?.close();
    const log = join(folder, 'events.ndjson');
    writeFileSync(log, readFileSync(log, 'utf8').replace('It is nine.', 'It is five.'));
    const loci = await openVault(folder);
    const { findings } = await loci.doctor({ fix: true });
    expect(findings.find(({ check }) => check === 'log')).toMatchObject({
      severity: 'error',
      message: expect.stringContaining('does not match its digest'),
      fix: 'Restore events.ndjson from a backup or from git.',
    });
  });

  test('[N2] an embedder that is off is named with the reason, and nothing else suffers', async () => {
    const env = { LOCI_EMBEDDER: 'ollama', LOCI_EMBED_BASE_URL: 'http://127.0.0.1:9' };
    const loci = await openVault(freshFolder(), { env: { ...process.env, ...env } });
    await loci.remember({ body: 'One.' });
    const { findings, examined } = await loci.doctor({ fix: true });
    expect(findings.map(({ check }) => check)).toEqual(['embedder']);
    expect(findings[0]?.message).toMatch(
      /^ollama:\S+ is off, and nothing is found by its meaning: /,
    );
    const embedders = examined.filter(({ check }) => check === 'embedder');
    expect(embedders.map(({ ok }) => ok)).toEqual([true, false]);
    expect(examined.filter(({ ok }) => !ok).map(({ check }) => check)).toEqual(['embedder']);
  });

  test('[N2] without an embedder it says that words alone find', async () => {
    const loci = await openVault(freshFolder(), { embedder: 'none' });
    await loci.remember({ body: 'One.' });
    const { findings, examined } = await loci.doctor();
    expect(findings).toEqual([]);
    expect(examined.find(({ check }) => check === 'embedder')?.message).toBe(
      'none is configured: memories are found by their words alone',
    );
  });

  test('a setting that nothing reads is said', async () => {
    const env = { ...process.env, LOCI_EMBEDER: 'none' };
    const { findings } = await (await openVault(freshFolder(), { env })).doctor();
    expect(findings).toMatchObject([{ check: 'config', fix: 'loci config' }]);
    expect(findings[0]?.message).toContain('LOCI_EMBEDER');
  });
});

test('[E6] network file systems are told by what Linux calls them', () => {
  expect([0x6969, 0xfe534d42, 0xfe534d42 - 2 ** 32, 0xef53].map(networkName)).toEqual([
    'nfs',
    'smb2',
    'smb2',
    null,
  ]);
});
