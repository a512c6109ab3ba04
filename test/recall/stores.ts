import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe } from 'vitest';
import type { MemoryInput } from '../../src/domain/inputs.ts';
import { open } from '../../src/open.ts';
import type { Loci } from '../../src/loci.ts';
import { freshStore, withoutServer } from '../engines/postgres.ts';

/** Each kind of store through the public library, in a folder of its own. */
type StoreKind = readonly [kind: string, name: () => string | Promise<string>];

const STORES: readonly StoreKind[] = [
  ['in-memory', () => 'memory:'],
  ['sqlite', () => `sqlite:${join(folder(), 'store.db')}`],
  ['vault', () => join(folder(), 'vault')],
];

/** Where a server was started for the tests. */
const ON_A_SERVER: readonly StoreKind[] =
  withoutServer === undefined ? [['postgres', freshStore]] : [];

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
  describe.each([...STORES, ...ON_A_SERVER])('%s', (_kind, name) => {
    tests(async (...memories) => {
      const loci = await open(await name(), { project: 'boat' });
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
