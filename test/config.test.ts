import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { resolveConfig, type ConfigRequest } from '../src/config.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'loci-config-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const resolve = (request: ConfigRequest = {}) =>
  resolveConfig({ env: { HOME: '/home/ada' }, cwd: folder, ...request });

describe('[H9] where a value comes from', () => {
  test('flag, environment, .env, config.yaml, default, in this order', async () => {
    const store = join(folder, 'memory');
    mkdirSync(store);
    const asked = async (flags: object, env: object) =>
      (await resolve({ flags: { store, ...flags }, env: env as Record<string, string> })).project;

    expect(await asked({}, {})).toEqual({ name: 'global' });
    writeFileSync(join(store, 'config.yaml'), 'project: from-file\n');
    expect(await asked({}, {})).toEqual({ name: 'from-file' });
    writeFileSync(join(folder, '.env'), 'LOCI_PROJECT=from-dot-env\n');
    expect(await asked({}, {})).toEqual({ name: 'from-dot-env' });
    expect(await asked({}, { LOCI_PROJECT: 'from-environment' })).toEqual({
      name: 'from-environment',
    });
    expect(await asked({ project: 'from-flag' }, { LOCI_PROJECT: 'from-environment' })).toEqual({
      name: 'from-flag',
    });
  });

  test('each value says where it is from', async () => {
    writeFileSync(join(folder, '.env'), 'LOCI_AGENT=bob\n');
    const { origins, agent } = await resolve({
      flags: { store: 'mem' },
      env: { LOCI_SURFACE: 'full' },
    });
    expect(agent).toBe('bob');
    expect(origins).toEqual({
      store: 'flag',
      project: 'default',
      agent: '.env',
      isolation: 'default',
      surface: 'environment',
      embedder: 'default',
      zone: 'default',
      secrets: 'default',
      weights: 'default',
      embed_model: 'default',
      embed_base_url: 'default',
      embed_api_key: 'default',
      embed_dimensions: 'default',
      embed_timeout_ms: 'default',
    });
  });

  test('empty and blank values are not set', async () => {
    const { store, project, agent, surface } = await resolve({
      flags: { project: '' },
      env: { HOME: '/home/ada', LOCI_STORE: '', LOCI_AGENT: '  ', LOCI_SURFACE: '' },
    });
    expect({ project, agent, surface }).toEqual({
      project: { name: 'global' },
      agent: undefined,
      surface: 'core',
    });
    expect(store.path).toBe('/home/ada/.local/share/loci/memory');
  });
});

describe('the store', () => {
  test.each([
    ['./mem', 'vault', '<cwd>/mem'],
    ['mem', 'vault', '<cwd>/mem'],
    ['/tmp/new/a b/mem', 'vault', '/tmp/new/a b/mem'],
    ['~/mem', 'vault', '/home/ada/mem'],
    ['~', 'vault', '/home/ada'],
    ['file:mem', 'vault', '<cwd>/mem'],
    ['file:///tmp/a%20b', 'vault', '/tmp/a b'],
    ['sqlite:./m.db', 'sqlite', '<cwd>/m.db'],
    ['sqlite:~/m.db', 'sqlite', '/home/ada/m.db'],
    ['sqlite:///tmp/m.db', 'sqlite', '/tmp/m.db'],
    ['memory:', 'memory', ''],
  ])('%s', async (name, kind, path) => {
    const { store } = await resolve({ flags: { store: name } });
    expect(store).toMatchObject({ kind, path: path.replace('<cwd>', folder) });
  });

  test('is named the same from anywhere by its url', async () => {
    for (const name of ['./mem', 'sqlite:m.db', 'memory:']) {
      const { store } = await resolve({ flags: { store: name } });
      expect((await resolve({ flags: { store: store.url }, cwd: '/' })).store).toEqual(store);
    }
  });

  test('without a name it is the nearest .loci folder, else the user’s', async () => {
    const deep = join(folder, 'a', 'b');
    mkdirSync(deep, { recursive: true });
    const env = { HOME: '/home/ada', XDG_DATA_HOME: '/data' };
    expect((await resolve({ cwd: deep, env })).store.path).toBe('/data/loci/memory');
    expect((await resolve({ cwd: deep, env: { ...env, XDG_DATA_HOME: 'here' } })).store.path).toBe(
      '/home/ada/.local/share/loci/memory',
    );
    mkdirSync(join(folder, '.loci'));
    const found = await resolve({ cwd: deep, env });
    expect(found.store.path).toBe(join(folder, '.loci'));
    expect(found.origins.store).toBe('.loci folder');
  });

  test.each([
    ['mysql://x', 'invalid_input', /unknown scheme: mysql:/, /sqlite:/],
    ['sqlite:', 'invalid_input', /no path/, /sqlite:/],
  ])('%s is refused', async (name, code, message, hint) => {
    await expect(resolve({ flags: { store: name } })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    });
  });

  test('a file is no vault and a folder no SQLite store', async () => {
    writeFileSync(join(folder, 'm.db'), '');
    await expect(resolve({ flags: { store: 'm.db' } })).rejects.toMatchObject({
      code: 'invalid_input',
      hint: `For an SQLite store give sqlite:${join(folder, 'm.db')}`,
    });
    await expect(resolve({ flags: { store: `sqlite:${folder}` } })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });
});

