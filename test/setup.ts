// Runs before each test file, in its own process: no test reaches a store, a key or a setting of
// the person who runs it. Child processes inherit the same environment.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const PERSONAL =
  /^(LOCI|CLAUDE|CLAUDECODE|ANTHROPIC|OPENAI|OPENROUTER|VOYAGE|COHERE|GEMINI|GOOGLE|MISTRAL|JINA|OLLAMA|OTEL|PG|GIT)(_|$)|^PG[A-Z]+$|^DATABASE_URL$|_API_KEY$/;

const home = homedir();
const temp = mkdtempSync(join(tmpdir(), 'loci-test-'));

// A folder with optional packages is nobody's setting; the program itself must not see it.
if (process.env.LOCI_TEST_PEERS) process.env.TEST_PEERS = process.env.LOCI_TEST_PEERS;

// Nor is a database server that was started for the tests.
if (process.env.LOCI_TEST_POSTGRES) process.env.TEST_POSTGRES = process.env.LOCI_TEST_POSTGRES;

// Tests of the real vendors run only when asked for, and only they see the keys.
if (process.env.LOCI_TEST_LIVE) {
  const keys = ['OPENAI_API_KEY', 'VOYAGE_API_KEY', 'OPENROUTER_API_KEY'];
  const given = keys.map((name) => [name, process.env[name]]);
  process.env.TEST_LIVE = JSON.stringify(Object.fromEntries(given));
}

for (const name of Object.keys(process.env)) {
  if (PERSONAL.test(name)) delete process.env[name];
}

// npm's own settings and cache stay, for the tests that install the package.
process.env.npm_config_userconfig ??= join(home, '.npmrc');
process.env.npm_config_cache ??= join(home, '.npm');

const FOLDERS = {
  HOME: 'home',
  USERPROFILE: 'home',
  APPDATA: 'home/roaming',
  LOCALAPPDATA: 'home/local',
  XDG_CONFIG_HOME: 'home/config',
  XDG_DATA_HOME: 'home/data',
  XDG_CACHE_HOME: 'home/cache',
  XDG_STATE_HOME: 'home/state',
  XDG_RUNTIME_DIR: 'home/run',
};
for (const [name, folder] of Object.entries(FOLDERS)) {
  process.env[name] = join(temp, folder);
  mkdirSync(join(temp, folder), { recursive: true });
}
process.env.LOCI_STORE = join(temp, 'store');

afterAll(() => rmSync(temp, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
