import { LociError } from '../../domain/errors.ts';
import type { Embedder } from '../../ports/embedder.ts';

/** The embedder inside this package. @throws LociError unsupported: this version has none yet */
export function builtinEmbedder(): Embedder {
  throw new LociError(
    'unsupported',
    'this version has no builtin embedder',
    'Set LOCI_EMBEDDER to none or to another embedder.',
  );
}
