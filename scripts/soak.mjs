// npm run soak [-- vitest arguments]: crash and concurrency tests of the vault, and of PostgreSQL where
// there is one, isolation and moves with their full counts, several minutes long, and their figures.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missingPostgres, startPostgres } from './postgres.mjs';
import { prepare, run } from './prepare.mjs';

prepare();
const folder = mkdtempSync(join(tmpdir(), 'loci-soak-'));
process.env.SOAK_REPORT = join(folder, 'figures.txt');
writeFileSync(process.env.SOAK_REPORT, '');
const missing = missingPostgres();
if (missing) process.stdout.write(`soak: without PostgreSQL (${missing})\n`);
const server = missing ? undefined : await startPostgres();
if (server) process.env.LOCI_TEST_POSTGRES = server.url;
const startedAt = Date.now();
process.exitCode = run(process.execPath, [
  'node_modules/vitest/vitest.mjs',
  'run',
  'test/vault',
  'test/surfaces/mcp-lifetime.test.ts',
  'test/recall/past-properties.test.ts',
  'test/engines/postgres-contract.test.ts',
  'test/postgres/processes.test.ts',
  'test/postgres/hardship.test.ts',
  'test/isolation',
  'test/exchange',
  ...process.argv.slice(2),
]);
await server?.stop();
const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1);
process.stdout.write(`\n${readFileSync(process.env.SOAK_REPORT, 'utf8')}`);
process.stdout.write(`soak: ${process.exitCode === 0 ? 'ok' : 'failed'} in ${minutes} minutes\n`);
rmSync(folder, { recursive: true, force: true });
