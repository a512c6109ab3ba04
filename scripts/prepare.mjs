// Makes a fresh clone ready to run: installs and builds what is missing or out of date.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

const BUILD_INPUTS = [
  'src',
  'scripts/build.mjs',
  'scripts/declarations.mjs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

/**
 * Runs a command in the project folder, with its output on this terminal.
 * @param {string} command
 * @param {string[]} args
 * @returns {number} its exit code; 1 when it did not start or was killed
 */
export function run(command, args) {
  const done = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (done.error) process.stderr.write(`${command}: ${done.error.message}\n`);
  return done.status ?? 1;
}

/** Ends this process with the code of the first step that failed. */
export function prepare() {
  const failed = installIfNeeded() || buildIfNeeded();
  if (failed) process.exit(failed);
}

export function installIfNeeded() {
  if (isInstalled()) return 0;
  process.stderr.write('Installing dependencies (npm ci) …\n');
  const npm = process.env.npm_execpath;
  return npm?.endsWith('.js') ? run(process.execPath, [npm, 'ci']) : run('npm', ['ci']);
}

export function buildIfNeeded() {
  if (mtimeMs('dist/index.js') > Math.max(...BUILD_INPUTS.map(newestMs))) return 0;
  return run(process.execPath, ['scripts/build.mjs']);
}

/** Whether node_modules holds the locked version of every package that is not optional. */
function isInstalled() {
  try {
    const wanted = lockedPackages('package-lock.json');
    const present = lockedPackages('node_modules/.package-lock.json');
    return Object.entries(wanted).every(
      ([path, locked]) =>
        path === '' || locked.optional || present[path]?.version === locked.version,
    );
  } catch {
    return false;
  }
}

/**
 * @param {string} path
 * @returns {Record<string, { version: string, optional?: boolean }>}
 */
function lockedPackages(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8')).packages;
}

/**
 * The latest change in a file or below a folder; folders count, so that a deletion shows.
 * @param {string} path
 * @returns {number}
 */
function newestMs(path) {
  const own = mtimeMs(path);
  if (!statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory()) return own;
  const below = readdirSync(join(root, path), { recursive: true, encoding: 'utf8' });
  return below.reduce((newest, name) => Math.max(newest, mtimeMs(join(path, name))), own);
}

/** @param {string} path */
function mtimeMs(path) {
  return statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--install-only')) process.exitCode = installIfNeeded();
  else prepare();
}
