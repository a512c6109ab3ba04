import {
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type ServerOptions as ServerOptionsOfSdk,
} from '@modelcontextprotocol/server';
import { quote } from '../../domain/errors.ts';
import { redact } from '../../domain/hygiene/redact.ts';
import { nearestOf } from '../../domain/parse.ts';
import { operationsFor } from '../../operations/index.ts';
import type { Operation, OperationIo } from '../../operations/operation.ts';
import { callTool } from './call.ts';
import { INSTRUCTIONS } from './instructions.ts';
import type { LazyStore } from './store.ts';
import { toolName, toolsFor, type Surface } from './tools.ts';

export interface ServerOptions {
  readonly version: string;
  readonly store: LazyStore;
  /** Read when tools are first asked for. */
  setting(): Promise<ServerSetting>;
}

interface ServerSetting {
  readonly surface: Surface;
  /** Who stands in the events; by default the client, by the name it gives itself. */
  readonly agent?: string;
}

/** The tool list of a running server never changes. */
const STATIC = { ttlMs: 3_600_000, cacheScope: 'private' } as const;

/** One server instance for one connection; the same for both eras of the protocol. */
export function createServer({ version, store, setting }: ServerOptions): Server {
  const server = new Server(
    { name: 'loci', title: 'Loci', version },
    {
      capabilities: { tools: {} },
      instructions: INSTRUCTIONS,
      cacheHints: { 'tools/list': STATIC, 'server/discover': STATIC },
      jsonSchemaValidator: ASKS_NOTHING,
    },
  );
  server.setRequestHandler('tools/list', async () => {
    const { surface } = await setting();
    setImmediate(() => store.warm());
    return { tools: toolsFor(surface) };
  });
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { surface, agent } = await setting();
    const progress = progressTo(context);
    const call = {
      operation: operationFor(surface, params.name),
      arguments: params.arguments ?? {},
      actor: agent ?? clientName(server, context),
      signal: context.mcpReq.signal,
      io: progress.io,
    };
    const result = await callTool(call, store);
    await progress.sent();
    return result;
  });
  return server;
}

/** Clients' answers are never validated, since they are never asked; the default one is large. */
const ASKS_NOTHING: ServerOptionsOfSdk['jsonSchemaValidator'] = {
  getValidator() {
    throw new Error('this server asks its client nothing');
  },
};

function operationFor(surface: Surface, name: string): Operation {
  const operations = operationsFor(surface);
  const found = operations.find((operation) => toolName(operation) === name);
  if (found) return found;
  const elsewhere = operationsFor('full').some((operation) => toolName(operation) === name);
  const names = operations.map(toolName);
  const near = nearestOf(name, names);
  const hint = elsewhere
    ? 'It is on the surface "full": start the server with `loci mcp --surface full`.'
    : near
      ? `Did you mean ${quote(near)}?`
      : `There are ${names.join(', ')}.`;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `No tool ${quote(name)}. ${hint}`);
}

/** What the client called itself: in each request of the newer era, once in the older one. */
function clientName(server: Server, { mcpReq }: ServerContext): string {
  const envelope = mcpReq.envelope as Readonly<Record<string, { name?: unknown }>> | undefined;
  const info = envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
  const name = redact(String(info?.name ?? '')).text.replace(/[^\p{L}\p{N}._-]+/gu, '-');
  return name.slice(0, 64) || 'mcp';
}

const PROGRESS_INTERVAL_MS = 100;

/**
 * Progress goes to callers that asked for it, at most ten times a second, and never backwards. All
 * of it is on its way before the answer: what comes later is for nobody.
 */
function progressTo({ mcpReq }: ServerContext): { io: OperationIo; sent(): Promise<unknown> } {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { io: {}, sent: async () => {} };
  let last = -1;
  let lastMs = 0;
  let sending: Promise<unknown> = Promise.resolve();
  const io: OperationIo = {
    progress(done, total) {
      const nowMs = performance.now();
      const isEnd = done === total;
      if (done <= last || (!isEnd && nowMs - lastMs < PROGRESS_INTERVAL_MS)) return;
      [last, lastMs] = [done, nowMs];
      const params = { progressToken, progress: done, ...(total === undefined ? {} : { total }) };
      const notified = mcpReq.notify({ method: 'notifications/progress', params });
      sending = Promise.allSettled([sending, notified]);
    },
  };
  return { io, sent: () => sending };
}
