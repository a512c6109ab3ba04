import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { MemoryInput } from '../../src/domain/inputs.ts';
import type { Loci } from '../../src/loci.ts';
import { open, type OpenOptions } from '../../src/open.ts';

const CODE = [
  "import { connect } from './net.ts';",
  '',
  'export function retry(times: number) {',
  '  for (let i = 0; i < times; i++) connect();',
  '}',
  '',
  'export const LIMIT = 5;',
  '',
].join('\n');

const opened: Loci[] = [];
afterEach(async () => {
  for (const loci of opened.splice(0)) await loci.close();
});

/** A repository with one source file, and what is wanted to change it. */
function project() {
  const outer = realpathSync(mkdtempSync(join(tmpdir(), 'loci-anchors-')));
  const root = join(outer, 'boat');
  mkdirSync(join(root, 'src'), { recursive: true });
  execFileSync('git', ['init', '-q', root]);
  const write = (text: string, path = 'src/retry.ts') => writeFileSync(join(root, path), text);
  write(CODE);
  return { outer, root, write };
}

const STORES: readonly [kind: string, name: (outer: string) => string][] = [
  ['in-memory', () => 'memory:'],
  ['sqlite', (outer) => `sqlite:${join(outer, 'store.db')}`],
  ['vault', (outer) => join(outer, 'vault')],
];

async function signals(loci: Loci, query = 'retries'): Promise<string[]> {
  const { results } = await loci.recall({ query, minScore: 0 });
  return results.flatMap((memory) =>
    memory.signals.map(({ kind, message }) => `${kind}: ${message}`),
  );
}

async function openAt(name: string, options: OpenOptions): Promise<Loci> {
  const loci = await open(name, options);
  opened.push(loci);
  return loci;
}

