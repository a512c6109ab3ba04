// Servers under test, spoken to over real pipes: by the official client, or line by line.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, type ClientOptions, type Tool } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';

export const BIN = fileURLToPath(new URL('../../bin/loci.js', import.meta.url));

export type Era = 'legacy' | 'modern';
export const ERAS: readonly Era[] = ['legacy', 'modern'];

export interface Launch {
  readonly era?: Era;
  readonly store?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
}

export interface Reply {
  readonly text: string;
  readonly isError: boolean;
  /** The JSON of the answer; tests say what they expect in it. */
  // oxlint-disable-next-line typescript/no-explicit-any -- shapes are asserted, not declared
  readonly json: any;
  readonly bytes: number;
}

export interface Connected {
  readonly client: Client;
  readonly pid: number;
  call(name: string, args?: Record<string, unknown>): Promise<Reply>;
  tools(): Promise<Tool[]>;
  stderr(): string;
  close(): Promise<void>;
}

/** A folder of its own for the running test. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'loci-mcp-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

function environment({ env, store }: Launch): Record<string, string> {
  const all = { ...process.env, ...(store ? { LOCI_STORE: store } : {}), ...env };
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** A server and the official client, connected. Without a store it gets a fresh one. */
export async function connect(launch: Launch = {}): Promise<Connected> {
  const store = launch.store ?? join(tempFolder(), 'memory');
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, 'mcp', ...(launch.args ?? [])],
    env: environment({ ...launch, store }),
    cwd: launch.cwd ?? homedir(),
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk) => (stderr += String(chunk)));
  const mode = launch.era === 'modern' ? { pin: '2026-07-28' } : 'legacy';
  const options: ClientOptions = { versionNegotiation: { mode } };
  const client = new Client({ name: 'Test Client', version: '1.0.0' }, options);
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    pid: transport.pid ?? 0,
    stderr: () => stderr,
    close: () => client.close(),
    tools: async () => (await client.listTools()).tools,
    async call(name, args = {}) {
      return replyOf(await client.callTool({ name, arguments: args }));
    },
  };
}

function replyOf(result: unknown): Reply {
  const { content, isError, structuredContent } = result as {
    content: { type: string; text: string }[];
    isError?: boolean;
    structuredContent?: unknown;
  };
  return {
    text: content.map(({ text }) => text).join('\n'),
    isError: isError === true,
    json: structuredContent,
    bytes: Buffer.byteLength(JSON.stringify(result)),
  };
}

/** The ids of the memories that a call of `remember` stored. */
export function idsOf(reply: Reply): string[] {
  return reply.json.results.map(({ id }: { id: string }) => id);
}

export interface RawServer {
  readonly process: ChildProcessWithoutNullStreams;
  readonly exited: Promise<number | null>;
  /** Everything that came on standard output, by line. */
  lines(): string[];
  send(...messages: object[]): void;
  request(method: string, params?: object): Promise<Record<string, unknown>>;
  initialize(): Promise<Record<string, unknown>>;
  call(name: string, args?: object): Promise<Reply>;
}

/** A server whose wire a test sees. @param command default: the server itself */
export function startRaw(launch: Launch = {}, command?: readonly [string, ...string[]]): RawServer {
  const [file, ...rest] = command ?? [process.execPath, BIN, 'mcp', ...(launch.args ?? [])];
  const store = launch.store ?? join(tempFolder(), 'memory');
  const child = spawn(file, rest, {
    env: environment({ ...launch, store }),
    cwd: launch.cwd ?? homedir(),
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.on('error', () => {});
  let output = '';
  const waiting = new Map<number, (message: Record<string, unknown>) => void>();
  let read = 0;
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
    for (let end = output.indexOf('\n', read); end >= 0; end = output.indexOf('\n', read)) {
      const line = output.slice(read, end);
      read = end + 1;
      const message = line.startsWith('{') ? JSON.parse(line) : {};
      waiting.get(message.id)?.(message);
    }
  });
  child.once('exit', () => {
    for (const give of waiting.values()) give({ error: { message: 'the server has exited' } });
  });
  let lastId = 0;
  const server: RawServer = {
    process: child,
    exited: new Promise((resolve) => child.once('exit', (code) => resolve(code))),
    lines: () => output.split('\n').filter((line) => line !== ''),
    send: (...messages) =>
      void child.stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join('')),
    request(method, params = {}) {
      const id = ++lastId;
      const answer = new Promise<Record<string, unknown>>((resolve) => waiting.set(id, resolve));
      server.send({ jsonrpc: '2.0', id, method, params });
      return answer;
    },
    async initialize() {
      const answer = await server.request('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'raw', version: '1' },
      });
      server.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      return answer;
    },
    async call(name, args = {}) {
      const { result, error } = await server.request('tools/call', { name, arguments: args });
      if (error) throw new Error(`${name}: ${JSON.stringify(error)}`);
      return replyOf(result);
    },
  };
  return server;
}

/** Whether a process is still there. A zombie has ended. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until a condition holds. @throws when it does not within the time */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 5_000,
): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`not so after ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
