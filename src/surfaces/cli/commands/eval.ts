import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Comparison } from '../../../domain/comparison.ts';
import { LociError, quote } from '../../../domain/errors.ts';
import type { EvalAnswer, EvalResult, EvaluateOptions } from '../../../domain/evaluation.ts';
import { flagsOf, notice, type Invocation } from '../invocation.ts';
import { withStore } from '../open-store.ts';
import { outFile } from '../out-file.ts';
import { printComparison } from '../print/comparison.ts';
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
  readonly compare?: string;
}

/** Those that say how to measure. */
const MEASURING = ['embedder', 'k', 'budgets', 'limit', 'out'] as const;

/**
 * `eval`: measures retrieval on a data set, and compares that with an earlier run; or compares two
 * runs that were measured before.
 */
export async function runEval(
  set: string,
  options: EvalCommandOptions,
  invocation: Invocation,
): Promise<number> {
  const path = resolve(invocation.shell.cwd, set);
  const before =
    options.compare === undefined ? undefined : await readRun(options.compare, invocation);
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) {
    refuseMeasuring(set, options);
    const comparison = await compareRuns(before ?? [], await readRun(set, invocation));
    answer({ comparison }, invocation, (shown, page) => printComparison(shown.comparison, page));
    warn(comparison, invocation);
    return 0;
  }
  const { result, answers } = await measure(path, options, invocation);
  if (!before) {
    answer(result, invocation, printEval);
    warn(result, invocation);
    return 0;
  }
  const comparison = await compareRuns(before, answers);
  answer({ ...result, comparison }, invocation, (shown, page) => [
    ...printEval(shown, page),
    '',
    ...printComparison(shown.comparison, page),
  ]);
  warn({ warnings: [...result.warnings, ...comparison.warnings] }, invocation);
  return 0;
}

async function measure(
  dir: string,
  { out, k, budgets, embedder, limit }: EvalCommandOptions,
  outer: Invocation,
): Promise<{ result: EvalResult; answers: readonly EvalAnswer[] }> {
  // `default` is what is configured.
  const named = embedder === undefined || embedder === 'default' ? {} : { embedder };
  const invocation = { ...outer, ...named };
  const { shell, shared } = invocation;
  const lists = { k: k?.split(','), budgets: budgets?.split(',') };
  const asked = { dir, ...lists, limit } as EvaluateOptions;
  const file = out === undefined ? undefined : await outFile('--out', resolve(shell.cwd, out));
  const isQuiet = shared.quiet === true;
  const bars = {
    storing: progressBar(shell, 'eval: storing', isQuiet),
    embedding: progressBar(shell, 'eval: embedding', isQuiet),
    asking: progressBar(shell, 'eval: asking', isQuiet),
  };
  const answers: EvalAnswer[] = [];
  try {
    const result = await inStore(invocation, (inside) =>
      withStore(inside, (store) =>
        store.evaluate(asked, {
          progress: (done, total, what) => bars[what].update(done, total),
          onAnswer: (row) => void answers.push(row),
        }),
      ),
    );
    await file?.write(answers.map((row) => `${JSON.stringify(row)}\n`).join(''));
    return { result, answers };
  } finally {
    bars.storing.clear();
    bars.embedding.clear();
    bars.asking.clear();
    await file?.close();
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

async function readRun(name: string, { shell }: Invocation) {
  const { readAnswers } = await import('../../../evaluation/read-answers.ts');
  return readAnswers(resolve(shell.cwd, name));
}

async function compareRuns(...runs: Parameters<Compare>): Promise<Comparison> {
  const { compare } = await import('../../../evaluation/compare.ts');
  return compare(...runs);
}
type Compare = typeof import('../../../evaluation/compare.ts').compare;

/** Nothing is measured when the set is a file: options that say how are a misunderstanding. */
function refuseMeasuring(set: string, options: EvalCommandOptions): void {
  const option = MEASURING.find((name) => options[name] !== undefined);
  if (options.compare !== undefined && option === undefined) return;
  throw new LociError(
    'invalid_input',
    options.compare === undefined
      ? `${quote(set)} is a file`
      : `--${option} says how to measure, and ${quote(set)} is a file: a run that was measured`,
    'eval measures the set in a folder; two files of answers are compared with ' +
      'loci eval --compare BEFORE.jsonl AFTER.jsonl',
  );
}

function warn({ warnings }: { warnings: readonly string[] }, invocation: Invocation): void {
  if (!invocation.shared.json) for (const warning of warnings) notice(invocation, warning);
}
