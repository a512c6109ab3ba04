import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const text = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const manifest = JSON.parse(text('package.json'));
const kinds = {
  dependencies: 'at run time',
  optionalDependencies: 'at run time, optional',
} as const;

test('docs/dependencies.md has one true row for each dependency', () => {
  const rows = [...text('docs/dependencies.md').matchAll(/^\| `([^`]+)` \|(.*)\|$/gm)].map(
    ([, name, cells = '']) => [name, ...cells.split('|').map((cell) => cell.trim())],
  );
  const bundled = text('dist/THIRD-PARTY-LICENSES.txt');
  const facts = ['dependencies', 'optionalDependencies', 'devDependencies'].flatMap((kind) =>
    Object.entries<string>(manifest[kind] ?? {}).map(([name, version]) => {
      const { license } = JSON.parse(text(`node_modules/${name}/package.json`));
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
