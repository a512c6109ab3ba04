import { fingerprintOf } from '../domain/embedding.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { Engine } from '../ports/engine.ts';

/** How long a remote embedder may take to say what it is, milliseconds. */
const DESCRIBE_MS = 2000;

/**
 * Says when documents have vectors, but none of a model that is configured now: vectors of two models
 * are never compared, so until they are embedded again its meaning channel finds none of them.
 */
export async function modelNotice(
  embedders: readonly Embedder[],
  engine: Engine,
): Promise<string | undefined> {
  if (embedders.length === 0) return undefined;
  const kept = await engine.vectorModels();
  if (kept.length === 0) return undefined;
  const fingerprints = new Set(kept.map(fingerprintOf));
  const missing: string[] = [];
  for (const embedder of embedders) {
    const model = await described(embedder);
    if (model !== undefined && !fingerprints.has(model)) {
      missing.push(`${embedder.provider}:${embedder.model}`);
    }
  }
  if (missing.length === 0) return undefined;
  const before = kept.map(({ provider, model }) => `${provider}:${model}`).join(', ');
  return (
    `documents have vectors of ${before} and none of ${missing.join(', ')}: ` +
    'run loci reindex-docs on their folders'
  );
}

/** Undefined while it cannot be reached: recall says so itself. */
async function described(embedder: Embedder): Promise<string | undefined> {
  try {
    return fingerprintOf(await embedder.describe(AbortSignal.timeout(DESCRIBE_MS)));
  } catch {
    return undefined;
  }
}
