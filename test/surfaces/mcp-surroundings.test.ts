// Where a server belongs: what hosts tell it, and what they leave empty.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connect, idsOf, tempFolder, type Launch } from './mcp-support.ts';

async function projectOf(launch: Launch): Promise<string> {
  const { call } = await connect({ ...launch, args: ['--surface', 'full'] });
  return (await call('status')).json.project;
}

function repository(name: string): string {
  const folder = join(tempFolder(), name);
  mkdirSync(join(folder, '.git'), { recursive: true });
  writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n');
  const remote = `[remote "origin"]\n\turl = git@example.org:team/${name}.git\n`;
  writeFileSync(join(folder, '.git/config'), remote);
  return folder;
}

test('the project is the one that the host names, else the folder it starts in', async () => {
  const [here, there] = [repository('here'), repository('there')];
  expect(await projectOf({ cwd: here })).toBe('here');
  expect(await projectOf({ cwd: here, env: { CLAUDE_PROJECT_DIR: there } })).toBe('there');
  expect(await projectOf({ cwd: here, env: { CLAUDE_PROJECT_DIR: '' } })).toBe('here');
  expect(await projectOf({ cwd: here, env: { LOCI_PROJECT: 'named' } })).toBe('named');
});

test('case N1: a relative store lies in the project of the host', async () => {
  const folder = tempFolder();
  const env = { CLAUDE_PROJECT_DIR: folder };
  const { call } = await connect({ store: './mem', env, args: ['--surface', 'full'] });
  await call('remember', { body: 'x' });
  expect((await call('status')).json.store).toBe(join(folder, 'mem'));
});

test('the surface of a store stands in its config.yaml', async () => {
  const store = join(tempFolder(), 'memory');
  mkdirSync(store, { recursive: true });
  writeFileSync(join(store, 'config.yaml'), 'surface: full\nproject: from-file\n');
  const { call } = await connect({ store });
  expect((await call('status')).json.project).toBe('from-file');
});

test('with isolation an agent has its own drawer, and its name is in the history', async () => {
  const store = join(tempFolder(), 'memory');
  const env = { LOCI_ISOLATION: 'per-agent' };
  const ada = await connect({ store, env: { ...env, LOCI_AGENT: 'ada' } });
  const bob = await connect({ store, env: { ...env, LOCI_AGENT: 'bob' } });
  const [id] = idsOf(await ada.call('remember', { body: 'Only for Ada' }));
  expect((await bob.call('recall', { query: 'Ada' })).json.results).toEqual([]);
  const { json } = await ada.call('get', { ids: [id], history: true });
  expect(json.memories[0]).toMatchObject({ agent: 'ada' });
  expect(json.memories[0].history[0].actor).toBe('ada');
});

test('[D3] an embedder that cannot be stops no server: it is a warning that says what can', async () => {
  const { call } = await connect({ env: { LOCI_EMBEDDER: 'opnai' } });
  expect((await call('remember', { body: 'We deploy on Fridays' })).isError).toBe(false);
  const { json, isError } = await call('recall', { query: 'deploy' });
  expect(isError).toBe(false);
  expect(json.results).toHaveLength(1);
  expect(json.warnings).toContainEqual(
    expect.stringMatching(
      /^embedder \(environment\) is "opnai" \(Did you mean openai\? Accepted: /,
    ),
  );
});
