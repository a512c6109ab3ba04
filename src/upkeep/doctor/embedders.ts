import { fingerprintOf } from '../../domain/embedding.ts';
import { asLociError } from '../../domain/errors.ts';
import type { Diagnosis } from '../../domain/finding.ts';
import type { Examination } from '../../domain/results.ts';
import type { Deps } from '../../ports/deps.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { VectorCounts } from '../../ports/engine.ts';
import { examined, type Examined } from './examined.ts';

/** How long an embedder may take to answer. */
const PATIENCE_MS = 10_000;
/** What it is asked to embed: no text of anybody's. */
const PROBE = 'test';

/** What finds memories by meaning: whether each embedder answers, and what it has still to do. */
export async function examineEmbedders({ engine, embedders = [] }: Deps): Promise<Examined> {
  if (embedders.length === 0) {
    const message = 'none is configured: memories are found by their words alone';
    return examined([{ check: 'embedder', ok: true, message }], []);
  }
  const facts: Examination[] = [];
  const findings: Diagnosis[] = [];
  for (const embedder of embedders) {
    const name = `${embedder.provider}:${embedder.model}`;
    try {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const model = await embedder.describe(signal);
      await embedder.embed([PROBE], 'query', signal);
      const counts = await engine.vectorCounts(fingerprintOf(model));
      const undone = unfinished(embedder, name, counts);
      findings.push(...undone);
      const { stored, pending } = counts;
      const message = `${name}, ${model.dimensions} dimensions, ${stored} stored, ${pending} pending`;
      facts.push({ check: 'embedder', ok: undone.length === 0, message });
    } catch (thrown) {
      const { message, hint } = asLociError(thrown);
      facts.push({ check: 'embedder', ok: false, message: `${name} is off: ${message}` });
      findings.push({
        check: 'embedder',
        severity: 'warning',
        confidence: 1,
        ids: [],
        message: `${name} is off, and nothing is found by its meaning: ${message}`,
        ...(hint === undefined ? {} : { fix: hint }),
      });
    }
  }
  return examined(facts, findings);
}

/** What an instant embedder has not done yet, the next recall does. */
function unfinished(
  { instant }: Embedder,
  name: string,
  { pending }: VectorCounts,
): readonly Diagnosis[] {
  if (instant || pending === 0) return [];
  return [
    {
      check: 'embedder',
      severity: 'warning',
      confidence: 1,
      ids: [],
      message: `${pending} memories have no vectors of ${name} yet`,
      fix: 'loci re-embed',
    },
  ];
}
