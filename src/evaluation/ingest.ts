import { quote } from '../domain/errors.ts';
import type { EvalMemory } from '../domain/eval-set.ts';
import type { MemoryInput } from '../domain/inputs.ts';
import type { Receipt } from '../domain/results.ts';
import type { Loci } from '../loci.ts';

/** How many memories one call of `remember` takes. */
const BATCH = 250;

export interface Ingested {
  /** The store's id for each id of the set; a merged memory has its survivor's. */
  readonly storedIds: ReadonlyMap<string, string>;
  readonly msPerMemory: number;
  /** What was lost on the way; a lost memory counts as not found. */
  readonly warnings: readonly string[];
}

/** Writes the memories in their order, as any caller would. */
export async function ingest(
  memories: readonly EvalMemory[],
  loci: Loci,
  progress: (done: number) => void,
): Promise<Ingested> {
  const storedIds = new Map<string, string>();
  const taken = new Set<string>();
  const warnings: string[] = [];
  let ms = 0;
  for (let from = 0; from < memories.length; from += BATCH) {
    progress(from);
    const batch = memories.slice(from, from + BATCH);
    const startedMs = performance.now();
    const { results } = await loci.remember(batch.map(inputOf));
    ms += performance.now() - startedMs;
    batch.forEach((memory, i) => {
      const receipt = results[i] ?? { id: '', outcome: 'refused' };
      const loss = lossOf(memory, receipt, taken.has(receipt.id));
      if (loss === undefined) storedIds.set(memory.id, receipt.id);
      else warnings.push(`memory ${quote(memory.id)} ${loss}`);
      taken.add(receipt.id);
    });
  }
  return { storedIds, msPerMemory: ms / memories.length, warnings };
}

function inputOf({ id, ...memory }: EvalMemory): MemoryInput {
  return { ...memory, externalId: id };
}

/** A merge is no loss, unless the memory was to replace another one and did not. */
function lossOf(memory: EvalMemory, receipt: Receipt, isMerged: boolean): string | undefined {
  if (receipt.outcome === 'refused') return `was refused: ${receipt.reason ?? 'no receipt'}`;
  const replaces = memory.supersedes !== undefined;
  if (!isMerged || !replaces || receipt.outcome === 'superseded') return undefined;
  return `was merged into ${receipt.id} and replaces nothing`;
}
