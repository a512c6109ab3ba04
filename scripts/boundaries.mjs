// Holds src/ to the import table in boundaries.json and forbids import cycles.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cycles, importsOf } from './imports.mjs';

/**
 * @typedef {object} Room
 * @property {string[]} [may] rooms that may be imported; "*" is all of them
 * @property {string[]} [types] rooms that may be imported with `import type` only
 * @property {string[]} [lazy] rooms that may be loaded by `import()` only, whatever `may` says
 * @property {string[]} [packages] npm packages; none when absent
 * @property {string[]} [builtins] Node's modules; all of them when absent
 *
 * @typedef {object} Table
 * @property {Record<string, Room>} rooms by path; `*` stands for one folder name
 * @property {string[]} lazyPackages packages that are loaded by `import()` only, everywhere
 *
 * @typedef {import('./imports.mjs').Import} Import
 */

/**
 * @param {string} src the folder to check
 * @param {Table} table
 * @returns {string[]} one line a violation
 */
export function violations(src, table) {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map((path) => path.split(sep).join('/'))
    .filter(isSource)
    .toSorted();
  const imports = new Map(
    files.map((file) => [file, importsOf(file, readFileSync(join(src, file), 'utf8'))]),
  );
  const broken = files.flatMap((file) => {
    const room = roomOf(file, table);
    if (!room) return [`${file}: belongs to no room of the table`];
    return (imports.get(file) ?? []).flatMap((imported) => {
      const reason = imported.specifier.startsWith('.')
        ? fileReason(file, imported, room, table)
        : packageReason(imported, room, table);
      return reason ? [`${file}:${imported.line}: ${reason}`] : [];
    });
  });
  return [...broken, ...cycles(imports).map((cycle) => `import cycle: ${cycle.join(' → ')}`)];
}

/** @param {string} path */
function isSource(path) {
  return /\.(ts|mjs)$/.test(path);
}

/**
 * @param {string} file
 * @param {Import} imported
 * @param {{ key: string, path: string, rules: Room }} from
 * @param {Table} table
 */
function fileReason(file, { specifier, kind }, from, table) {
  const target = posix.join(posix.dirname(file), specifier);
  if (!isSource(target)) return `${specifier} must name a .ts or .mjs file`;
  const { may = [], types = [], lazy = [] } = from.rules;
  if (isIn(target, lazy))
    return kind === 'static' ? `${from.key} may load ${target} by import() only` : undefined;
  if (roomOf(target, table)?.path === from.path || may.includes('*') || isIn(target, may)) return;
  if (!isIn(target, types)) return `${from.key} may not import ${target}`;
  return kind === 'type' ? undefined : `${from.key} may import ${target} as a type only`;
}

/**
 * @param {Import} imported
 * @param {{ key: string, rules: Room }} from
 * @param {Table} table
 */
function packageReason({ specifier, kind }, { key, rules }, table) {
  if (specifier.startsWith('node:')) {
    if (!rules.builtins || rules.builtins.includes(specifier)) return;
    return `${key} may not import ${specifier}`;
  }
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  if (!rules.packages?.includes(name)) return `${key} may not import the package ${name}`;
  if (table.lazyPackages.includes(name) && kind === 'static')
    return `the package ${name} may be loaded by import() only`;
}

/**
 * The most specific room that holds a file, and the part of the file's path that is the room.
 * @param {string} file
 * @param {Table} table
 */
function roomOf(file, { rooms }) {
  const key = Object.keys(rooms)
    .filter((candidate) => matchOf(file, candidate) !== undefined)
    .toSorted((a, b) => specificity(b) - specificity(a))[0];
  const rules = key === undefined ? undefined : rooms[key];
  if (key === undefined || !rules) return;
  return { key, rules, path: /** @type {string} */ (matchOf(file, key)) };
}

/** @param {string} room */
function specificity(room) {
  return room.replaceAll('*', '').length;
}

/** @param {string} file @param {string[]} rooms */
function isIn(file, rooms) {
  return rooms.some((room) => matchOf(file, room) !== undefined);
}

/**
 * The beginning of the file's path that a room's name matches, if it does.
 * @param {string} file
 * @param {string} room
 */
function matchOf(file, room) {
  const names = room.split('/');
  const parts = file.split('/');
  const isMatch = names.every(
    (name, i) => name === parts[i] || (name === '*' && i + 1 < parts.length),
  );
  return isMatch ? parts.slice(0, names.length).join('/') : undefined;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const table = JSON.parse(readFileSync(new URL('boundaries.json', import.meta.url), 'utf8'));
  const found = violations(fileURLToPath(new URL('../src', import.meta.url)), table);
  process.stdout.write(found.map((line) => `${line}\n`).join('') || 'boundaries: ok\n');
  process.exitCode = found.length === 0 ? 0 : 1;
}
