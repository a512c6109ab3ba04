import type { Finding } from '../domain/finding.ts';
import { fingerprintOf } from '../domain/embedding.ts';
import { VIEW_ALL } from '../domain/view.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { Engine } from '../ports/engine.ts';

/**
 * Memories that are found by their words only: not embedded yet, or their vectors were lost. Instant
 * embedders make up for it at the next question and are passed over. Asks nobody outside.
 */
export async function withoutVectors(
  engine: Engine,
  embedders: readonly Embedder[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { provider, model, instant } of embedders) {
    if (instant) continue;
    const kept = await engine.vectorModels();
    const known = kept.findLast((one) => one.provider === provider && one.model === model);
    const { total } = await engine.stats(VIEW_ALL);
    const pending = known ? (await engine.vectorCounts(fingerprintOf(known))).pending : total;
    if (pending === 0) continue;
    findings.push({
      check: 'vectors',
      severity: 'info',
      message: `${pending} of ${total} memories have no vectors of ${provider}:${model}`,
      hint: 'Words find them. To embed them now, run: loci re-embed',
    });
  }
  return findings;
}
