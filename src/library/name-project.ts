import { namingOf } from '../domain/project.ts';
import type { Deps } from '../ports/deps.ts';

/**
 * Gives the current repository its name in this store, as its first memory would: what is kept under
 * a name must not come to belong to another repository that asks for the same one.
 * @throws LociError busy, unavailable
 */
export async function nameProject({ engine, scope }: Deps): Promise<void> {
  const { repository, actor } = scope;
  if (!repository) return;
  const key = await repository.ensureKey();
  if ((await engine.projects()).some((project) => project.key === key)) return;
  await engine.commit({ ids: [], contentKeys: [], actor }, (state) => {
    const naming = namingOf({ ...repository, key }, state.projects);
    return { changes: naming ? [naming] : [], result: undefined };
  });
}
