import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const text = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const manifest = JSON.parse(text('package.json'));
const kinds = {
  dependencies: 'at run time',
  optionalDependencies: 'at run time, optional',
  peerDependencies: 'optional peer',
} as const;

test('docs/dependencies.md has one true row for each dependency', () => {
  const rows = [...text('docs/dependencies.md').matchAll(/^\| `([^`]+)` \|(.*)\|$/gm)].map(
    ([, name, cells = '']) => [name, ...cells.split('|').map((cell) => cell.trim())],
  );
  const bundled = text('dist/THIRD-PARTY-LICENSES.txt');
  const facts = [...Object.keys(kinds), 'devDependencies'].flatMap((kind) =>
    Object.entries<string>(manifest[kind] ?? {}).map(([name, version]) => {
      const license = licenceOf(name) ?? rows.find(([row]) => row === name)?.[2];
      const isBundled = bundled.includes(`\n${name} ${version} (`);
      const use = kinds[kind as keyof typeof kinds] ?? (isBundled ? 'bundled' : 'development');
      return [name, version, license, use];
    }),
  );
  expect(rows.map((row) => row.slice(0, 4))).toEqual(
    facts.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  );
  expect(rows.filter((row) => !row[4])).toEqual([]);
});

test('an optional peer is optional', () => {
  const optional = Object.entries<{ optional?: boolean }>(manifest.peerDependenciesMeta);
  expect(optional).toEqual(
    Object.keys(manifest.peerDependencies).map((name) => [name, { optional: true }]),
  );
});

/** Undefined for a peer that is not installed here. */
function licenceOf(name: string): string | undefined {
  const folders = [new URL('../..', import.meta.url).pathname, process.env.TEST_PEERS ?? ''];
  const path = folders
    .map((folder) => join(folder, 'node_modules', name, 'package.json'))
    .find((candidate) => existsSync(candidate));
  return path === undefined ? undefined : JSON.parse(readFileSync(path, 'utf8')).license;
}
