import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Compared, compareTexts, type Likeness } from '../../src/domain/hygiene/likeness.ts';
import { likenessKeysOf } from '../../src/domain/hygiene/likeness-keys.ts';
import { PANEL, WRONG, type Group } from './panel.ts';

function verdict([a, b]: readonly [string, string]): Likeness {
  return compareTexts(new Compared(a), new Compared(b)).likeness;
}

function isFound([a, b]: readonly [string, string]): boolean {
  const [first, second] = [a, b].map((body) => likenessKeysOf({ project: 'boat', body }, false));
  return first?.some((key) => second?.includes(key)) ?? false;
}

/** One row of the table in docs/hygiene.md. */
function row({ name, kind, pairs }: Group): string {
  const verdicts = pairs.map(verdict);
  const count = (wanted: Likeness): number => verdicts.filter((one) => one === wanted).length;
  const faults = verdicts.filter((one) => WRONG[kind].includes(one)).length;
  const alike = pairs.filter((pair) => verdict(pair) !== 'different');
  const found = `${alike.filter(isFound).length} of ${alike.length}`;
  const cells = [name, pairs.length, count('same'), count('related'), count('different'), faults];
  return `| ${[...cells, found].join(' | ')} |`;
}

test('[A12] the table in the docs is what the rules say of the panel', () => {
  const all = {
    name: '**all**',
    kind: 'claim',
    pairs: PANEL.flatMap(({ pairs }) => pairs),
  } as const;
  const faults = PANEL.flatMap(({ kind, pairs }) =>
    pairs.filter((pair) => WRONG[kind].includes(verdict(pair))),
  ).length;
  const total = row(all).replace(/\| \d+ \| (\d+ of \d+) \|$/, `| ${faults} | $1 |`);
  const table = [
    '| how they differ | pairs | same | related | different | faults | found |',
    '|---|---|---|---|---|---|---|',
    ...PANEL.map(row),
    total,
  ].join('\n');
  expect(readFileSync('docs/hygiene.md', 'utf8')).toContain(table);
});

test('the panel is large enough to say something', () => {
  expect(PANEL.flatMap(({ pairs }) => pairs).length).toBeGreaterThanOrEqual(150);
});

describe.each(PANEL)('[A12] $name', ({ kind, pairs }) => {
  test.each(pairs)('%s / %s', (a, b) => {
    expect(WRONG[kind]).not.toContain(verdict([a, b]));
    expect(verdict([b, a])).toBe(verdict([a, b]));
  });
});
