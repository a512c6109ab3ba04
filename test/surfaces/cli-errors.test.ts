import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ERROR_CODES } from '../../src/domain/errors.ts';
import { EXIT_CODES } from '../../src/surfaces/cli/exit-codes.ts';
import { loci, LOCI, lociJson, tempFolder } from './run-cli.ts';

const folder = tempFolder();
const vault = join(folder, 'vault');
const at = ['-d', vault, '-p', 'demo'];

test('every code has its exit code', () => {
  expect(EXIT_CODES).toEqual({
    invalid_input: 2,
    not_found: 3,
    conflict: 4,
    busy: 4,
    unavailable: 5,
    unsupported: 5,
    denied: 5,
    corrupt: 5,
    cancelled: 130,
    internal: 70,
  });
  expect(Object.keys(EXIT_CODES).toSorted()).toEqual([...ERROR_CODES].toSorted());
});

describe('what the command line does not take', () => {
  test.each([
    [['recal', 'x'], /no command recal/, 'Did you mean loci recall?'],
    [['statsu'], /no command statsu/, 'Did you mean loci status?'],
    [['xyzzy'], /no command xyzzy/, 'See loci help.'],
    [['-p', 'demo'], /There is no command/, 'See loci help.'],
    [['recall', 'x', '--limt', '5'], /recall has no option --limt/, 'Did you mean --limit?'],
    [['recall', '--max_tokens=5'], /no option --max_tokens/, 'Did you mean --max-tokens?'],
    [['--jsn', 'recall'], /no option --jsn/, 'Did you mean --json?'],
    [['recall', '-x'], /no option -x/, /goes after --/],
    [['recall', '--limit'], /argument missing/, /loci help recall/],
    [['get'], /missing required argument 'ids'/, /loci help get/],
    [['relate', 'A', 'supports'], /missing required argument 'target'/, /loci help relate/],
    [['archive', 'A', 'B'], /too many arguments/, /loci help archive/],
    [['help', 'recal'], /no command recal/, 'Did you mean loci recall?'],
  ])('%j', (args, message, hint) => {
    const { code, out, err } = loci(args);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toMatch(message);
    expect(err).toMatch(hint);
    const { json } = lociJson<{ error: Record<string, string> }>(args);
    expect(json).toEqual({
      error: {
        code: 'invalid_input',
        message: expect.stringMatching(message),
        hint: expect.stringMatching(hint),
      },
    });
  });
});

describe('values out of their range', () => {
  test.each([
    [['recall', 'x', '--limit', '0'], /limit/],
    [['recall', 'x', '--limit', 'many'], /limit/],
    [['recall', 'x', '--min-score', '2'], /min_score/],
    [['recall', 'x', '--since', 'yesteday'], /since is "yesteday": Did you mean "yesterday"/],
    [['recall', 'x', '--zone', 'Europe/Berln'], /zone \(flag\) is "Europe\/Berln"/],
    [['recall', 'x', '--since', '2026-03-09', '--until', '2026-03-09'], /until/],
    [['search', '--mode', 'magic'], /mode/],
    [['search', '--sort', 'colour'], /sort/],
    [['remember', 'x', '--type', 'invalid_xyz'], /type/],
    [['remember', 'x', '--confidence', '1.5'], /confidence/],
    [['remember', 'x', '--status', 'gone'], /status/],
    [['remember', '   '], /body/],
    [['remember'], /body/],
    [['context', '--max-tokens', '1'], /max_tokens/],
  ])('%j', (args, message) => {
    const { code, json } = lociJson<{ error: Record<string, string> }>([...args, ...at]);
    expect(json.error).toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(message),
      hint: expect.any(String),
    });
    expect(code).toBe(2);
  });
});

