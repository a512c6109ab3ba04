import { describe, expect, test } from 'vitest';
import { asksForJson, guarded, unguarded } from '../../src/surfaces/cli/arguments.ts';
import { inFileOrder, parseBatch } from '../../src/surfaces/cli/batch.ts';
import { exitCodeOf } from '../../src/surfaces/cli/exit-codes.ts';
import type { Shell } from '../../src/surfaces/cli/shell.ts';
import { plain, plainAll, plainJson } from '../../src/surfaces/cli/terminal/plain.ts';
import { progressBar } from '../../src/surfaces/cli/terminal/progress.ts';
import { styleFor, wantsColour } from '../../src/surfaces/cli/terminal/style.ts';
import { bar, table } from '../../src/surfaces/cli/terminal/table.ts';
import { age, moment } from '../../src/surfaces/cli/terminal/times.ts';
import { clip, displayWidth, wrap } from '../../src/surfaces/cli/terminal/width.ts';

const NUL = '\0';
const ESC = '\u001b';

describe('arguments', () => {
  test.each([
    ['- a list', true],
    ['---\ntitle: x\n---\nbody', true],
    ['-042', true],
    ['-SQLite', true],
    ['-5', true],
    ['--flag with blanks', true],
    ['-', false],
    ['--', false],
    ['--limit', false],
    ['--limit=5', false],
    ['--title=- a b', false],
    ['-d', false],
    ['-d./memory', false],
    ['-x', false],
    ['plain', false],
  ])('%j is text: %s', (argument, isText) => {
    const [mapped = ''] = guarded([argument]);
    expect(mapped).toBe(isText ? NUL + argument : argument);
    expect(unguarded(mapped)).toBe(argument);
  });

  test('what follows -- is text anyway', () => {
    expect(guarded(['a', '--', '-042'])).toEqual(['a', '--', '-042']);
    expect(asksForJson(['x', '--', '--json'])).toBe(false);
    expect(asksForJson(['--json', 'x'])).toBe(true);
  });
});

describe('a batch', () => {
  const text = [
    '{"body":"one","ttl_days":3,"external_id":"x"}',
    '',
    'no json',
    '{"body":"two","colour":"red"}',
    '["body"]',
    '{"body":"three","createdAt":"2026-01-01"}',
    '{"body":"four"}',
  ].join('\n');

  test('keeps what can be read and refuses the rest by line', () => {
    const batch = parseBatch(text);
    expect(batch.items).toEqual([{ body: 'one', ttlDays: 3, externalId: 'x' }, { body: 'four' }]);
    expect(batch.lines).toEqual([1, 7]);
    expect(batch.refused.map(({ line }) => line)).toEqual([3, 4, 5, 6]);
    expect(batch.refused.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^The line is no JSON: /),
      'The line has an unknown key: "colour"',
      'The line is no object: ["body"]',
      'The line has an unknown key: "createdAt"; did you mean "created_at"?',
    ]);
  });

  test('is answered in the order and with the lines of the file', () => {
    const { results, warnings } = inFileOrder(parseBatch(text), {
      results: [
        { id: 'A', outcome: 'stored', line: 1 },
        { id: '', outcome: 'refused', reason: 'bad', line: 2 },
      ],
      warnings: ['line 2: a NUL was dropped', 'note'],
    });
    expect(results.map(({ outcome, line }) => [outcome, line])).toEqual([
      ['stored', 1],
      ['refused', 3],
      ['refused', 4],
      ['refused', 5],
      ['refused', 6],
      ['refused', 7],
    ]);
    expect(warnings).toEqual(['line 7: a NUL was dropped', 'note']);
  });
});

function progressShown(isTerminal: boolean, isQuiet: boolean): string[] {
  const written: string[] = [];
  const channel = { isTerminal, style: styleFor(false), width: 80 };
  let nowMs = 1000;
  const shell: Shell = {
    env: {},
    cwd: '/',
    out: { ...channel, write: () => {} },
    err: { ...channel, write: (text) => written.push(text) },
    nowMs: () => (nowMs += 50),
    readInput: () => Promise.resolve(''),
  };
  const progress = progressBar(shell, 'reindex', isQuiet);
  for (let done = 1; done <= 4; done++) progress.update(done, 4);
  progress.clear();
  return written;
}

describe('progress', () => {
  test('is a bar on a terminal, now and then, and is taken off at the end', () => {
    expect(progressShown(true, false)).toEqual([
      `\r${ESC}[Kreindex ${bar(0.25, 24)} 1/4`,
      `\r${ESC}[Kreindex ${bar(0.75, 24)} 3/4`,
      `\r${ESC}[Kreindex ${bar(1, 24)} 4/4`,
      `\r${ESC}[K`,
    ]);
  });

  test('is silent elsewhere and with --quiet', () => {
    expect(progressShown(false, false)).toEqual([]);
    expect(progressShown(true, true)).toEqual([]);
  });
});

