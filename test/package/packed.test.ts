// The package as its users get it: packed, then installed without anything optional or compiled.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const bin = (path: string) => join(root, 'node_modules', path);
const folder = mkdtempSync(join(tmpdir(), 'loci-packed-'));
const project = join(folder, 'node_modules/loci');
let tarball = '';

beforeAll(async () => {
  const { stdout } = await run(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
    { cwd: root },
  );
  tarball = join(folder, JSON.parse(stdout)[0].filename);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  await run(
    'npm',
    ['install', '--omit=optional', '--ignore-scripts', '--prefer-offline', '--no-audit', tarball],
    { cwd: folder },
  );
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the packed package', () => {
  test('can be imported', async () => {
    writeFileSync(
      join(folder, 'use.js'),
      "import { open } from 'loci';\nconsole.log(typeof open);\n",
    );
    const { stdout, stderr } = await run(process.execPath, ['use.js'], { cwd: folder });
    expect({ stdout, stderr }).toEqual({ stdout: 'function\n', stderr: '' });
  });

  test('brings the program', async () => {
    const { stdout } = await run(join(folder, 'node_modules/.bin/loci'), ['--help'], {
      cwd: folder,
    });
    expect(stdout).toContain('remember');
  });

  test('has types that compile without any other package', async () => {
    writeFileSync(
      join(folder, 'use.ts'),
      "import { open } from 'loci';\nexport const loci: Awaited<ReturnType<typeof open>> = await open('memory:');\n",
    );
    const args = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022'];
    const types = ['--types', 'node', '--typeRoots', bin('@types')];
    await run(process.execPath, [bin('typescript/bin/tsc'), ...args, ...types, 'use.ts'], {
      cwd: folder,
    });
  });

  test('passes publint', async () => {
    const { buffer } = new Uint8Array(readFileSync(tarball));
    const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg ?? {}))).toEqual([]);
  });

  test('passes attw', async () => {
    const attw = bin('@arethetypeswrong/cli/dist/index.js');
    const args = [attw, tarball, '--profile', 'esm-only', '--format', 'ascii', '--no-emoji'];
    const { stdout } = await run(process.execPath, args, { cwd: folder }); // rejects on a finding
    expect(stdout).toContain('node16 (from ESM): OK (ESM)');
  });

  test('holds what it should and stays small', async () => {
    const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--dry-run'], {
      cwd: root,
    });
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    const tops = new Set(files.map(({ path }) => path.split('/')[0]));
    expect([...tops].toSorted()).toEqual([
      'LICENSE',
      'README.md',
      'assets',
      'bin',
      'dist',
      'docs',
      'package.json',
    ]);
    const sizeKb = Math.round(statSync(tarball).size / 1024);
    console.log(`packed size: ${sizeKb} kB`);
    expect(sizeKb).toBeLessThan(10 * 1024); // most of it the word vectors
  });

  test('carries the licences of what it bundles', () => {
    const licences = readFileSync(join(project, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
    expect(licences).toContain('zod 4');
    expect(licences).toContain('Permission is hereby granted');
  });
});