describe('what is not there', () => {
  test.each([['update'], ['archive'], ['restore'], ['reject'], ['relations']])('%s', (verb) => {
    const { code, json } = lociJson([verb, 'FACT-2026-01-01-NOT-THERE', ...at]);
    expect(json).toMatchObject({ error: { code: 'not_found' } });
    expect(code).toBe(3);
  });

  test('relate to an unknown id', () => {
    const { json: stored } = lociJson<{ results: { id: string }[] }>(['remember', 'here', ...at]);
    const { code, json } = lociJson([
      'relate',
      stored.results[0]?.id ?? '',
      'supports',
      'FACT-2026-01-01-NOT-THERE',
      ...at,
    ]);
    expect(json).toMatchObject({ error: { code: 'not_found' } });
    expect(code).toBe(3);
  });

  test('get says which', () => {
    const { json: stored } = lociJson<{ results: { id: string }[] }>(['remember', 'too', ...at]);
    const id = stored.results[0]?.id ?? '';
    const none = lociJson(['get', 'NOPE-NOPE-NOPE', ...at]);
    expect(none).toMatchObject({ code: 3, json: { memories: [], missing: ['NOPE-NOPE-NOPE'] } });
    const one = lociJson(['get', id, 'NOPE-NOPE-NOPE', ...at]);
    expect(one).toMatchObject({
      code: 1,
      json: { memories: [{ id }], missing: ['NOPE-NOPE-NOPE'] },
    });
  });

  test('a file', () => {
    const { code, json } = lociJson(['remember', '--file', join(folder, 'none.md'), ...at]);
    expect(json).toMatchObject({ error: { code: 'not_found' } });
    expect(code).toBe(3);
  });
});

describe('a store that cannot be used', () => {
  test.each([
    ['postgres://127.0.0.1:9/x', 'unavailable', 5, /host and port/],
    ['mysql://x', 'invalid_input', 2, /sqlite:/],
  ])('%s', (store, errorCode, exitCode, hint) => {
    const { code, json } = lociJson(['status', '--store', store]);
    expect(json).toMatchObject({
      error: { code: errorCode, hint: expect.stringMatching(hint) },
    });
    expect(code).toBe(exitCode);
  });

  test('below a file', () => {
    writeFileSync(join(folder, 'file'), '');
    const { code, json } = lociJson(['remember', 'x', '-d', join(folder, 'file', 'vault')]);
    expect(json).toMatchObject({ error: { code: 'unavailable' } });
    expect(code).toBe(5);
  });

  test('where nobody may write, not even root', () => {
    const { code, json } = lociJson(['remember', 'x', '-d', '/sys/loci/vault']);
    expect(json).toMatchObject({ error: { code: 'unavailable' } });
    expect(code).toBe(5);
  });

  test('named twice', () => {
    const { code, json } = lociJson(['status', '-d', vault, '--store', 'memory:']);
    expect(json).toMatchObject({ error: { code: 'invalid_input' } });
    expect(code).toBe(2);
  });
});

describe('a shell that is', () => {
  test('in a folder that is gone: said, without a trace', () => {
    const gone = join(folder, 'gone');
    mkdirSync(gone);
    const command = `cd "$1" && rmdir "$1" && shift && exec "$@"`;
    const run = ['-c', command, 'sh', gone, process.execPath, LOCI, 'status'];
    const { status, stderr } = spawnSync('sh', run, { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({
      status: 5,
      stderr: 'error: the current folder is gone\nGo to one that is there.\n',
    });
  });

  test.skipIf(!existsSync('/dev/full'))('unable to take the answer: said, without a trace', () => {
    const run = ['-c', 'exec "$@" > /dev/full', 'sh', process.execPath, LOCI, '--help'];
    const { status, stderr } = spawnSync('sh', run, { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({
      status: 5,
      stderr:
        'error: the answer cannot be written (ENOSPC)\n' +
        'What was asked for may be done: look before you ask again.\n',
    });
  });
});

const isRoot = process.getuid?.() === 0;

test.skipIf(!isRoot)(
  `[M6] a note that may not be read keeps nobody from the others${isRoot ? '' : ' (needs root)'}`,
  () => {
    const [nobody, shared] = [65534, join(folder, 'shared')];
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [LOCI, ...args, '-d', shared, '-p', 'demo'], {
        uid: nobody,
        gid: nobody,
        cwd: '/',
        encoding: 'utf8',
      });
    chmodSync(folder, 0o777);
    expect(run('remember', 'The harbour opens at nine.').status).toBe(0);
    writeFileSync(join(shared, 'ENTITIES', 'mine.md'), 'Mine.\n', { mode: 0o600 });
    expect(run('recall', 'when does the harbour open').stdout).toContain('opens at nine');
    expect(run('verify').stdout).toContain('ENTITIES/mine.md, line 1: it cannot be read (EACCES)');
  },
);
