import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loci, lociJson, tempFolder } from './run-cli.ts';

interface Shown {
  config: Record<string, { value: string | null; origin: string }>;
  warnings: string[];
}

const folder = tempFolder();
const NONE = { LOCI_STORE: undefined };

function subfolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  return path;
}

describe('config', () => {
  test('shows each value with its origin', () => {
    const cwd = subfolder('origins');
    writeFileSync(join(cwd, '.env'), 'LOCI_AGENT=bob\nLOCI_SURFACE=full\n');
    mkdirSync(join(cwd, 'mem'));
    writeFileSync(join(cwd, 'mem', 'config.yaml'), 'isolation: per-agent\nproject: from-file\n');
    const { code, json } = lociJson<Shown>(['config', '-d', 'mem'], {
      cwd,
      env: { LOCI_SURFACE: 'core' },
    });
    expect(code).toBe(0);
    expect(json).toEqual({
      config: {
        store: { value: join(cwd, 'mem'), origin: 'flag' },
        project: { value: 'from-file', origin: 'config.yaml' },
        agent: { value: 'bob', origin: '.env' },
        isolation: { value: 'per-agent', origin: 'config.yaml' },
        surface: { value: 'core', origin: 'environment' },
        zone: { value: 'UTC', origin: 'default' },
        secrets: { value: 'redact', origin: 'default' },
        embedder: { value: 'builtin', origin: 'default' },
        embed_model: { value: null, origin: 'default' },
        embed_base_url: { value: null, origin: 'default' },
        embed_api_key: { value: null, origin: 'default' },
        embed_dimensions: { value: null, origin: 'default' },
        embed_timeout_ms: { value: null, origin: 'default' },
      },
      warnings: [],
    });
    const { out } = loci(['config', '-d', 'mem'], { cwd });
    expect(out).toMatch(/^SETTING +VALUE +FROM\n/);
    expect(out).toMatch(/^project +from-file +config\.yaml$/m);
  });

  test('of a key only that it is set', () => {
    const env = { LOCI_EMBEDDER: 'openai', OPENAI_API_KEY: 'sk-secret-1' };
    const { code, out } = loci(['config', '--json'], { cwd: subfolder('key'), env });
    expect(code).toBe(0);
    expect(out).not.toContain('sk-secret-1');
    expect(JSON.parse(out).config).toMatchObject({
      embedder: { value: 'openai', origin: 'environment' },
      embed_model: { value: 'text-embedding-3-small', origin: 'default' },
      embed_api_key: { value: 'set', origin: 'environment' },
    });
  });

  test('a value that is not one names its origin', () => {
    const cwd = subfolder('bad');
    writeFileSync(join(cwd, '.env'), 'LOCI_ISOLATION=per-agnt\n');
    const { code, json } = lociJson(['status'], { cwd });
    expect(json).toEqual({
      error: {
        code: 'invalid_input',
        message: 'isolation (.env) is "per-agnt"',
        hint: 'Did you mean per-agent?',
      },
    });
    expect(code).toBe(2);
  });
});

test('[D3] an embedder that cannot be fails a command, with the accepted ones', () => {
  const { code, json } = lociJson(['recall', 'x'], {
    cwd: subfolder('embedder'),
    env: { LOCI_EMBEDDER: 'openai:text-embedding-4' },
  });
  expect(code).toBe(2);
  expect(json).toEqual({
    error: {
      code: 'invalid_input',
      message: 'embed_model (environment) is "text-embedding-4", which openai does not have',
      hint: expect.stringMatching(/Accepted: text-embedding-3-small, text-embedding-3-large, /),
    },
  });
});

describe('an unknown LOCI_ variable', () => {
  const env = { LOCI_STROE: '/tmp/x' };
  const warning = 'LOCI_STROE (environment) is not a variable of Loci; did you mean LOCI_STORE?';
  const at = ['-d', join(folder, 'warned')];

  test('is a notice on stderr, once, whatever the verb', () => {
    for (const args of [['status'], ['remember', 'x'], ['recall', 'x']]) {
      const { code, out, err } = loci([...args, ...at], { env });
      expect(code).toBe(0);
      expect(err).toBe(`note: ${warning}\n`);
      expect(out).not.toContain('LOCI_STROE');
    }
  });

  test('is quiet with --quiet, and in the warnings of --json', () => {
    expect(loci(['status', '-q', ...at], { env }).err).toBe('');
    expect(lociJson(['recall', 'x', ...at], { env }).json.warnings).toContain(warning);
  });
});

describe('where a store lies', () => {
  test.each([
    ['./mem', '<cwd>/mem'],
    ['~/mem', '<home>/mem'],
    ['<folder>/new/a b/mem', '<folder>/new/a b/mem'],
    ['sqlite:deep/er/m.db', '<cwd>/deep/er/m.db'],
  ])('%s, from two folders', (name, expected) => {
    for (const cwd of [subfolder('one'), subfolder('two')]) {
      const home = subfolder('home');
      const fill = (text: string): string =>
        text.replace('<cwd>', cwd).replace('<home>', home).replace('<folder>', folder);
      const run = (...args: string[]) =>
        lociJson<Record<string, string>>(args, {
          cwd,
          env: { HOME: home, LOCI_STORE: fill(name) },
        });
      expect(run('remember', 'kept').code).toBe(0);
      const { json } = run('status');
      expect(json.store).toContain(fill(expected));
      expect(json.store).not.toMatch(/node_modules|_npx/);
      expect(existsSync(fill(expected))).toBe(true);
    }
  });

  test('in the nearest .loci folder, which init makes', () => {
    const cwd = subfolder('project/deep/er');
    const top = join(folder, 'project');
    expect(lociJson(['init'], { cwd: top, env: NONE }).json).toEqual({
      store: join(top, '.loci'),
      created: true,
    });
    expect(lociJson(['status'], { cwd, env: NONE }).json.store).toBe(join(top, '.loci'));
    expect(lociJson(['init', 'named'], { cwd: top, env: NONE }).json).toEqual({
      store: join(top, 'named'),
      created: true,
    });
  });

  test.skipIf(process.platform !== 'linux')('else in the user’s data folder', () => {
    const cwd = subfolder('nowhere');
    const data = subfolder('data');
    const env = { ...NONE, XDG_DATA_HOME: data };
    expect(lociJson(['remember', 'x'], { cwd, env }).code).toBe(0);
    expect(lociJson(['status'], { cwd, env }).json.store).toBe(join(data, 'loci', 'memory'));
    expect(existsSync(join(cwd, '.loci'))).toBe(false);
  });
});

test('.env is read and left alone', () => {
  const cwd = subfolder('dotenv');
  const text = 'LOCI_STORE=./from-env\nexport LOCI_PROJECT="alpha"\nDEBUG=*\n';
  writeFileSync(join(cwd, '.env'), text);
  const { out, err } = loci(['status', '--json'], { cwd, env: NONE });
  expect(JSON.parse(out)).toMatchObject({ store: join(cwd, 'from-env'), project: 'alpha' });
  expect(err).toBe('');
  expect(readFileSync(join(cwd, '.env'), 'utf8')).toBe(text);
  const over = lociJson(['status'], { cwd, env: { ...NONE, LOCI_PROJECT: 'beta' } });
  expect(over.json).toMatchObject({ project: 'beta' });
});
