import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe } from 'vitest';
import type { MemoryInput } from '../../src/domain/inputs.ts';
import { open } from '../../src/open.ts';
import type { Loci } from '../../src/loci.ts';

/** Each kind of store through the public library, in a folder of its own. */
const STORES: readonly [kind: string, name: () => string][] = [
  ['in-memory', () => 'memory:'],
  ['sqlite', () => `sqlite:${join(folder(), 'store.db')}`],
  ['vault', () => join(folder(), 'vault')],
];

function folder(): string {
  return mkdtempSync(join(tmpdir(), 'loci-recall-'));
}

const opened: Loci[] = [];
afterEach(async () => {
  for (const loci of opened.splice(0)) await loci.close();
});

export type OpenWith = (...memories: readonly MemoryInput[]) => Promise<Loci>;

/** Runs the same tests on every kind of store. */
export function onEveryStore(tests: (openWith: OpenWith) => void): void {
  describe.each(STORES)('%s', (_kind, name) => {
    tests(async (...memories) => {
      const loci = await open(name(), { project: 'boat' });
      opened.push(loci);
      if (memories.length > 0) await loci.remember([...memories]);
      return loci;
    });
  });
}

export async function bodies(
  loci: Loci,
  options: Parameters<Loci['recall']>[0],
): Promise<string[]> {
  return (await loci.recall(options)).results.map(({ body }) => body);
}
