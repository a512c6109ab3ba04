import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sectionsOf } from '../../scripts/markdown-sections.mjs';
import { ROOT } from './pages.ts';

function quickstart(folder: string): string {
  const args = [join(ROOT, 'scripts', 'quickstart.mjs'), folder];
  return execFileSync(process.execPath, args, { encoding: 'utf8', cwd: homedir() });
}

test('fills a vault, asks it, and can be run again', () => {
  const folder = join(homedir(), 'quick start');
  const first = quickstart(folder);
  expect(first).toMatch(/^1\. Remembered the documentation of this project in .*quick start$/m);
  expect(first).toMatch(/^(\d+) stored of \1 sections$/m);
  expect(first).toMatch(
    /\? why is keyword search not left .*\n {2}! 2\. Keyword search of our own/,
  );
  expect(first).toMatch(
    /\? may the index be deleted\?\n {2}! Files of a vault: What may be deleted/,
  );
  expect(first).toMatch(/\? which Node .*\n {2}! 5\. Node's own SQLite/);
  expect(first).toContain(`-- node ${join(ROOT, 'bin', 'loci.js')} mcp`);
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(['ENTITIES', 'events.ndjson']));

  expect(quickstart(folder)).toMatch(/^(\d+) unchanged of \1 sections$/m);
}, 180_000); // it builds the program first, if need be

test('a page is split at its headings, not inside fences', () => {
  const page = [
    'Before.',
    '# One',
    'Text of `one`.',
    '## Two ##',
    '```sh',
    '# no heading',
    '```',
    '## Empty',
    '# One',
    'Again.',
  ].join('\n');
  expect(sectionsOf(page)).toEqual([
    { anchor: '', title: '', body: 'Before.' },
    { anchor: 'one', title: 'One', body: 'Text of `one`.' },
    { anchor: 'one-two', title: 'One: Two', body: '```sh\n# no heading\n```' },
    { anchor: 'one-1', title: 'One', body: 'Again.' },
  ]);
});
