import { statSync, type Stats } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LociError, quote } from '../domain/errors.ts';
import { parsePostgresUrl } from '../domain/postgres-url.ts';
import type { Environment } from './variables.ts';

export interface StoreName {
  readonly kind: 'vault' | 'sqlite' | 'postgres' | 'pglite' | 'memory';
  /** Absolute; '' for one that is no file. */
  readonly path: string;
  /** What `--store` takes to name the same store from anywhere, but for a password. */
  readonly url: string;
  /** Of a server: the URL to connect with, which may hold a password and is never shown. */
  readonly connect?: string;
}

const WORKS =
  'Name a folder (./memory), a file (sqlite:./memory.db), a server (postgres://…), pglite:./dir or memory:.';

/**
 * Reads the name of a store: a path or `file:` is a vault, `sqlite:PATH` a file, `postgres://…` a
 * database, `pglite:PATH` a database in this process, `memory:` lasts as long as the process. `~` is the home folder, relative paths count from `cwd`.
 */
export function parseStoreName(name: string, cwd: string, env: Environment): StoreName {
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(name)?.[1]?.toLowerCase();
  if (scheme === undefined) return vaultAt(absolutePath(name, cwd, env));
  const rest = name.slice(scheme.length + 1);
  if (scheme === 'memory') return { kind: 'memory', path: '', url: 'memory:' };
  if (scheme === 'file') return vaultAt(absolutePath(pathOf(name, rest), cwd, env));
  if (scheme === 'sqlite') return sqliteAt(absolutePath(pathOf(name, rest), cwd, env));
  if (scheme === 'postgres' || scheme === 'postgresql') {
    return { kind: 'postgres', path: '', url: parsePostgresUrl(name).shown, connect: name };
  }
  if (scheme === 'pglite') return pgliteAt(absolutePath(pathOf(name, rest), cwd, env));
  throw new LociError('invalid_input', `The store has an unknown scheme: ${scheme}:`, WORKS);
}

function vaultAt(path: string): StoreName {
  if (statOf(path)?.isFile()) {
    throw new LociError(
      'invalid_input',
      `The store ${quote(path)} is a file, and a vault is a folder`,
      `For an SQLite store give sqlite:${path}`,
    );
  }
  return { kind: 'vault', path, url: path };
}

function sqliteAt(path: string): StoreName {
  if (statOf(path)?.isDirectory()) {
    throw new LociError(
      'invalid_input',
      `The store ${quote(path)} is a folder, and an SQLite store is a file`,
      `For a vault give ${path}`,
    );
  }
  return { kind: 'sqlite', path, url: `sqlite:${path}` };
}

function pgliteAt(path: string): StoreName {
  if (statOf(path)?.isFile()) {
    throw new LociError(
      'invalid_input',
      `The store ${quote(path)} is a file, and PGlite wants a folder`,
      `For an SQLite store give sqlite:${path}`,
    );
  }
  return { kind: 'pglite', path, url: `pglite:${path}` };
}

/** Undefined also where nobody may look: whoever opens it says so. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** `sqlite:./a`, `sqlite:/a`, `sqlite:///a`, `file:a` and `file:///a%20b` name paths. */
function pathOf(name: string, rest: string): string {
  if (/^file:\/\//i.test(name)) return filePath(name);
  const path = rest.replace(/^\/\/(?=\/)/, '');
  if (path === '') throw new LociError('invalid_input', `The store has no path: ${name}`, WORKS);
  return path;
}

function filePath(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    throw new LociError('invalid_input', `The store is not a file URL: ${quote(url)}`, WORKS);
  }
}

function absolutePath(path: string, cwd: string, env: Environment): string {
  const atHome = /^~(?=$|[/\\])/.test(path);
  return atHome ? join(homeFolder(env), path.slice(1)) : resolve(cwd, path);
}

/** The nearest `.loci` folder, from a folder upwards. */
export function nearestVault(cwd: string): StoreName | undefined {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const path = join(folder, '.loci');
    if (statOf(path)?.isDirectory()) return vaultAt(path);
    if (dirname(folder) === folder) return undefined;
  }
}

/** The vault of this user, where neither a flag nor a folder names another. */
export function userVault(env: Environment): StoreName {
  return vaultAt(join(dataFolder(env), 'loci', 'memory'));
}

function dataFolder(env: Environment): string {
  if (process.platform === 'win32') {
    return env.LOCALAPPDATA || join(homeFolder(env), 'AppData', 'Local');
  }
  // A relative XDG_DATA_HOME is to be ignored, says its specification.
  if (env.XDG_DATA_HOME && isAbsolute(env.XDG_DATA_HOME)) return env.XDG_DATA_HOME;
  return process.platform === 'darwin'
    ? join(homeFolder(env), 'Library', 'Application Support')
    : join(homeFolder(env), '.local', 'share');
}

/** Where this user's programs keep what can be fetched again; ours is `loci` in it. */
export function cacheFolder(env: Environment): string {
  if (process.platform === 'win32') return join(dataFolder(env), 'loci', 'cache');
  if (env.XDG_CACHE_HOME && isAbsolute(env.XDG_CACHE_HOME)) return join(env.XDG_CACHE_HOME, 'loci');
  return process.platform === 'darwin'
    ? join(homeFolder(env), 'Library', 'Caches', 'loci')
    : join(homeFolder(env), '.cache', 'loci');
}

export function homeFolder(env: Environment): string {
  const own = process.platform === 'win32' ? env.USERPROFILE : env.HOME;
  return own || homedir() || userInfo().homedir;
}
