import { array, assert, constantFrom, property } from 'fast-check';
import { expect, test } from 'vitest';
import { matchesGlob } from '../../src/domain/glob.ts';

test.each([
  ['src/*.ts', 'src/a.ts', true],
  ['src/*.ts', 'src/deep/a.ts', false],
  ['src/**/*.ts', 'src/a.ts', true],
  ['src/**/*.ts', 'src/very/deep/a.ts', true],
  ['src/**', 'src/a/b', true],
  ['*.md', 'docs/deep/page.md', true],
  ['docs', 'docs/page.md', true],
  ['docs/', './docs/page.md', true],
  ['doc', 'docs/page.md', false],
  ['src\\a.ts', 'src/a.ts', true],
  ['a?c.ts', 'a🚀c.ts', true],
  ['a?c.ts', 'a/c.ts', false],
  ['a.b+(c)[d]', 'a.b+(c)[d]', true],
  ['a.b', 'axb', false],
  ['**/a', 'a', true],
  ['', 'a', false],
])('[C9] %s and %s: %s', (pattern, path, expected) => {
  expect(matchesGlob(pattern, path)).toBe(expected);
});

/** What a glob means, as an expression that tries one way after the other. */
function expressionOf(pattern: string): RegExp {
  const source = pattern.replace(/\*\*\/?|[*?.]/g, (found) => {
    if (found === '**/') return '(?:.*/)?';
    if (found === '**') return '.*';
    if (found === '*') return '[^/]*';
    return found === '?' ? '[^/]' : '\\.';
  });
  return new RegExp(`^${source}(?:/.*)?$`);
}

test('[C9] any glob matches what the expression of the same meaning does', () => {
  const patterns = array(constantFrom('a', 'b', '.', '/', '*', '**', '**/', '?'), { maxLength: 8 });
  const paths = array(constantFrom('a', 'b', '.', '/'), { maxLength: 10 });
  assert(
    property(patterns, paths, (marks, chars) => {
      const [pattern, path] = [`x/${marks.join('')}y`, `x/${chars.join('')}y`];
      expect([pattern, path, matchesGlob(pattern, path)]).toEqual([
        pattern,
        path,
        expressionOf(pattern).test(path),
      ]);
    }),
    { numRuns: 5000 },
  );
});

test.each(['*a', '**a', '**/', '?*', '/', '*'])('[C14] a long glob of %s takes no time', (unit) => {
  const startedAt = performance.now();
  expect(matchesGlob(`x/${unit.repeat(200)}!`, `x/${'a/a'.repeat(300)}`)).toBe(false);
  matchesGlob(unit.repeat(50_000), 'src/domain/glob.ts');
  expect(performance.now() - startedAt).toBeLessThan(3000);
});
