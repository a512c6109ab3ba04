import { appendFile, readFile } from 'node:fs/promises';
import { LociError, quote } from '../../domain/errors.ts';
import { addGoldenOptions, type EvalQuery } from '../../domain/eval-set.ts';
import type { AddedGolden, AddGoldenOptions } from '../../domain/golden.ts';
import { redact } from '../../domain/hygiene/redact.ts';
import { slugOf } from '../../domain/identity.ts';
import { parseInput } from '../../domain/parse.ts';
import type { Loci } from '../../loci.ts';
import type { Deps } from '../../ports/deps.ts';
import { currentProject } from '../../ports/scope.ts';
import { ask } from '../ask.ts';
import type { Line } from '../read-lines.ts';
import { readQueries } from '../read-set.ts';
import { DEPTH } from '../score.ts';

const SLUG_LENGTH = 40;

/**
 * Keeps a question as golden, with the memories that answer it, and says where they stand today.
 * @throws LociError not_found (an id that the current project does not see), conflict when the
 * question is kept already, invalid_input, unavailable
 */
export async function addGolden(
  options: AddGoldenOptions,
  loci: Loci,
  deps: Deps,
): Promise<AddedGolden> {
  const { file, query: asked, ids } = parseInput(addGoldenOptions, options, 'golden');
  const query = deps.secrets === 'keep' ? asked : redact(asked).text;
  const { memories, missing } = await loci.get({ ids });
  if (missing.length > 0) {
    throw new LociError(
      'not_found',
      `There is no memory ${quote(missing[0])}, or not for this project`,
      'Nothing was kept. loci recall shows the ids of what it finds.',
    );
  }
  const { scope, engine } = deps;
  const question = {
    project: await currentProject(deps),
    ...(engine.isolated && scope.agent !== undefined ? { agent: scope.agent } : {}),
    query,
  };
  const text = await textOf(file);
  const kept = text.trim() === '' ? [] : await readQueries(file, '');
  refuseTwice(question, kept);

  const id = freeId(query, new Set(kept.map(({ value }) => value.id)));
  const relevant = Object.fromEntries(memories.map((memory) => [memory.id, 2]));
  const added = { id, ...question, relevant };
  await append(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${JSON.stringify(added)}\n`);

  const { results } = await ask(question, loci, DEPTH, []);
  const ranks = memories.map((memory) => results.findIndex((found) => found.id === memory.id) + 1);
  return { file, added, ranks: ranks.map((rank) => (rank === 0 ? null : rank)) };
}

function refuseTwice(
  { project, agent, query }: Pick<EvalQuery, 'project' | 'agent' | 'query'>,
  kept: readonly Line<EvalQuery>[],
): void {
  const same = kept.find(
    ({ value }) => value.project === project && value.agent === agent && value.query === query,
  );
  if (!same) return;
  throw new LociError(
    'conflict',
    `The question is kept already: ${same.at}`,
    'Edit that line to change what it should bring.',
  );
}

/** A readable id that no other query has: `when-do-we-deploy`. */
function freeId(query: string, taken: ReadonlySet<string>): string {
  const slug = slugOf(query, SLUG_LENGTH).toLowerCase() || 'query';
  for (let n = 1; ; n++) {
    const id = n === 1 ? slug : `${slug}-${n}`;
    if (!taken.has(id)) return id;
  }
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw unwritable(file, cause);
  }
}

async function append(file: string, line: string): Promise<void> {
  try {
    await appendFile(file, line);
  } catch (cause) {
    throw unwritable(file, cause);
  }
}

function unwritable(file: string, cause: unknown): LociError {
  const { code } = cause as NodeJS.ErrnoException;
  const hint = 'Name a file in a folder that is there.';
  return new LociError('unavailable', `${quote(file)} cannot be written (${code})`, hint, {
    cause,
  });
}
