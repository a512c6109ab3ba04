import { modelFacts, PROVIDERS, type EmbedderChoice } from '../../domain/embedder-choice.ts';
import { ask, failureOf } from './http.ts';
import { needKey } from './need-key.ts';
import { inOrder } from './openai.ts';
import type { Provider } from './provider.ts';

/** 1,000 texts and, with the largest models, 120,000 tokens, says Voyage's page. */
const LIMITS = { texts: 1000, tokens: 120_000 };

/** Voyage's `POST {base}/embeddings`, which puts its own words before questions and documents. */
export function voyageProvider(choice: EmbedderChoice): Provider {
  const { provider, model, apiKey, dimensions } = choice;
  const facts = modelFacts(choice);
  const baseUrl = choice.baseUrl ?? PROVIDERS.voyage.baseUrl ?? '';
  const url = `${baseUrl}/embeddings`;
  const key = 'Check the key in VOYAGE_API_KEY or LOCI_EMBED_API_KEY.';
  return {
    provider,
    model,
    instant: false,
    facts,
    limits: LIMITS,
    place: new URL(baseUrl).host,
    async request(texts, kind, signal) {
      needKey(choice);
      const body = {
        model,
        input: texts,
        input_type: kind,
        ...(dimensions === undefined || dimensions === facts.dimensions
          ? {}
          : { output_dimension: dimensions }),
      };
      const answer = await ask(url, signal, { apiKey, body });
      if (!answer.ok) {
        const hints = { 401: key, 403: key, 404: `Check embed_base_url: ${url} was asked.` };
        throw failureOf(answer, apiKey, hints);
      }
      return inOrder(answer.json, url);
    },
  };
}
