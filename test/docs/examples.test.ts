import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fencesOf, pages, readPage, ROOT } from './pages.ts';

interface Step {
  readonly command: string;
  /** What the page shows; '' when it shows nothing. */
  readonly output: string;
  readonly line: number;
}

/** `loci` as it is installed. */
const bin = join(homedir(), 'bin');
mkdirSync(bin, { recursive: true });
const shim = join(bin, 'loci');
writeFileSync(
  shim,
  `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'bin', 'loci.js')}" "$@"\n`,
);
chmodSync(shim, 0o755);

/** The commands of all `console` fences, in order, each with what it prints. */
function stepsOf(page: string): Step[] {
  return fencesOf(readPage(page))
    .filter(({ language, text }) => ['console', 'sh'].includes(language) && /^\$ /m.test(text))
    .flatMap(({ text, line }) =>
      [...text.matchAll(/^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)/gm)].map(
        ([whole, command = '', output = '']) => ({
          command,
          output,
          line: line + text.slice(0, text.indexOf(whole)).split('\n').length - 1,
        }),
      ),
    );
}

const ID = /\b[A-Z]{4}-\d{4}-\d{2}-\d{2}-[A-Z0-9-]+-[0-9A-Z]{4}\b/g;

/** Dates, random endings of ids, hashes, token counts (ids have tokens) and the folder vary. */
function normalised(text: string, folder: string): string {
  return text
    .replaceAll(folder, '/home/you/boat')
    .replace(/\b\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'TIME')
    .replace(ID, (id) => `${id.slice(0, 4)}-DATE-${id.slice(16, -5)}-XXXX`)
    .replace(/\b\d{4}-\d{2}-\d{2}\b/g, 'DATE')
    .replace(/\b[0-9a-f]{64}\b/g, 'HASH')
    .replace(/\b\d+ tokens\b/g, 'N tokens')
    .trimEnd();
}

function newFolder(): string {
  const folder = join(mkdtempSync(join(homedir(), 'docs-')), 'boat');
  mkdirSync(folder);
  return realpathSync(folder);
}

const withExamples = pages().filter((page) => stepsOf(page).length > 0);

describe.each(withExamples)('%s', (page) => {
  test('its commands print what it shows', () => {
    const folder = newFolder();
    const { LOCI_STORE: _, ...outer } = process.env;
    const env = { ...outer, PATH: `${bin}${delimiter}${process.env.PATH}` };
    const idFor = new Map<string, string>(); // by the one that the page shows
    for (const { command, output, line } of stepsOf(page)) {
      const actual = command.replace(ID, (id) => idFor.get(id) ?? id);
      const done = spawnSync('/bin/sh', ['-c', actual], { cwd: folder, env, encoding: 'utf8' });
      expect(done.stderr, `${page}:${line}: ${command}`).toBe('');
      if (output === '') continue;
      expect(normalised(done.stdout, folder), `${page}:${line}: ${command}`).toBe(
        normalised(output, folder),
      );
      const printed = done.stdout.match(ID) ?? [];
      (output.match(ID) ?? []).forEach((id, i) => idFor.set(id, printed[i] ?? id));
    }
  });
});

test('README and the docs have examples', () => {
  expect(withExamples).toEqual(
    expect.arrayContaining(['README.md', 'docs/files.md', 'docs/evaluation.md']),
  );
});

/** A program in a page, and the lines that its comments say it prints. */
const programs = pages().flatMap((page) =>
  fencesOf(readPage(page))
    .filter(({ language, text }) => language === 'js' && text.includes("from 'loci'"))
    .map(({ text, line }) => ({ where: `${page}:${line}`, text })),
);

test.each(programs)('the program at $where runs', ({ text }) => {
  const folder = newFolder();
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules', 'loci'), 'dir');
  writeFileSync(join(folder, 'program.mjs'), text);
  const printed = execFileSync(process.execPath, ['program.mjs'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const promised = [...text.matchAll(/\/\/ prints: (.*)$/gm)].map(([, line = '']) => line);
  expect(normalised(printed, folder)).toBe(normalised(promised.join('\n'), folder));
});

test('[H2] the README shows the library', () => {
  expect(programs.map(({ where }) => where.split(':')[0])).toContain('README.md');
});
