import { engineContract } from '../../src/testing/engine-contract.ts';
import { reopening } from '../../src/testing/reopening.ts';
import { pglite } from './postgres.ts';

engineContract('pglite', pglite);
engineContract('pglite, opened anew after every change', reopening(pglite));
