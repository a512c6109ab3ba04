import { engineContract } from '../../src/testing/engine-contract.ts';
import { reopening } from '../../src/testing/reopening.ts';
import { vault } from './harnesses.ts';

engineContract('vault', vault);
engineContract('vault, opened anew after every change', reopening(vault));
