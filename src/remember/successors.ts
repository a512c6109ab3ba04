import type { View } from '../domain/view.ts';
import type { Engine } from '../ports/engine.ts';

/**
 * The ids of what replaced these memories: a commit that would replace one of them again has to see
 * who did it, to tell it to those who may know.
 */
export async function successorsOf(
  refs: readonly (string | undefined)[],
  view: View,
  engine: Engine,
): Promise<readonly string[]> {
  const named = refs.filter((ref) => ref !== undefined);
  if (named.length === 0) return [];
  const found = await engine.get(named, view);
  return found.flatMap(({ memory }) => memory.superseded_by ?? []);
}
