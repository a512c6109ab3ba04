import { afterEach, beforeEach } from 'vitest';
import type { EmbedderChoice } from '../../../src/domain/embedder-choice.ts';
import { Secret } from '../../../src/domain/secret.ts';
import { createEmbedder, type CreateOptions } from '../../../src/models/embedders/create.ts';
import type { Embedder } from '../../../src/ports/embedder.ts';
import { startServer, type TestServer } from './server.ts';

export const KEY = 'key-7f3a';
/** Patience that a test has. */
export const HASTY: CreateOptions = {
  backoffMs: 5,
  pauseMs: 500,
  timeoutMs: { query: 300, document: 600 },
};

/** A server for each test of the file. */
export function useServer(): () => TestServer {
  let server: TestServer | undefined;
  beforeEach(async () => {
    server = await startServer();
  });
  afterEach(() => server?.close());
  return () => server as TestServer;
}

export function embedderAt(
  { url }: { readonly url: string },
  choice: Partial<EmbedderChoice> & Pick<EmbedderChoice, 'provider'>,
  options: CreateOptions = HASTY,
): Embedder {
  const whole: EmbedderChoice = {
    model: 'test-model',
    baseUrl: url,
    apiKey: new Secret(KEY),
    ...choice,
  };
  return createEmbedder(whole, options);
}

export function compatible(server: TestServer, more: Partial<EmbedderChoice> = {}): Embedder {
  return embedderAt(server, { provider: 'openai-compatible', ...more });
}
