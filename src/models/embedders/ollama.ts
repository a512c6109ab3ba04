import { modelFacts, PROVIDERS, type EmbedderChoice } from '../../domain/embedder-choice.ts';
import type { Secret } from '../../domain/secret.ts';
import { Failure } from './failure.ts';
import { ask, failureOf, type Answer } from './http.ts';
import type { Identity, Provider } from './provider.ts';

const LIMITS = { texts: 32, tokens: 16_000 };

/**
 * Ollama's `POST /api/embed`; servers before 0.3 have only `/api/embeddings`, one text at a time.
 * The digest of the model is its revision: pulling a newer one makes new vectors.
 */
export function ollamaProvider(choice: EmbedderChoice): Provider {
  const { provider, model, apiKey, dimensions } = choice;
  const baseUrl = choice.baseUrl ?? PROVIDERS.ollama.baseUrl ?? '';
  const post = (path: string, body: unknown, signal: AbortSignal): Promise<Answer> =>
    ask(`${baseUrl}${path}`, signal, { apiKey, body });
  let isOld = false;

  async function embed(texts: readonly string[], signal: AbortSignal): Promise<readonly unknown[]> {
    const length = dimensions === undefined ? {} : { dimensions };
    const body = { model, input: texts, truncate: true, ...length };
    const answer = await post('/api/embed', body, signal);
    if (isMissingPath(answer)) {
      isOld = true;
      return embedEach(texts, signal);
    }
    if (!answer.ok) throw ollamaFailure(answer, apiKey, model, baseUrl);
    return listOf(answer.json, 'embeddings');
  }

  async function embedEach(texts: readonly string[], signal: AbortSignal): Promise<unknown[]> {
    const vectors: unknown[] = [];
    for (const prompt of texts) {
      const answer = await post('/api/embeddings', { model, prompt }, signal);
      if (!answer.ok) throw ollamaFailure(answer, apiKey, model, baseUrl);
      vectors.push(listOf(answer.json, 'embedding'));
    }
    return vectors;
  }

  return {
    provider,
    model,
    instant: false,
    facts: modelFacts(choice),
    limits: LIMITS,
    place: new URL(baseUrl).host,
    async identify(signal): Promise<Identity> {
      const answer = await ask(`${baseUrl}/api/tags`, signal, { apiKey });
      if (!answer.ok && answer.status >= 500) throw failureOf(answer, apiKey);
      const revision = digestOf(model, answer.json);
      return revision === undefined ? {} : { revision };
    },
    request: (texts, _kind, signal) => (isOld ? embedEach(texts, signal) : embed(texts, signal)),
  };
}

/** A path that is not there is plain text; a model that is not there is JSON. */
function isMissingPath({ status, json }: Answer): boolean {
  return (status === 404 || status === 405) && json === undefined;
}

function ollamaFailure(
  answer: Answer,
  apiKey: Secret | undefined,
  model: string,
  baseUrl: string,
): Failure {
  const isPath = isMissingPath(answer);
  return failureOf(answer, apiKey, {
    401: 'Set LOCI_EMBED_API_KEY.',
    403: 'Check LOCI_EMBED_API_KEY.',
    404: isPath ? `Check embed_base_url: ${baseUrl} is no Ollama server.` : `ollama pull ${model}`,
    405: `Check embed_base_url: ${baseUrl} is no Ollama server.`,
  });
}

function listOf(json: unknown, key: string): readonly unknown[] {
  const list = (json as Record<string, unknown> | undefined)?.[key];
  if (Array.isArray(list)) return list;
  throw new Failure('rejected', `answered without ${key}`, {
    hint: 'Check that embed_base_url is the address of an Ollama server.',
  });
}

function digestOf(model: string, json: unknown): string | undefined {
  const models = (json as { models?: unknown } | undefined)?.models;
  if (!Array.isArray(models)) return undefined;
  const name = model.includes(':') ? model : `${model}:latest`;
  const found = models.find((entry) => (entry as { name?: unknown } | null)?.name === name);
  const digest = (found as { digest?: unknown } | undefined)?.digest;
  return typeof digest === 'string' && digest !== '' ? digest : undefined;
}
