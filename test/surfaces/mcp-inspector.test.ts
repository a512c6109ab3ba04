// The inspector's lint for schemas that some provider would refuse. It is large, so CI installs it
// outside of the project and names its launcher in MCP_INSPECTOR.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { BIN, ERAS, tempFolder } from './mcp-support.ts';

const run = promisify(execFile);
const inspector = process.env.MCP_INSPECTOR;

const cases = ERAS.flatMap((era) => ['core', 'full'].map((surface) => ({ era, surface })));

test.for(cases)('finds nothing in $surface, $era era', async ({ era, surface }, context) => {
  if (!inspector) return context.skip('MCP_INSPECTOR names no inspector; .ci/run installs one');
  const server = [process.execPath, BIN, 'mcp', '--surface', surface];
  const options = ['--cli', '--protocol-era', era, ...server, '--method', 'tools/list', '--strict'];
  const env = { ...process.env, LOCI_STORE: join(tempFolder(), 'memory') };
  const { stdout } = await run(process.execPath, [inspector, ...options], { env });
  expect(JSON.parse(stdout).tools.length).toBeGreaterThan(5);
});
