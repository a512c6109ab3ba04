import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loci, lociJson, tempFolder } from './run-cli.ts';

const folder = tempFolder();
const at = (name: string): string => join(folder, name);

function remember(store: string, body: string, ...more: string[]): void {
  expect(loci(['remember', body, '-d', store, '-q', ...more]).code).toBe(0);
}

test('[B10] [H1] export streams to stdout, import takes it, exit code 1 tells of a bad line', () => {
  remember(at('a'), 'The keel is red.', '-p', 'boat');
  remember(at('a'), 'The garden is green.', '-p', 'garden');
  const all = loci(['export', '-d', at('a')]);
  expect(all.code).toBe(0);
  const [header = '', ...rows] = all.out.trimEnd().split('\n');
  expect(JSON.parse(header)).toMatchObject({ loci_export: 1, project: null });
  expect(rows.filter((row) => row.startsWith('{"event"'))).toHaveLength(2);
  const one = lociJson<{ file: string; inserted: unknown }>([
    'export',
    '-d',
    at('a'),
    '-p',
    'boat',
    '--out',
    at('boat.jsonl.gz'),
  ]);
  expect(one.json).toMatchObject({ file: at('boat.jsonl.gz'), inserted: { memories: 1 } });

  writeFileSync(at('bad.jsonl'), `${all.out}not a row\n`);
  const bad = lociJson(['import', at('bad.jsonl'), '-d', at('b')]);
  expect(bad.code).toBe(1);
  expect(bad.json).toMatchObject({
    inserted: { memories: 2, events: 2 },
    skipped: { memories: 0 },
    errors: [{ line: all.out.trimEnd().split('\n').length + 1 }],
  });
  const again = lociJson(['import', '--from', at('boat.jsonl.gz'), '-d', at('b'), '--dry-run']);
  expect(again).toMatchObject({
    code: 0,
    json: { inserted: { memories: 0 }, skipped: { memories: 1 }, errors: [], dry_run: true },
  });
  const missing = lociJson(['import', at('none'), '-d', at('b')]);
  expect(missing).toMatchObject({ code: 3, json: { error: { code: 'not_found' } } });
});

test('[B5] [H1] copy prints the hash that both stores have', () => {
  remember(at('v'), 'The mast is oak.');
  const name = `sqlite:${at('v.db')}`;
  const copied = lociJson<{ state_hash: string }>(['copy', '-d', at('v'), '--to', name]);
  expect(copied).toMatchObject({ code: 0, json: { inserted: { memories: 1 }, errors: [] } });
  const { json } = lociJson<{ state_hash: string }>(['verify', '--store', name]);
  expect(json.state_hash).toBe(copied.json.state_hash);
  expect(loci(['copy', '-d', at('v'), '--to', name]).out).toMatch(/the same in both/);
});

test('[B9] a backup is restored although the usual store is broken', () => {
  remember(at('w'), 'The rudder is loose.');
  const saved = lociJson<{ file: string; state_hash: string }>([
    'backup',
    '-d',
    at('w'),
    '--out',
    folder,
  ]);
  expect(saved.code).toBe(0);
  writeFileSync(at('broken.db'), 'This is no database at all. '.repeat(100));
  const env = { LOCI_STORE: `sqlite:${at('broken.db')}` };
  expect(loci(['status'], { env }).code).toBe(5);
  const restored = lociJson(['restore-backup', saved.json.file, '--to', at('w2')], { env });
  expect(restored).toMatchObject({
    code: 0,
    json: { proved: true, state_hash: saved.json.state_hash, to: at('w2') },
  });
});

test('[G2] [H1] migrate-isolation begins it, share and status --all-agents follow', () => {
  const store = at('agents');
  remember(store, 'Ann knows.', '-a', 'ann', '--id', 'FACT-ANNS-ONE');
  expect(lociJson(['share', 'FACT-ANNS-ONE', '--from', 'ann', '-d', store])).toMatchObject({
    code: 5,
    json: { error: { code: 'unsupported' } },
  });
  const migrate = ['migrate-isolation', '--strategy', 'partition', '-d', store];
  expect(lociJson([...migrate, '--dry-run']).json).toMatchObject({ private: 1, config: null });
  expect(existsSync(join(store, 'config.yaml'))).toBe(false);
  expect(lociJson(migrate).json).toMatchObject({ config: join(store, 'config.yaml') });
  expect(readFileSync(join(store, 'config.yaml'), 'utf8')).toBe('isolation: per-agent\n');
  expect(existsSync(join(store, 'agents/ann/ENTITIES/FACT-ANNS-ONE.md'))).toBe(true);
  expect(loci(['get', 'FACT-ANNS-ONE', '-d', store, '-a', 'bob']).code).toBe(3);
  const shared = lociJson(['share', 'FACT-ANNS-ONE', '--from', 'ann', '-d', store]);
  expect(shared.json).toMatchObject({ of: 'FACT-ANNS-ONE', outcome: 'shared' });
  expect(loci(['get', 'FACT-ANNS-ONE', '-d', store, '-a', 'bob']).code).toBe(0);
  expect(lociJson(['status', '--all-agents', '-d', store]).json).toMatchObject({
    agents: [
      { agent: null, total: 1 },
      { agent: 'ann', total: 1 },
    ],
  });
  expect(lociJson([...migrate.slice(0, 2), 'magic', '-d', store])).toMatchObject({ code: 2 });
  expect(lociJson(['remember', 'x', '-a', '../bob', '-d', store])).toMatchObject({ code: 2 });
});

test('[S1] what is named as a path leads where it says, and a folder is no file', () => {
  mkdirSync(at('folder'));
  for (const args of [
    ['import', at('folder')],
    ['export', '--out', at('folder')],
    ['restore-backup', at('folder'), '--to', at('never')],
  ]) {
    expect(lociJson([...args, '-d', at('p')])).toMatchObject({
      code: 2,
      json: { error: { code: 'invalid_input' } },
    });
  }
  expect(existsSync(at('never'))).toBe(false);
});
