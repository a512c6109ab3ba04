import { mkdtempSync, rmSync } from 'node:fs';
import { open as openFile, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { LociError, quote } from '../../../domain/errors.ts';
import type { EvalAnswer, EvaluateOptions } from '../../../domain/evaluation.ts';
import { flagsOf, notice, type Invocation } from '../invocation.ts';
import { withStore } from '../open-store.ts';
import { printEval } from '../print/evaluation.ts';
import { answer } from '../print/print.ts';
import { progressBar } from '../terminal/progress.ts';

/** Options as the command line gives them; the verb checks them. */
export interface EvalCommandOptions {
  readonly embedder?: string;
  readonly k?: string;
  readonly budgets?: string;
  readonly limit?: string;
  readonly out?: string;
}

/** `eval`: measures retrieval on a data set, in a store that is gone afterwards unless one is named. */
export async function runEval(
  dir: string,
  { out, k, budgets, embedder, limit }: EvalCommandOptions,
  invocation: Invocation,
): Promise<number> {
  const { shell, shared } = invocation;
  const outFile = out === undefined ? undefined : await createFile(resolve(shell.cwd, out));
  const progress = progressBar(shell, 'eval', shared.quiet === true);
  try {
    const set = resolve(shell.cwd, dir);
    const lists = { k: k?.split(','), budgets: budgets?.split(',') };
    const asked = { dir: set, ...lists, embedder, limit } as EvaluateOptions;
    const answers: EvalAnswer[] = [];
    const result = await inStore(invocation, (inside) =>
      withStore(inside, (store) =>
        store.evaluate(asked, {
          progress: (done, total) => progress.update(done, total),
          onAnswer: (row) => void answers.push(row),
        }),
      ),
    );
    await outFile?.truncate();
    await outFile?.write(answers.map((row) => `${JSON.stringify(row)}\n`).join(''));
    progress.clear();
    answer(result, invocation, printEval);
    if (!shared.json) for (const warning of result.warnings) notice(invocation, warning);
    return 0;
  } finally {
    progress.clear();
    await outFile?.close();
  }
}

/** The store that is named, or one of its own, removed even when the command is interrupted. */
async function inStore<T>(
  invocation: Invocation,
  use: (invocation: Invocation) => Promise<T>,
): Promise<T> {
  // Each memory and each query names its project: the current one has no part in this.
  const shared = { project: 'global', ...invocation.shared };
  if (flagsOf(invocation).store !== undefined) return use({ ...invocation, shared });
  const folder = mkdtempSync(join(tmpdir(), 'loci-eval-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.once('exit', remove);
  try {
    const store = `sqlite:${join(folder, 'eval.db')}`;
    return await use({ ...invocation, shared: { ...shared, store } });
  } finally {
    process.off('exit', remove);
    remove();
  }
}

async function createFile(path: string): Promise<FileHandle> {
  try {
    return await openFile(path, 'a');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new LociError(
      'unavailable',
      `--out: ${quote(path)} cannot be written (${code})`,
      'Name a file in a folder that is there.',
      { cause },
    );
  }
}
