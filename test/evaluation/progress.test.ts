import { homedir } from 'node:os';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { runEval } from '../../src/surfaces/cli/commands/eval.ts';
import type { Shell } from '../../src/surfaces/cli/shell.ts';
import { styleFor } from '../../src/surfaces/cli/terminal/style.ts';
import { MEMORIES, QUERIES, writeSet } from './support.ts';

/** What eval writes to stderr, on a terminal whose clock runs fast enough for every step. */
async function shown(isTerminal: boolean, quiet: boolean): Promise<string[]> {
  const written: string[] = [];
  const channel = { isTerminal, style: styleFor(false), width: 80 };
  let nowMs = 1000;
  const shell: Shell = {
    env: {},
    cwd: homedir(),
    out: { ...channel, write: () => {} },
    err: { ...channel, write: (text) => void written.push(text) },
    nowMs: () => (nowMs += 100),
    readInput: () => Promise.resolve(''),
  };
  await runEval(writeSet(MEMORIES, QUERIES), {}, { shell, shared: { quiet }, said: new Set() });
  return written;
}

test('eval shows how far it is on a terminal, and takes the bar off again', async () => {
  const written = await shown(true, false);
  const lines = written.map((text) => stripVTControlCharacters(text).trim());
  expect(lines[0]).toMatch(/^eval: storing ░+ 0\/6$/);
  expect(lines).toContainEqual(expect.stringMatching(/^eval: asking █+░+ 3\/6$/));
  expect(lines).toContainEqual(expect.stringMatching(/^eval: asking █+ 6\/6$/));
  expect(written.at(-1)).toBe('\r\u001b[K');
});

test('eval shows nothing when it is piped or quiet', async () => {
  expect(await shown(false, false)).toEqual([]);
  expect(await shown(true, true)).toEqual([]);
});