test.each([
  [{ results: [{ outcome: 'stored' }] }, 0],
  [{ results: [{ outcome: 'stored' }, { outcome: 'refused' }] }, 1],
  [{ results: [] }, 0],
  [{ memories: [{}], missing: [] }, 0],
  [{ memories: [{}], missing: ['x'] }, 1],
  [{ memories: [], missing: ['x'] }, 3],
  [{ problems: [] }, 0],
  [{ problems: [{ severity: 'info' }] }, 0],
  [{ problems: [{ severity: 'error' }] }, 1],
])('the exit code of %j is %i', (result, code) => {
  expect(exitCodeOf(result)).toBe(code);
});

describe('a terminal', () => {
  test('gets no control characters out of memories', () => {
    const evil = `a${ESC}[31mred${ESC}]0;title\u0007b\r\nc\rd\u009b2Je\u202ef\u0000`;
    expect(plain(evil)).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
    expect(plain('tab\tand\nline')).toBe('tab\tand\nline');
    expect(plainAll({ a: [evil], n: 1, z: null })).toMatchObject({ n: 1, z: null });
  });

  test('gets JSON that parses to the same text', () => {
    const text = 'a\u009b\u007fb\n';
    const json = plainJson(JSON.stringify({ text }, null, 2));
    expect(json).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(JSON.parse(json)).toEqual({ text });
  });

  test.each([
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: '1' }, true, false],
    [{ NO_COLOR: '' }, true, true],
    [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
    [{ FORCE_COLOR: '1' }, false, true],
    [{ FORCE_COLOR: '0' }, true, false],
    [{ TERM: 'dumb' }, true, false],
  ])('%j, terminal %s: colour %s', (env, isTerminal, expected) => {
    expect(wantsColour(env, isTerminal)).toBe(expected);
  });

  test.each([
    ['abc', 3],
    ['é', 1],
    ['e\u0301', 1],
    ['京都', 4],
    ['회의', 4],
    ['🚀', 2],
    ['👩‍👩‍👧', 2],
    [`${ESC}[1mab${ESC}[22m`, 2],
  ])('%j takes %i columns', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  test('Latin text takes as many columns by itself as beside other scripts', () => {
    const narrow = [
      [0x20, 0x7e],
      [0xa0, 0x2ff],
      [0x2010, 0x205e],
      [0x20a0, 0x20bf],
    ].flatMap(([first = 0, last = 0]) =>
      Array.from({ length: last - first + 1 }, (_, i) => String.fromCharCode(first + i)),
    );
    for (const char of narrow) {
      const text = `a${char}b`;
      expect([char, displayWidth(text)]).toEqual([char, displayWidth(`${text}京`) - 2]);
    }
    expect(clip('“naïve” – œuvre', 8)).toBe('“naïve”…');
  });

  test('cuts and wraps by columns', () => {
    expect(clip('京都で紅葉', 6)).toBe('京都…');
    expect(clip('short', 10)).toBe('short');
    expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrap('京都で紅葉', 4)).toEqual(['京都', 'で紅', '葉']);
    expect(wrap('a\n\nb', 7)).toEqual(['a', '', 'b']);
  });

  test('aligns wide and coloured cells', () => {
    const { bold } = styleFor(true);
    const lines = table(
      [
        { heading: 'ID', paint: bold },
        { heading: 'N', align: 'right' },
        { heading: 'TEXT', grows: true },
      ],
      [
        ['京都', '1', 'a text that is too long for this table'],
        ['abc', '22', 'b'],
      ],
      28,
      (text) => text,
    );
    expect(lines.map(displayWidth)).toEqual([14, 28, 11]);
    expect(lines[1]).toContain('a text that is to…');
  });

  test('draws bars from 0 to 1', () => {
    expect([bar(0, 4), bar(0.5, 4), bar(1, 4), bar(7, 4)]).toEqual([
      '░░░░',
      '██░░',
      '████',
      '████',
    ]);
  });

  test('reads dates to people', () => {
    const now = Date.parse('2026-03-09T12:00:00Z');
    expect(age('2026-03-06T12:00:00Z', now)).toBe('3 days ago');
    expect(age('2026-03-09T14:30:00Z', now)).toBe('in 2 hours');
    expect(age('2026-03-09T11:59:50Z', now)).toBe('just now');
    expect(moment('2026-03-09T16:00:00.000Z')).toBe('2026-03-09 16:00 UTC');
  });
});
