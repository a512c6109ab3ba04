import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';

const bundle = new URL('../../dist/index.js', import.meta.url);

// Every name that `import … from 'loci'` offers. A new one must prove its worth: it stays.
const PUBLIC_NAMES: string[] = ['Loci', 'LociError', 'open'];

test('the package exports exactly these names', async () => {
  expect(existsSync(bundle), 'dist/ is missing: npm run build').toBe(true);
  expect(Object.keys(await import(bundle.href)).toSorted()).toEqual(PUBLIC_NAMES);
});
