// What bin/kept-code.js keeps between runs makes a start shorter, and may never change an answer.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const bin = fileURLToPath(new URL('../../bin', import.meta.url));
const PROGRAM = bundle('process.stdout.write(`one ${process.argv.slice(2)}`)');

let folder = '';

/** As scripts/build.mjs makes it. */
function bundle(body: string): string {
  return `(function (require, moduleUrl) {\n${body};\n})`;
}

const program = () => join(folder, 'dist/program.js');
const compiled = () => join(folder, 'dist/compiled');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loci-kept-'));
  cpSync(bin, join(folder, 'bin'), { recursive: true });
  cpSync(join(bin, '../package.json'), join(folder, 'package.json'));
  write(PROGRAM);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(text: string): void {
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  mkdirSync(join(folder, 'dist'));
  writeFileSync(program(), text);
}

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(folder, 'bin/loci.js'), ...args],
    { encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
const answer = (stdout: string) => ({ status: 0, stdout, stderr: '' });
const here = `${process.version}-${process.arch}`;
const kept = () => readFileSync(join(compiled(), `status-${here}`));

test('each command has code of its own, which the next run takes', () => {
  expect(run('status')).toEqual(answer('one status'));
  expect(run('get', 'A')).toEqual(answer('one get,A'));
  expect(run('--version')).toEqual(answer('one --version'));
  expect(readdirSync(compiled()).toSorted()).toEqual([
    `get-${here}`,
    `loci-${here}`,
    `status-${here}`,
  ]);
  const before = kept();
  expect(run('status')).toEqual(answer('one status'));
  expect(kept().equals(before)).toBe(true);
});

test('once a day it is kept anew, for the run before may have done little', () => {
  run('status');
  const file = join(compiled(), `status-${here}`);
  utimesSync(file, hoursAgo(23), hoursAgo(23));
  expect(run('status')).toEqual(answer('one status'));
  expect(statSync(file).mtimeMs).toBeLessThan(hoursAgo(22).getTime());
  utimesSync(file, hoursAgo(25), hoursAgo(25));
  expect(run('status')).toEqual(answer('one status'));
  expect(statSync(file).mtimeMs).toBeGreaterThan(hoursAgo(1).getTime());
});

test('the code of a server is kept while it runs, and not again at its end', () => {
  write(bundle("setTimeout(() => require('node:fs').rmSync(process.argv[2]), 500)"));
  const start = join(folder, 'start.cjs');
  writeFileSync(start, "require('./bin/kept-code.js').runKept(process.argv[3], 'mcp', 50);\n");
  const file = join(compiled(), `mcp-${here}`);
  const { status, stderr } = spawnSync(process.execPath, [start, file, program()]);
  // It was there to be removed, and is not there.
  expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: '' });
  expect(existsSync(file)).toBe(false);
});

test('a program that failed keeps nothing', () => {
  write(bundle('process.exitCode = 3'));
  expect(run('stauts').status).toBe(3);
  expect(() => readdirSync(compiled())).toThrow('ENOENT');
});

test('code of another program is not taken, even if that is as long', () => {
  run('status');
  writeFileSync(program(), PROGRAM.replace('one', 'two'));
  expect(run('status')).toEqual(answer('two status'));
  expect(run('status')).toEqual(answer('two status'));
});

// V8 looks at the head only: it would run into the damage, or run it.
test.each(['cut', 'damaged in the middle', 'empty'])('code that is %s is made anew', (how) => {
  run('status');
  const whole = kept();
  const damaged = Buffer.from(whole);
  const middle = damaged.length >> 1;
  damaged.fill(0x55, middle, middle + 64);
  const files = { cut: whole.subarray(0, middle), 'damaged in the middle': damaged };
  const file = files[how as keyof typeof files] ?? Buffer.alloc(0);
  writeFileSync(join(compiled(), `status-${here}`), file);
  expect(run('status')).toEqual(answer('one status'));
  expect(kept().equals(file)).toBe(false);
  expect(run('status')).toEqual(answer('one status'));
});

test('where nothing can be kept it runs all the same', () => {
  writeFileSync(compiled(), 'a file where the folder would be');
  expect(run('status')).toEqual(answer('one status'));
});

test('what the program requires is found from where it lies', () => {
  write(bundle("process.stdout.write(require('./late.cjs') + moduleUrl.slice(0, 5))"));
  writeFileSync(join(folder, 'dist/late.cjs'), "module.exports = 'late';\n");
  expect(run('status')).toEqual(answer('latefile:'));
  expect(run('status')).toEqual(answer('latefile:'));
});
