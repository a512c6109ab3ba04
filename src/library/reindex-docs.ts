import { isSameReader } from '../domain/document-reader.ts';
import { reindexDocsOptions } from '../domain/document-options.ts';
import type { ReindexDocsOptions, ReindexDocsResult } from '../domain/documents.ts';
import { matchesGlob } from '../domain/glob.ts';
import { parseInput } from '../domain/parse.ts';
import type { Deps } from '../ports/deps.ts';
import type { Progress } from '../ports/log-life.ts';
import { bringUpToDate } from './bring-up-to-date.ts';
import { ChangeBatch } from './change-batch.ts';
import { forgetDocs } from './forget-docs.ts';
import { nameProject } from './name-project.ts';
import { readerOf, requireFolder, rootNamed } from './roots.ts';
import { walk, type Walked } from './walk.ts';

/** Warnings beyond these are only counted. */
const MOST_WARNINGS = 100;

/**
 * The story of indexing a folder of documents: walk → those whose stamps changed → read → those whose
 * content changed → sections → write, some files at a time → what is gone → embed. A file that cannot be
 * read or understood keeps what was known of it and stops nothing.
 */
export async function reindexDocs(
  options: ReindexDocsOptions,
  deps: Deps,
  progress?: Progress,
): Promise<ReindexDocsResult> {
  const parsed = parseInput(reindexDocsOptions, options, 'reindex-docs');
  const { dir, glob, force = false, forget = false } = parsed;
  const root = rootNamed(dir, deps);
  if (forget) return forgetDocs(root, deps);
  requireFolder(root, deps);
  const walked = walk(root, glob);
  await nameProject(deps);
  const reader = await readerOf(deps);
  const store = await deps.documents.create();
  const roots = await store.roots();
  const isReader = roots.some(
    ({ path, readers }) => path === root && readers.some((other) => isSameReader(other, reader)),
  );
  if (!isReader) await store.write(root, reader, []);
  const known = new Map((await store.files(root)).map((file) => [file.file, file]));
  const batch = new ChangeBatch((changes) => store.write(root, reader, changes));
  const counts = { indexed: 0, unchanged: 0, removed: 0, failed: walked.unread.length };
  const problems = problemsOf(walked);
  const asked = { force, secrets: deps.secrets ?? 'redact' };
  let done = 0;
  for (const found of walked.files.values()) {
    progress?.((done += 1), walked.files.size);
    const outcome = await bringUpToDate(root, found, known.get(found.file), asked);
    counts[outcome.counts] += 1;
    if (outcome.change) await batch.add(outcome.change);
    if (outcome.problem !== undefined) problems.push(outcome.problem);
  }
  for (const gone of goneOf(known.keys(), walked, glob)) {
    counts.removed += 1;
    await batch.add({ gone });
  }
  await batch.flush();
  const notEmbedded = await deps.documents.embed(progress);
  const sections = (await store.files(root)).reduce((sum, file) => sum + file.sections, 0);
  const warnings = [...deps.notices, ...atMost(problems, MOST_WARNINGS), ...notEmbedded];
  return { root, project: reader.project, files: counts, sections, warnings };
}

/** What was known and is no longer there, as far as this walk could see. */
function goneOf(
  known: Iterable<string>,
  { files, unread }: Walked,
  glob: string | undefined,
): string[] {
  const isHidden = (file: string): boolean =>
    unread.some(({ path }) => path === '.' || file === path || file.startsWith(`${path}/`));
  const isAsked = (file: string): boolean => glob === undefined || matchesGlob(glob, file);
  return [...known].filter((file) => !files.has(file) && !isHidden(file) && isAsked(file));
}

function problemsOf({ unread, stores }: Walked): string[] {
  return [
    ...unread.map(({ path, why }) => `${path}: it cannot be read (${why})`),
    ...stores.map((path) => `${path}: passed over, it is a store of memories`),
  ];
}

function atMost(lines: readonly string[], most: number): readonly string[] {
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most), `and ${lines.length - most} more`];
}
