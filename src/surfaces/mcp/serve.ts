import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { environment, hostFolder, resolveConfig, type Flags } from '../../config.ts';
import { atMost } from '../../domain/at-most.ts';
import { asLociError } from '../../domain/errors.ts';
import { onParentDeath } from './lifetime.ts';
import { createServer } from './server.ts';
import { LazyStore } from './store.ts';
import type { Surface } from './tools.ts';
import { StdioTransport } from './transport.ts';

export interface ServeMcpOptions {
  /** What the command line said; the rest comes from the environment and the store. */
  readonly flags: Flags;
  /** Version of Loci. */
  readonly version: string;
}

const CLOSE_MS = 2_000;

/**
 * Serves MCP on standard input and output until the client goes: end of input, broken output, a
 * signal, or the death of the parent. The handshake waits for nothing: settings are read and the
 * store is opened when tools are first asked for. Ends the process.
 */
export async function serveMcp({ flags, version }: ServeMcpOptions): Promise<void> {
  const cwd = hostFolder(environment());
  const store = new LazyStore(async () => {
    const { open } = await import('../../open.ts');
    const { store: name, project, agent, zone } = flags;
    return open(name, {
      project,
      agent,
      zone,
      cwd,
      source: 'agent',
      agentIfIsolated: 'mcp-server',
      create: true,
      watch: true,
      impossibleEmbedder: 'warn',
    });
  });
  let setting: ReturnType<typeof readSetting> | undefined;
  const transport = new StdioTransport();
  const handle = serveStdio(
    () => createServer({ version, store, setting: () => (setting ??= readSetting(flags, cwd)) }),
    { transport },
  );
  const stop = (): void => void handle.close();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  onParentDeath(stop);
  await transport.closed;
  // A commit that is under way may finish; whatever hangs does not keep the process.
  await atMost(
    CLOSE_MS,
    store.close().catch(() => undefined),
  );
  await atMost(CLOSE_MS, new Promise<void>((resolve) => process.stdout.write('', () => resolve())));
  process.exit(0);
}

/** Settings that cannot be read are reported by the calls, which open the store with them. */
async function readSetting(
  flags: Flags,
  cwd: string,
): Promise<{ surface: Surface; agent?: string }> {
  try {
    const { surface, agent } = await resolveConfig({ flags, cwd, impossibleEmbedder: 'warn' });
    return { surface, ...(agent === undefined ? {} : { agent }) };
  } catch (thrown) {
    const { message, hint } = asLociError(thrown);
    process.stderr.write(`loci mcp: ${message}${hint ? ` (${hint})` : ''}\n`);
    return { surface: 'core' };
  }
}
