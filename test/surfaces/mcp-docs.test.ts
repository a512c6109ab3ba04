import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toolReference } from '../../src/surfaces/mcp/reference.ts';
import { BIN, connect, startRaw } from './mcp-support.ts';

const page = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

test('docs/mcp.md holds the reference (npm run reference writes it)', () => {
  expect(page('mcp.md')).toContain(`-->\n\n${toolReference()}\n<!-- end of reference -->`);
});

test('every tool is documented', async () => {
  const { tools } = await connect({ args: ['--surface', 'full'] });
  for (const { name } of await tools()) expect(page('mcp.md')).toContain(`\n### ${name}\n`);
});

test('what docs/hosts.md tells hosts to start is the server', async () => {
  const blocks = [...page('hosts.md').matchAll(/```json\n([^]*?)```/g)].map(
    ([, json = '']) => json,
  );
  expect(blocks.length).toBeGreaterThanOrEqual(5);
  for (const block of blocks) {
    const config = JSON.parse(block);
    const { loci } = config.mcpServers ?? config.servers ?? config.mcp.servers;
    const command = [loci.command, loci.args ?? []].flat();
    expect(command).toEqual(['loci', 'mcp']);
    const server = startRaw({ env: loci.env }, [process.execPath, BIN, ...command.slice(1)]);
    expect((await server.initialize()).result).toMatchObject({ serverInfo: { name: 'loci' } });
  }
});
