import { afterAll, beforeAll } from 'vitest';
import { createEmbedder } from '../../../src/models/embedders/create.ts';
import { embedderContract } from '../../../src/testing/embedder-contract.ts';
import { startServer, type TestServer } from './server.ts';
import { embedderAt } from './support.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  server.digest = 'sha256:1a2b';
});
afterAll(() => server.close());

embedderContract('fake', { make: () => createEmbedder({ provider: 'fake', model: 'fake' }) });
embedderContract('openai-compatible', {
  make: () => embedderAt(server, { provider: 'openai-compatible' }, {}),
});
embedderContract('openai, asked for 256 numbers', {
  make: () =>
    embedderAt(
      server,
      { provider: 'openai', model: 'text-embedding-3-small', dimensions: 256 },
      {},
    ),
});
embedderContract('openrouter', {
  make: () => embedderAt(server, { provider: 'openrouter', model: 'baai/bge-m3' }, {}),
});
embedderContract('voyage, asked for 512 numbers', {
  make: () =>
    embedderAt(server, { provider: 'voyage', model: 'voyage-4-lite', dimensions: 512 }, {}),
});
embedderContract('ollama', {
  make: () => embedderAt(server, { provider: 'ollama', model: 'nomic-embed-text' }, {}),
});
