// A server that speaks the wire formats of the vendors, with a fault now and then.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Body = Record<string, unknown>;

export interface Exchange {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
  readonly texts: readonly string[];
  /** What a healthy server would answer. */
  readonly healthy: Body;
  json(status: number, body: unknown, headers?: Record<string, string>): void;
  text(status: number, body: string): void;
}
type Answer = (exchange: Exchange) => void;

export interface TestServer {
  readonly url: string;
  /** Requests for vectors, in order. */
  readonly requests: Exchange[];
  /** Answers of the next requests for vectors, one each; then `otherwise`. */
  readonly next: Answer[];
  otherwise: Answer;
  dimensions: number;
  /** The digest that Ollama gives its model. */
  digest: string | undefined;
  /** Paths that this server does not have. */
  readonly missing: Set<string>;
  close(): Promise<void>;
}

export const healthy: Answer = ({ json, healthy: body }) => json(200, body);
/** Accepts and never answers. */
export const silent: Answer = () => {};

/** What a vector is made of here: its text, so that each text has its own. */
export function vectorFor(text: string, dimensions: number): number[] {
  let state = 7;
  for (const character of text) state = (state * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return Array.from({ length: dimensions }, (_, i) => {
    state = (state * 48_271 + i) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5;
  });
}

export async function startServer(): Promise<TestServer> {
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const body: Body = text === '' ? {} : (JSON.parse(text) as Body);
      handle(state, { path: request.url ?? '', headers: request.headers, body }, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const state: TestServer = {
    url: `http://127.0.0.1:${port}`,
    requests: [],
    next: [],
    otherwise: healthy,
    dimensions: 12,
    digest: undefined,
    missing: new Set(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return state;
}

function handle(
  state: TestServer,
  { path, headers, body }: Pick<Exchange, 'path' | 'headers' | 'body'>,
  response: ServerResponse,
): void {
  const json: Exchange['json'] = (status, value, more = {}) => {
    response.writeHead(status, { 'content-type': 'application/json', ...more });
    response.end(JSON.stringify(value));
  };
  const text: Exchange['text'] = (status, value) => {
    response.writeHead(status, { 'content-type': 'text/html' }).end(value);
  };
  if (state.missing.has(path)) return text(404, '404 page not found');
  if (path === '/api/tags') {
    const named = { name: 'nomic-embed-text:latest', digest: state.digest };
    return json(200, { models: state.digest === undefined ? [] : [named] });
  }
  const texts = textsOf(body);
  const made = healthyAnswer(state, path, body, texts);
  if (made === undefined) return text(404, '404 page not found');
  const exchange: Exchange = { path, headers, body, texts, healthy: made, json, text };
  state.requests.push(exchange);
  (state.next.shift() ?? state.otherwise)(exchange);
}

function textsOf({ input, prompt }: Body): readonly string[] {
  if (typeof prompt === 'string') return [prompt];
  return Array.isArray(input) ? (input as string[]) : [];
}

function healthyAnswer(
  { dimensions }: TestServer,
  path: string,
  { model, dimensions: openai, output_dimension: voyage }: Body,
  texts: readonly string[],
): Body | undefined {
  const length = (openai ?? voyage ?? dimensions) as number;
  const vectors = texts.map((each) => vectorFor(each, length));
  if (path.endsWith('/api/embed')) return { model, embeddings: vectors };
  if (path.endsWith('/api/embeddings')) return { embedding: vectors[0] ?? [] };
  if (!path.endsWith('/embeddings')) return undefined;
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
  return { object: 'list', data, model, usage: { total_tokens: 1 } };
}
