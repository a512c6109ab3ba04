import { LociError } from '../domain/errors.ts';
import { purgeOptions } from '../domain/log-options.ts';
import type { PurgeOptions, PurgeResult } from '../domain/log-verbs.ts';
import { parseInput } from '../domain/parse.ts';
import type { Deps } from '../ports/deps.ts';
import type { View } from '../domain/view.ts';
import { confinedView } from '../ports/scope.ts';

/**
 * Deletes memories of the current project for good, and the conflicts that speak of them.
 * @throws LociError invalid_input when it was not confirmed
 */
export async function purge(options: PurgeOptions, deps: Deps): Promise<PurgeResult> {
  const { ids, yes = false } = parseInput(purgeOptions, options, 'purge');
  if (!yes) {
    throw new LociError(
      'invalid_input',
      'purge deletes for good, and yes is not set',
      'Say --yes. To take a memory out of recall and keep its history, archive or reject it.',
    );
  }
  const { engine, scope } = deps;
  const view = await confinedView(deps);
  const found = new Map<string, string>();
  for (const ref of ids) {
    const [stored] = await engine.get([ref], view);
    if (stored) found.set(ref, stored.memory.id);
  }
  const named = [...new Set(found.values())];
  const conflicts = await conflictsAbout(named, view, deps);
  const { purged, warnings } = await engine.purge([...named, ...conflicts], scope.actor);
  const missing = ids.filter((ref) => !purged.includes(found.get(ref) ?? ''));
  return { purged, missing, warnings };
}

/** Conflicts quote what they are about. Those derived from concurrent edits go by themselves. */
async function conflictsAbout(
  ids: readonly string[],
  view: View,
  { engine }: Deps,
): Promise<readonly string[]> {
  const edges = await engine.edges(ids, view);
  const sources = edges.filter(({ target }) => ids.includes(target)).map(({ source }) => source);
  const about = await engine.get([...new Set(sources)], view);
  return about
    .filter(({ memory, heads }) => memory.type === 'conflict' && heads.length > 0)
    .map(({ memory }) => memory.id);
}
