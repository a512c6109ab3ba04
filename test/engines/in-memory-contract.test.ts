import { engineContract } from '../../src/testing/engine-contract.ts';
import { inMemory } from './harnesses.ts';

engineContract('in-memory', inMemory);