describe.each(STORES)('%s', (_kind, nameOf) => {
  const openIn = async (
    { outer, root }: { outer: string; root: string },
    ...memories: readonly MemoryInput[]
  ) => {
    const loci = await openAt(nameOf(outer), { cwd: root });
    if (memories.length > 0) await loci.remember([...memories]);
    return loci;
  };

  const RETRIES = { id: 'FACT-RETRIES', body: 'The number of retries is bounded.' };

  test('[I3] recall says when cited code has changed, moved or gone', async () => {
    const at = project();
    const loci = await openIn(at, { ...RETRIES, cites: ['src/retry.ts#retry', 'src/retry.ts:7'] });
    expect(await signals(loci)).toEqual([]);
    at.write(`// licence\n${CODE}`);
    expect(await signals(loci)).toEqual([
      'anchor: cites src/retry.ts#retry: moved to lines 4-6',
      'anchor: cites src/retry.ts:7: moved to lines 8',
    ]);
    at.write(CODE.replace('i < times', 'i <= times'));
    expect(await signals(loci)).toEqual(['anchor: cites src/retry.ts#retry: changed since']);
    at.write('export const LIMIT = 6;\n');
    expect(await signals(loci)).toEqual([
      'anchor: cites src/retry.ts#retry: gone',
      'anchor: cites src/retry.ts:7: changed since',
    ]);
    rmSync(join(at.root, 'src'), { recursive: true });
    expect(await signals(loci)).toEqual([
      'anchor: cites src/retry.ts#retry: gone',
      'anchor: cites src/retry.ts:7: gone',
    ]);
  });

  test('[I3] places in the text are cites where there is such a file', async () => {
    const at = project();
    const body = 'Retries: `src/retry.ts#retry`, src/retry.ts:7, `src/none.ts`, commit 1a2b3c4.';
    const loci = await openIn(at, { id: 'FACT-RETRIES', body });
    const { memories } = await loci.get({ ids: ['FACT-RETRIES'] });
    const hash = expect.stringMatching(/^[0-9a-f]{16}$/);
    expect(memories[0]?.cites).toEqual([
      { path: 'src/retry.ts', symbol: 'retry', lines: '3-5', hash, state: 'fresh' },
      { path: 'src/retry.ts', lines: '7', hash, state: 'fresh' },
      { commit: '1a2b3c4' },
    ]);
    await loci.update({ id: 'FACT-RETRIES', body: 'Retries: src/retry.ts:7 alone.' });
    const after = await loci.get({ ids: ['FACT-RETRIES'] });
    expect(after.memories[0]?.cites).toEqual([
      { path: 'src/retry.ts', lines: '7', hash, state: 'fresh' },
    ]);
    await loci.update({ id: 'FACT-RETRIES', body: 'No code at all.' });
    const none = await loci.get({ ids: ['FACT-RETRIES'] });
    expect(none.memories[0]).not.toHaveProperty('cites');
  });

  test('[I3] the commit that was checked out is kept; what is cited again counts anew', async () => {
    const at = project();
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', at.root, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
        encoding: 'utf8',
      }).trim();
    git('add', '.');
    git('commit', '-qm', 'one');
    const loci = await openIn(at, { ...RETRIES, cites: ['src/retry.ts#retry'] });
    const commit = git('rev-parse', 'HEAD');
    const cite = async () => (await loci.get({ ids: ['FACT-RETRIES'] })).memories[0]?.cites?.[0];
    expect(await cite()).toMatchObject({ commit, state: 'fresh' });
    at.write(CODE.replace('i < times', 'i <= times'));
    expect(await cite()).toMatchObject({ commit, state: 'changed' });
    await loci.update({ id: 'FACT-RETRIES', cites: ['src/retry.ts#retry'] });
    expect(await cite()).toMatchObject({ state: 'fresh' });
    expect((await loci.remember({ ...RETRIES, cites: ['src/retry.ts#retry'] })).results).toEqual([
      { id: 'FACT-RETRIES', outcome: 'unchanged' },
    ]);
  });

  test('[I3] lint lists what is outdated, doctor counts it', async () => {
    const at = project();
    const loci = await openIn(
      at,
      { ...RETRIES, cites: ['src/retry.ts#retry', 'src/retry.ts#LIMIT'] },
      { id: 'FACT-GONE', body: 'Something else.', cites: ['src/retry.ts#LIMIT'] },
    );
    expect((await loci.lint({ check: 'outdated_anchors' })).findings).toEqual([]);
    at.write(CODE.replace('i < times', 'i <= times').replace('LIMIT', 'MOST'));
    const { findings } = await loci.lint({ check: 'outdated_anchors' });
    expect(findings.map(({ ids: [id], message, fix }) => [id, message, fix])).toEqual([
      ['FACT-GONE', 'FACT-GONE cites src/retry.ts#LIMIT, which is gone', 'loci get FACT-GONE'],
      [
        'FACT-RETRIES',
        'FACT-RETRIES cites src/retry.ts#retry, which has changed since',
        'loci update FACT-RETRIES --cites src/retry.ts#retry,src/retry.ts#LIMIT',
      ],
      [
        'FACT-RETRIES',
        'FACT-RETRIES cites src/retry.ts#LIMIT, which is gone',
        'loci get FACT-RETRIES',
      ],
    ]);
    expect((await loci.doctor()).findings.filter(({ check }) => check === 'anchors')).toMatchObject(
      [{ message: '3 of 3 places in the code that memories cite have changed or are gone' }],
    );
  });

  test('[I3] nothing is said from outside of the folder, nor of another project', async () => {
    const at = project();
    const loci = await openIn(at, { ...RETRIES, cites: ['src/retry.ts#retry'] });
    rmSync(join(at.root, 'src'), { recursive: true });
    expect(await signals(loci)).toEqual(['anchor: cites src/retry.ts#retry: gone']);
    if (nameOf(at.outer) === 'memory:') return;
    await opened.pop()?.close();
    const elsewhere = await openAt(nameOf(at.outer), { cwd: at.outer, project: 'boat' });
    expect(await signals(elsewhere)).toEqual([]);
    const { memories } = await elsewhere.get({ ids: ['FACT-RETRIES'] });
    expect(memories[0]?.cites?.[0]).not.toHaveProperty('state');
    await opened.pop()?.close();
    const other = project();
    const beside = await openAt(nameOf(at.outer), { cwd: other.root, project: 'boat' });
    expect(await signals(beside)).toEqual([]);
  });

  test('[I3] what the code says today is not said of the past', async () => {
    const at = project();
    const loci = await openIn(at, { ...RETRIES, cites: ['src/retry.ts#retry'] });
    at.write('');
    const asOf = new Date(Date.now() + 1000).toISOString();
    const { results } = await loci.recall({ query: 'retries', minScore: 0, asOf });
    expect(results.map((memory) => memory.signals)).toEqual([[]]);
  });

  test('[I3] signals count in a token budget', async () => {
    const at = project();
    const loci = await openIn(at, { ...RETRIES, cites: ['src/retry.ts#retry'] });
    const tokens = async () =>
      (await loci.recall({ query: 'retries', maxTokens: 500 })).tokens_used;
    const before = await tokens();
    at.write('');
    expect(await tokens()).toBeGreaterThan(before);
  });

  test('[I3] a name that is nowhere is kept and said; one that leads out is refused', async () => {
    const at = project();
    symlinkSync('/etc', join(at.root, 'etc'));
    const loci = await openIn(at);
    const kept = await loci.remember({ body: 'Not yet.', cites: ['src/later.ts#soon'] });
    expect(kept.warnings).toEqual([`cites: there is no src/later.ts in ${at.root}`]);
    for (const cites of [['../x'], ['/etc/hosts'], ['etc/hosts'], ['a#b c']]) {
      await expect(
        loci.remember({ body: 'The tide gauge is read there.', cites }),
      ).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining('cites is '),
      });
    }
    const { results } = await loci.remember([
      { body: 'Bad.', cites: ['etc/hosts'] },
      { body: 'The gauge is read at noon.', cites: ['src/retry.ts'] },
    ]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['refused', 'stored']);
    const { id } = kept.results[0] ?? { id: '' };
    const changed = await loci.update({ id, cites: ['src/never.ts'] });
    expect(changed.warnings).toEqual([`cites: there is no src/never.ts in ${at.root}`]);
    const linked = await loci.remember({ body: 'A way out in the text: `etc/hosts`, `etc`.' });
    const { memories } = await loci.get({ ids: [linked.results[0]?.id ?? ''] });
    expect(memories[0]).not.toHaveProperty('cites');
  });

  test('[I3] [I1] cites survive a rebuild, and are in the hash of the state', async () => {
    const at = project();
    const loci = await openIn(at, { ...RETRIES, cites: ['src/retry.ts#retry'] });
    const { state_hash } = await loci.verify();
    expect((await loci.replay()).state_hash).toBe(state_hash);
    expect((await loci.reindex()).state_hash).toBe(state_hash);
    expect((await loci.verify()).problems).toEqual([]);
    await loci.update({ id: 'FACT-RETRIES', cites: [] });
    expect((await loci.verify()).state_hash).not.toBe(state_hash);
  });
});

test('[I3] a vault in the folder is about the folder, whatever its project is called', async () => {
  const { root, write } = project();
  rmSync(join(root, '.git'), { recursive: true });
  mkdirSync(join(root, '.loci'));
  const loci = await open(join(root, '.loci'), { cwd: root });
  opened.push(loci);
  await loci.remember({ body: 'The number of retries.', cites: ['src/retry.ts#retry'] });
  write('');
  expect(await signals(loci)).toEqual(['anchor: cites src/retry.ts#retry: gone']);
});
