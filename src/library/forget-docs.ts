import { isSameReader } from '../domain/document-reader.ts';
import type { ReindexDocsResult } from '../domain/documents.ts';
import type { Deps } from '../ports/deps.ts';
import { notIndexed, readerOf, visibleRoots } from './roots.ts';

/**
 * Takes a folder out of the current project; what no project reads any more is removed.
 * @throws LociError not_found, with the folders that there are
 */
export async function forgetDocs(root: string, deps: Deps): Promise<ReindexDocsResult> {
  const reader = await readerOf(deps);
  const { project } = reader;
  const store = await deps.documents.open();
  const own = ((await store?.roots()) ?? []).filter(({ readers }) =>
    readers.some((other) => isSameReader(other, reader)),
  );
  if (!store || !own.some(({ path }) => path === root)) {
    const others = store ? await visibleRoots(store, deps) : [];
    throw notIndexed('dir', root, { project, others });
  }
  const removed = (await store.files(root)).length;
  await store.forget(root, reader);
  const files = { indexed: 0, unchanged: 0, removed, failed: 0 };
  return { root, project, files, sections: 0, warnings: deps.notices };
}
