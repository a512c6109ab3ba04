import { vi } from 'vitest';
import { engineContract } from '../../src/testing/engine-contract.ts';
import { reopening } from '../../src/testing/reopening.ts';
import { postgres, saySkipped, withoutServer } from './postgres.ts';

vi.setConfig({ testTimeout: 120_000 });

if (withoutServer === undefined) {
  engineContract('postgres', postgres);
  engineContract('postgres, opened anew after every change', reopening(postgres));
}
saySkipped('engine: postgres');
