import { PROVIDERS, type EmbedderChoice } from '../../domain/embedder-choice.ts';
import { LociError } from '../../domain/errors.ts';

/** A vendor's own server refuses whoever has no key: it need not be asked. @throws LociError unavailable */
export function needKey({ provider, baseUrl, apiKey }: EmbedderChoice): void {
  const vendor = PROVIDERS[provider];
  if (apiKey || vendor.keyVariable === undefined) return;
  if (baseUrl !== undefined && baseUrl !== vendor.baseUrl) return;
  throw new LociError(
    'unavailable',
    `the embedder ${provider} has no key`,
    `Set ${vendor.keyVariable} or LOCI_EMBED_API_KEY.`,
  );
}
