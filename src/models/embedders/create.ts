import type { EmbedderChoice } from '../../domain/embedder-choice.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { EmbedderOptions } from './checked.ts';
import { importInstalled, type ImportPeer } from './peers.ts';
import { once } from './once.ts';
import type { Provider } from './provider.ts';

export interface CreateOptions extends EmbedderOptions {
  /** Loads optional packages. Default `import()`. */
  readonly importPeer?: ImportPeer;
}

/** The embedders of a configuration, in its order; none of them is loaded or asked yet. */
export async function createEmbedders(
  { embedders }: { readonly embedders: readonly EmbedderChoice[] },
  options?: CreateOptions,
): Promise<readonly Embedder[]> {
  return embedders.map((choice) => createEmbedder(choice, options));
}

/**
 * The embedder of a choice. Its code, packages and weights are loaded when it is first used; what
 * cannot be loaded is tried again the next time.
 */
export function createEmbedder(choice: EmbedderChoice, options: CreateOptions = {}): Embedder {
  const made = once(() => make(choice, options));
  return {
    provider: choice.provider,
    model: choice.model,
    instant: choice.provider === 'builtin' || choice.provider === 'fake',
    describe: async (signal) => (await made()).describe(signal),
    embed: async (texts, kind, signal) => (await made()).embed(texts, kind, signal),
    ...(choice.provider === 'builtin'
      ? { wordsAmong: async (words) => (await made()).wordsAmong?.(words) ?? new Set() }
      : {}),
    async close() {
      const embedder = await made.take()?.catch(() => undefined);
      await embedder?.close();
    },
  };
}

async function make(choice: EmbedderChoice, options: CreateOptions): Promise<Embedder> {
  if (choice.provider === 'builtin') {
    const { builtinEmbedder } = await import('./builtin.ts');
    return builtinEmbedder();
  }
  const [{ checked }, provider] = await Promise.all([
    import('./checked.ts'),
    providerOf(choice, options.importPeer ?? importInstalled),
  ]);
  const { dimensions, timeoutMs: ms } = choice;
  const timeoutMs = ms === undefined ? undefined : { query: ms, document: ms };
  return checked(provider, { ...options, dimensions, ...(timeoutMs ? { timeoutMs } : {}) });
}

async function providerOf(choice: EmbedderChoice, importPeer: ImportPeer): Promise<Provider> {
  switch (choice.provider) {
    case 'use-lite':
      return (await import('./use-lite.ts')).useLiteProvider(choice, importPeer);
    case 'transformers':
      return (await import('./transformers.ts')).transformersProvider(choice, importPeer);
    case 'ollama':
      return (await import('./ollama.ts')).ollamaProvider(choice);
    case 'voyage':
      return (await import('./voyage.ts')).voyageProvider(choice);
    case 'fake':
      return (await import('./fake.ts')).fakeProvider(choice);
    default:
      return (await import('./openai.ts')).openAiProvider(choice);
  }
}