describe('what is not right', () => {
  test('an unknown LOCI_ variable is a warning with the nearest name', async () => {
    writeFileSync(join(folder, '.env'), 'LOCI_PROJET=x\nOTHER=1\n');
    const { warnings } = await resolve({
      env: { LOCI_STROE: '/x', LOCI_EMPTY: '', LOCI_CLASSIFY_MODEL: 'm', LOCI_XYZZYXYZZY: '1' },
    });
    expect(warnings).toEqual([
      'LOCI_STROE (environment) is not a variable of Loci; did you mean LOCI_STORE?',
      'LOCI_XYZZYXYZZY (environment) is not a variable of Loci',
      'LOCI_PROJET (.env) is not a variable of Loci; did you mean LOCI_PROJECT?',
    ]);
  });

  test.each([
    [{ isolation: 'per-agnt' }, /isolation \(flag\) is "per-agnt"/, 'Did you mean per-agent?'],
    [{ surface: 'everything' }, /surface/, 'It is one of core, full.'],
    [{ zone: 'Asia/Kolkatta' }, /zone \(flag\) is "Asia\/Kolkatta"/, /^Did you mean Asia\//],
    [{ agent: 'a/b' }, /agent is "a\/b"/, /letters, digits, dashes and underscores/],
  ])('%j', async (flags, message, hint) => {
    await expect(resolve({ flags })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    });
  });
});

function withFile(text: string) {
  mkdirSync(join(folder, 'mem'), { recursive: true });
  writeFileSync(join(folder, 'mem', 'config.yaml'), text);
  return resolve({ flags: { store: 'mem' } });
}

describe('config.yaml', () => {
  test.each([
    ['isolation: per-agent\nagent: bob # us\n', { isolation: 'per-agent', agent: 'bob' }],
    ['\uFEFFisolation: per-agent\r\n', { isolation: 'per-agent' }],
    ['project: "My: Project"\n', { project: { name: 'My: Project' } }],
    ['nested:\n  isolation: per-agent\n', { isolation: 'shared' }],
    ["isolation: 'per-agent'\nlist: [1, 2]\n", { isolation: 'per-agent' }],
    ['project: 2026\n', { project: { name: '2026' } }],
    ['# nothing\n', { project: { name: 'global' } }],
    ['', { isolation: 'shared' }],
  ])('%j', async (text, expected) => {
    expect(await withFile(text)).toMatchObject(expected);
  });

  test('keys of other programs are theirs; a slip is a warning', async () => {
    expect((await withFile('recency_weight: 3\n')).warnings).toEqual([]);
    expect((await withFile('isolaton: per-agent\n')).warnings).toEqual([
      expect.stringMatching(/isolaton is not a setting; did you mean isolation\?$/),
    ]);
  });

  test.each([
    ['isolation: [per-agent\n', /config\.yaml:\d: /],
    ['isolation:\n  a: b\n', /isolation is not a word/],
    ['isolation: sometimes\n', /isolation \(config\.yaml\)/],
    ['- a\n', /is not a map/],
    ['a: &x [1]\nb: *x\n', /has aliases/],
  ])('%j is refused: it may decide who sees what', async (text, message) => {
    await expect(withFile(text)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(message),
    });
  });
});

test.each([
  ['A=1', { A: '1' }],
  ['export A=1\r\nB = two words # note\n', { A: '1', B: 'two words' }],
  ['A="x # y\\n\\"z\\""\nB=\'$A \\n\'', { A: 'x # y\n"z"', B: '$A \\n' }],
  ['# A=1\nnonsense\nA=\n', { A: '' }],
  ['A="two\nlines"\nB=#none', { A: 'two\nlines', B: '' }],
  ['A="open\nB=1', { A: '"open', B: '1' }],
])('.env: %j', async (text, expected) => {
  const { parseDotEnv } = await import('../src/config/dot-env.ts');
  expect({ ...parseDotEnv(text) }).toEqual(expected);
});
