import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ENVIRONMENT } from './store.mjs';

/** @typedef {{ jsonrpc: '2.0', id?: number, method?: string, params?: unknown, result?: { isError?: boolean } }} Message */

/** @type {Message} */
const HELLO = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '0' },
  },
};

/** @type {string | undefined} */
let bundled;

/**
 * The arguments of the minimal server, bundled like ours, for Node.
 * @param {string} folder
 */
export async function minimalServer(folder) {
  if (bundled === undefined) {
    const { build } = await import('esbuild');
    bundled = join(folder, 'minimal.mjs');
    await build({
      entryPoints: [fileURLToPath(new URL('minimal-server.mjs', import.meta.url))],
      outfile: bundled,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
    });
  }
  return [bundled];
}

/**
 * Milliseconds from spawn to the answer of initialize, or to the first recall after it.
 * @param {readonly string[]} args
 * @param {string} [question]
 */
export async function timeToAnswer(args, question) {
  const began = performance.now();
  const server = spawnServer(args);
  await server.ask(HELLO);
  if (question !== undefined) {
    server.tell({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const params = { name: 'recall', arguments: { query: question } };
    const answer = await server.ask({ jsonrpc: '2.0', id: 2, method: 'tools/call', params });
    if (!answer.result || answer.result.isError) throw new Error(JSON.stringify(answer));
  }
  const ms = performance.now() - began;
  await server.stop();
  return ms;
}

/**
 * A server that has shaken hands, its process id given to `look`.
 * @template T
 * @param {readonly string[]} args
 * @param {(pid: number) => Promise<T>} look
 */
export async function withServer(args, look) {
  const server = spawnServer(args);
  await server.ask(HELLO);
  server.tell({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const seen = await look(server.pid);
  await server.stop();
  return seen;
}

/** @param {readonly string[]} args */
function spawnServer(args) {
  const stdio = /** @type {const} */ (['pipe', 'pipe', 'inherit']);
  const child = spawn(process.execPath, args, { stdio: [...stdio], env: ENVIRONMENT });
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new Error('the server has no pipes');
  const ended = new Promise((resolve) => {
    child.once('exit', resolve);
  });
  /** @type {Map<number | undefined, (message: Message) => void>} */
  const waiting = new Map();
  let buffer = '';
  stdout.setEncoding('utf8');
  stdout.on('data', (chunk) => {
    const lines = (buffer + chunk).split('\n');
    buffer = lines.pop() ?? '';
    for (const line of lines.filter((text) => text !== '')) {
      /** @type {Message} */
      const message = JSON.parse(line);
      waiting.get(message.id)?.(message);
    }
  });
  /** @param {Message} message */
  const tell = (message) => void stdin.write(`${JSON.stringify(message)}\n`);
  return {
    pid: /** @type {number} */ (child.pid),
    tell,
    /**
     * @param {Message} message
     * @returns {Promise<Message>}
     */
    ask(message) {
      return new Promise((resolve, reject) => {
        waiting.set(message.id, resolve);
        void ended.then(() => reject(new Error(`${args.join(' ')} ended without an answer`)));
        tell(message);
      });
    },
    async stop() {
      stdin.end();
      await ended;
    },
  };
}
