import { modelFacts, PROVIDERS, type EmbedderChoice } from '../../domain/embedder-choice.ts';
import type { EmbeddingKind } from '../../ports/embedder.ts';
import { Failure } from './failure.ts';
import { ask, failureOf } from './http.ts';
import { needKey } from './need-key.ts';
import type { Provider, RequestLimits } from './provider.ts';

/** Of OpenAI's page; a model that people serve themselves is asked for less at a time. */
const LIMITS: Partial<Record<EmbedderChoice['provider'], RequestLimits>> = {
  openai: { texts: 2048, tokens: 300_000 },
  openrouter: { texts: 128, tokens: 100_000 },
};
const SELF_HOSTED: RequestLimits = { texts: 32, tokens: 16_000 };

/**
 * OpenAI's `POST {base}/embeddings`, and all who speak it: OpenRouter, vLLM, LM Studio, llama.cpp,
 * text-embeddings-inference, LiteLLM.
 */
export function openAiProvider(choice: EmbedderChoice): Provider {
  const { provider, model, apiKey, dimensions } = choice;
  const facts = modelFacts(choice);
  const baseUrl = choice.baseUrl ?? PROVIDERS[provider].baseUrl ?? '';
  const bodyOf = (texts: readonly string[], kind: EmbeddingKind) => ({
    model,
    input: texts,
    encoding_format: 'float',
    ...(dimensions === undefined || dimensions === facts.dimensions ? {} : { dimensions }),
    // Where we know no prefix of the model's, OpenRouter passes on what the text is.
    ...(provider === 'openrouter' && facts.queryPrefix === undefined
      ? { input_type: kind === 'query' ? 'search_query' : 'search_document' }
      : {}),
  });
  return {
    provider,
    model,
    instant: false,
    facts,
    limits: LIMITS[provider] ?? SELF_HOSTED,
    place: new URL(baseUrl).host,
    async request(texts, kind, signal) {
      const url = `${baseUrl}/embeddings`;
      needKey(choice);
      const answer = await ask(url, signal, { apiKey, body: bodyOf(texts, kind) });
      if (!answer.ok) throw failureOf(answer, apiKey, hintsFor(choice, url));
      return inOrder(answer.json, url);
    },
  };
}

function hintsFor(
  { provider, model, apiKey }: EmbedderChoice,
  url: string,
): Readonly<Record<number, string>> {
  const variable = PROVIDERS[provider].keyVariable ?? 'LOCI_EMBED_API_KEY';
  const key = apiKey ? `Check the key in ${variable} or LOCI_EMBED_API_KEY.` : `Set ${variable}.`;
  return {
    401: key,
    403: key,
    404: `Check embed_base_url, since ${url} was asked, and whether it has the model ${model}.`,
    402: 'The account has no credit left.',
    429: 'Wait, or raise the limit of the account.',
  };
}

/** `data` sorted by `index`, which servers need not keep in order. Old ones leave `index` out. */
export function inOrder(json: unknown, url: string): readonly unknown[] {
  const data = (json as { data?: unknown } | undefined)?.data;
  if (!Array.isArray(data)) {
    throw new Failure('rejected', 'answered with something that is no list of embeddings', {
      hint: `Check embed_base_url: ${url} was asked.`,
    });
  }
  const rows = data as readonly ({ index?: unknown; embedding?: unknown } | null)[];
  if (rows.every((row) => row?.index === undefined)) return rows.map((row) => row?.embedding);
  const ordered: unknown[] = Array.from({ length: rows.length });
  const seen = new Set<unknown>();
  for (const row of rows) {
    const index = row?.index;
    if (!Number.isInteger(index) || !((index as number) in ordered) || seen.has(index)) {
      throw new Failure('rejected', 'answered with vectors that belong to no text');
    }
    seen.add(index);
    ordered[index as number] = row?.embedding;
  }
  return ordered;
}
