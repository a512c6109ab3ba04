import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loci, lociJson } from '../surfaces/run-cli.ts';

const HOURS = 'when does the harbour office open?';

/** A vault with a memory, and its id. */
function vault(): { dir: string; id: string } {
  const dir = join(mkdtempSync(join(homedir(), 'golden-')), 'memory');
  const body = 'The harbour office opens at nine.';
  const { json } = lociJson<{ results: { id: string }[] }>([
    'remember',
    body,
    '-d',
    dir,
    '-p',
    'boat',
  ]);
  return { dir, id: json.results[0]?.id ?? '' };
}

function git(cwd: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
  const done = spawnSync('git', [...identity, ...args], { cwd, encoding: 'utf8' });
  expect(done.stderr).toBe('');
  return done.stdout;
}

test('[I6] golden queries fail in CI when a memory is lost', () => {
  const { dir, id } = vault();
  const added = loci(['golden', '--add', HOURS, id, '-d', dir, '-p', 'boat']);
  expect(added.out).toBe(
    `Kept when-does-the-harbour-office-open in ${join(dir, 'golden.jsonl')}\n  ${id}: 1st today\n`,
  );
  expect(loci(['golden', '-d', dir]).code).toBe(0);
  expect(existsSync(join(dir, 'golden-baseline.jsonl'))).toBe(false);
  expect(lociJson(['golden', '-d', dir, '--update']).json).toMatchObject({
    updated: true,
    same: 1,
  });

  loci(['archive', id, '--reason', 'closed', '-d', dir, '-p', 'boat']);
  const failed = lociJson(['golden', '-d', dir]);
  expect(failed).toMatchObject({
    code: 1,
    err: '',
    json: {
      worse: 1,
      same: 0,
      recall: { 10: 0 },
      differences: [
        { query: HOURS, changes: [{ change: 'lost', ids: [id], was: 1, why: 'archived: closed' }] },
      ],
    },
  });
  const { code, out } = loci(['golden', '-d', dir]);
  expect(code).toBe(1);
  expect(out).toContain(`worse   when-does-the-harbour-office-open  ${HOURS}\n`);
  expect(out).toContain(`  lost ${id}: was 1st, archived: closed\n`);
  expect(out).toContain('If this is as it should be: loci golden --update');
  expect(loci(['golden', '-d', dir, '--update']).code).toBe(0);
  expect(loci(['golden', '-d', dir]).code).toBe(0);
});

test('[I6] a clone answers as the vault did, and git sees no change in it', () => {
  const { dir, id } = vault();
  git(dir, 'init', '-q');
  loci(['golden', '--add', HOURS, id, '-d', dir, '-p', 'boat']);
  loci(['golden', '-d', dir, '--update']);
  git(dir, 'add', '-A');
  git(dir, 'commit', '-q', '-m', 'Memories');
  const clone = join(dir, '..', 'clone');
  git(dir, 'clone', '-q', '.', clone);
  expect(lociJson(['golden', '-d', clone])).toMatchObject({ code: 0, json: { same: 1, worse: 0 } });
  expect(git(clone, 'status', '--porcelain')).toBe('');
  expect(git(dir, 'status', '--porcelain')).toBe('');
});

test('an SQLite store has its queries beside it, and any file can be named', () => {
  const folder = mkdtempSync(join(homedir(), 'golden-'));
  const store = `sqlite:${join(folder, 'memory.db')}`;
  const { json } = lociJson<{ results: { id: string }[] }>(['remember', 'x', '--store', store]);
  const [id = ''] = json.results.map((receipt) => receipt.id);
  expect(lociJson(['golden', '--add', 'what is x', id, '--store', store]).json).toMatchObject({
    file: join(folder, 'memory.golden.jsonl'),
  });
  loci(['golden', '--add', 'what is x', id, '--store', store, '--file', 'own.jsonl'], {
    cwd: folder,
  });
  const line = readFileSync(join(folder, 'own.jsonl'), 'utf8');
  expect(readFileSync(join(folder, 'memory.golden.jsonl'), 'utf8')).toBe(line);
  loci(['golden', '--update', '--store', store, '--file', 'own.jsonl'], { cwd: folder });
  expect(existsSync(join(folder, 'own-baseline.jsonl'))).toBe(true);
});

test('a store that is not there is not made', () => {
  const dir = join(mkdtempSync(join(homedir(), 'golden-')), 'memory');
  const file = join(dir, '..', 'q.jsonl');
  writeFileSync(file, '{"id":"a","project":"p","query":"q","relevant":{"m":2}}\n');
  expect(lociJson(['golden', '-d', dir, '--file', file])).toMatchObject({
    code: 1,
    json: { worse: 1, warnings: ['a: m is not in the store'] },
  });
  expect(existsSync(dir)).toBe(false);
});

test.each([
  [['golden'], 3, /no file ".*golden\.jsonl"/, /loci golden --add/],
  [['golden', 'FACT-1'], 2, /Ids are given/, /--add "QUESTION" ID/],
  [['golden', '--add', 'q'], 2, /given no memory/, /--add "QUESTION" ID/],
  [['golden', '--add', 'q', 'FACT-1', '--update'], 2, /--add and --update/, /--add "QUESTION" ID/],
  [['golden', '--add', 'q', 'FACT-1'], 3, /no memory "FACT-1"/, /loci recall/],
  [['golden', '--store', 'memory:'], 2, /no file beside memory:/, /--file/],
])('%j fails with %i', (args, code, message, hint) => {
  const done = lociJson<{ error: { message: string; hint: string } }>([...args]);
  expect(done.code).toBe(code);
  expect(done.json.error.message).toMatch(message);
  expect(done.json.error.hint).toMatch(hint);
});
