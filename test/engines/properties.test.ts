import { sqliteDriver } from '../../src/engines/sqlite/drivers/index.ts';
import { reopening } from '../../src/testing/reopening.ts';
import { inMemory, sqlite, vault } from './harnesses.ts';
import { postgres, saySkipped, withoutServer } from './postgres.ts';
import { engineProperties } from './properties.ts';

engineProperties('the in-memory engine itself', inMemory, { runs: 50 });
engineProperties('sqlite', sqlite(sqliteDriver()), { runs: 150 });
engineProperties('sqlite opened anew', reopening(sqlite(sqliteDriver())), { runs: 20 });
engineProperties('vault', vault, { runs: 40 });
if (withoutServer === undefined) engineProperties('postgres', postgres, { runs: 25 });
saySkipped('postgres under random commands');
