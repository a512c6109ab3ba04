import { expect, test } from 'vitest';
import { DEFAULT_WEIGHTS, WEIGHT_SETTINGS } from '../../src/domain/ranking/settings.ts';
import { readPage } from './pages.ts';

/** The rows of the table of weights: name, default, range. */
function documented(): (readonly [name: string, value: number, range: string])[] {
  const rows = readPage('docs/recall.md').matchAll(/^\| `(\w+\.\w+)` \| ([\d.]+) \| ([^|]+) \|/gm);
  return [...rows].map(([, name = '', value, range = '']) => [
    name,
    Number(value),
    range.replaceAll(',', '').trim(),
  ]);
}

test('[C2] every weight is documented with its default and range', () => {
  const known = [...WEIGHT_SETTINGS].map(([name, { group, key, least, most }]) => {
    const value = (DEFAULT_WEIGHTS[group] as unknown as Record<string, number>)[key] ?? 1;
    return [name, Number(value.toFixed(4)), `${least} to ${most}`];
  });
  expect(documented()).toEqual(known);
});
