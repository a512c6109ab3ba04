import { vi } from 'vitest';
import { engineContract } from '../../src/testing/engine-contract.ts';
import { reopening } from '../../src/testing/reopening.ts';
import { pglite, withoutServer } from './postgres.ts';

// It compiles and fills a database of its own first.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

engineContract('pglite', pglite);
// What may not live in the memory of a process is the same here as on a server, where it is quicker.
if (withoutServer !== undefined) {
  engineContract('pglite, opened anew after every change', reopening(pglite));
}
