import type { RecallExplanation } from '../domain/explanation.ts';
import { parseQuery } from '../domain/text/query.ts';
import type { View } from '../domain/view.ts';
import type { Engine } from '../ports/engine.ts';
import { refusalsOf } from './filtered.ts';
import type { Wish } from './question.ts';
import type { Trace } from './trace.ts';

/** The best matches, filter or not, of which those that the filter holds back are counted by reason. */
const LOOKED_AT = 500;

/** What became of the candidates, as counts; what each score is made of stands with each result. */
export async function explainRecall(
  { text, filter, decay, lambda, floor, threshold }: Wish,
  {
    view,
    trace,
    channels,
  }: {
    readonly view: View;
    readonly trace: Trace;
    readonly channels: Readonly<Record<string, number>>;
  },
  engine: Engine,
): Promise<RecallExplanation> {
  const filtered: Record<string, number> = {};
  const query = parseQuery(text ?? '');
  if (query.terms.length > 0) {
    const { hits } = await engine.keyword({ view, filter: {}, query, k: LOOKED_AT });
    for (const { stored } of hits) {
      const [first] = refusalsOf(filter, stored.memory);
      if (first) filtered[first.criterion] = (filtered[first.criterion] ?? 0) + 1;
    }
  }
  return {
    channels,
    filtered: { ...filtered, ...trace.counts() },
    settings: {
      min_score: floor,
      diversity: lambda,
      confidence_threshold: threshold ?? null,
      decay_weight: decay.weight,
      decay_half_life: decay.halfLifeDays,
    },
  };
}
