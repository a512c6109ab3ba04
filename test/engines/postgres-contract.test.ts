import { vi } from 'vitest';
import { engineContract } from '../../src/testing/engine-contract.ts';
import { reopening } from '../../src/testing/reopening.ts';
import { postgres, saySkipped, withoutServer } from './postgres.ts';

vi.setConfig({ testTimeout: 120_000 });

if (withoutServer === undefined) {
  engineContract('postgres', postgres);
  // It keeps nothing in the process that a second one would not see: the long run proves it anew.
  if (process.env.SOAK_REPORT) {
    engineContract('postgres, opened anew after every change', reopening(postgres));
  }
}
saySkipped('engine: postgres');
