import { once } from 'node:events';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { loci, lociJson, startLoci, tempFolder } from './run-cli.ts';

const ESC = '\u001b';
const folder = tempFolder();
const at = ['-d', join(folder, 'vault'), '-p', 'demo'];

describe('help', () => {
  // A store that cannot be opened: help must not try.
  const env = { LOCI_STORE: 'mysql://nowhere' };

  test.each([[[]], [['--help']], [['-h']], [['help']]])('%j lists the commands', (args) => {
    const { code, out, err } = loci(args, { env });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const heading of [
      'Find:',
      'Remember:',
      'Connect:',
      'Look after:',
      'Set up:',
      'Examples:',
    ]) {
      expect(out).toContain(`\n${heading}\n`);
    }
    expect(out).toMatch(/^ {2}recall \[query\.\.\.\] {2,}\w/m);
  });

  test.each([[['help', 'recall']], [['recall', '--help']], [['recall', '-h']]])('%j', (args) => {
    const { code, out } = loci(args, { env });
    expect(code).toBe(0);
    expect(out).toMatch(/^Usage: loci recall/);
    expect(out).toContain('--max-tokens <n>');
    expect(out).toContain('--dir <dir>');
    expect(out).toContain('loci recall "when do we deploy?"');
  });

  test('--version', () => {
    const { code, out } = loci(['--version'], { env });
    expect(code).toBe(0);
    expect(out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('answers for a person', () => {
  const evil = `hidden ${ESC}[2J${ESC}]0;owned\u0007\u009b31mred`;
  let id = '';
  beforeAll(() => {
    const { json } = lociJson<{ results: { id: string }[] }>([
      'remember',
      `The 京都 office opens at nine\n${evil}`,
      '--title',
      'Opening 時間',
      '--type',
      'decision',
      '--tags',
      'office',
      ...at,
    ]);
    id = json.results[0]?.id ?? '';
  });

  test('recall shows rank, score, id, type, age and text', () => {
    const { code, out } = loci(['recall', 'when does the office open', ...at]);
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^ 1 [█░]{10} 0\\.\\d\\d  ${id}$`, 'm'));
    expect(out).toMatch(/^ {3}decision · just now · demo · #office$/m);
    expect(out).toContain('The 京都 office opens at nine');
    expect(out).toMatch(/^1 memory, \d+ tokens, newest just now$/m);
  });

  test('recall --explain shows what each word brought', () => {
    const { out } = loci(['recall', 'office', 'opens', '--explain', ...at]);
    expect(out).toMatch(/^ {3}word +part +memories$/m);
    expect(out).toMatch(/^ {3}offic\w* +[█░]{10} +\d\.\d{3} +1$/m);
    expect(out).toMatch(/^ {3}words +[█░]{10} +\d\.\d{3}$/m);
    expect(out).toMatch(/^ {3}meaning, builtin:words \(cosine -?\d\.\d\d\) +[█░]{10} +/m);
  });

  test('[I7] recall --explain counts what was left out, --why-not says where one was lost', () => {
    const { out } = loci(['recall', 'office', 'opens', '--explain', '--min-score=1', ...at]);
    expect(out).toMatch(/^Nothing found\.$/m);
    expect(out).toMatch(/^left out by +memories$/m);
    expect(out).toMatch(/^below min score +█{10} +1$/m);
    const asked = ['recall', 'office', 'opens', '--why-not', id, ...at];
    expect(loci(asked).out).toContain(`${id}: It is in the answer, at place 1.`);
    const weak = loci([...asked, '--min-score', '1']).out;
    expect(weak).toMatch(
      new RegExp(`^${id}: Its score is 0\\.\\d\\d, and min_score is 1\\.$`, 'm'),
    );
  });

  test('[I9] a match of little that was asked is called weak', () => {
    const { out } = loci(['recall', 'office dragons zeppelins', '--min-score', '0', ...at]);
    expect(out).toMatch(/^The best of these matches little of the question\.$/m);
    expect(out).toMatch(/^No memory holds: dragons, zeppelins$/m);
  });

  test('search is a table', () => {
    const { out } = loci(['search', '--tags', 'office', ...at]);
    const [heading = '', row = '', total] = out.split('\n');
    expect(heading).toMatch(/^ID +TYPE +CREATED +STATUS +MEMORY$/);
    expect(row.indexOf('decision')).toBe(heading.indexOf('TYPE'));
    expect(row).toContain('Opening 時間');
    expect(total).toBe('1 of 1 memory');
  });

  test('get shows the whole memory', () => {
    const { out } = loci(['get', id, '--history', '--relations', ...at]);
    expect(out).toMatch(new RegExp(`^${id}  Opening 時間$`, 'm'));
    expect(out).toMatch(/^status +active$/m);
    expect(out).toMatch(/^created +\d{4}-\d\d-\d\d \d\d:\d\d UTC \(just now\)$/m);
    expect(out).toMatch(/^History$/m);
  });

  test('status shows the absolute path of the store', () => {
    const { out } = loci(['status', '-d', 'vault'], { cwd: folder });
    expect(out).toMatch(new RegExp(`^store +${join(folder, 'vault')}$`, 'm'));
  });

  test('nothing found is said', () => {
    expect(loci(['recall', 'zyzzyva', ...at])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Nothing found\./),
    });
  });

  test.each([
    ['recall', ['office'], 'hidden'],
    ['get', ['ID'], 'hidden'],
    ['search', ['office'], 'Opening'],
    ['context', [], 'hidden'],
  ])('no escape sequence of a memory gets through %s', (verb, args, shown) => {
    const { out } = loci([verb, ...args.map((word) => (word === 'ID' ? id : word)), ...at]);
    expect(out).toContain(shown);
    expect(out).not.toMatch(/(?![\n\t])\p{Cc}/u);
  });

  test('no colour in a pipe, with FORCE_COLOR there is', () => {
    expect(loci(['recall', 'office', ...at]).out).not.toContain(ESC);
    const forced = loci(['recall', 'office', ...at], { env: { FORCE_COLOR: '1' } }).out;
    expect(forced).toContain(`${ESC}[1m${id}${ESC}[22m`);
    const both = loci(['recall', 'office', ...at], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } });
    expect(both.out).not.toContain(ESC);
  });
});

describe('JSON', () => {
  test.each([
    [['--json', ...at, 'status']],
    [[...at, 'status', '--json']],
    [['status', '--json', ...at]],
    [['-p', 'other', 'status', '--json', ...at]],
  ])('options stand anywhere: %j', (args) => {
    const { code, out, err } = loci(args);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toMatchObject({ project: 'demo' });
  });

  test('is one line when piped', () => {
    expect(loci(['status', '--json', ...at]).out.trimEnd()).not.toContain('\n');
  });
});

describe('processes', () => {
  test('a reader that leaves early is no failure', async () => {
    const lines = Array.from({ length: 400 }, (_, i) =>
      JSON.stringify({ body: `long ${i} ${'word '.repeat(200)}` }),
    );
    loci(['remember', '--batch', '-', ...at], { input: lines.join('\n') });
    const child = startLoci(['search', 'long', '--limit', '400', '--json', ...at]);
    const exited = once(child, 'exit') as Promise<[number | null]>;
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.stdout.once('data', () => child.stdout.destroy());
    const [code] = await exited;
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });

  test('an interrupt ends it as interrupts do', async () => {
    const child = startLoci(['remember', '-', ...at]);
    const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
    await new Promise((resolve) => setTimeout(resolve, 800));
    child.kill('SIGINT');
    const [code, signal] = await exited;
    expect([130, 'SIGINT']).toContain(code ?? signal);
  });
});
