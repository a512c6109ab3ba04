import { join, resolve } from 'node:path';
import { resolveConfig } from '../../../config.ts';
import { LociError } from '../../../domain/errors.ts';
import { EXIT_FINDING } from '../exit-codes.ts';
import { flagsOf, notice, type Invocation } from '../invocation.ts';
import { withStore } from '../open-store.ts';
import { printAddedGolden, printGolden } from '../print/golden.ts';
import { answer } from '../print/print.ts';
import { progressBar } from '../terminal/progress.ts';

export interface GoldenCommandOptions {
  readonly add?: string;
  /** A flag, whatever its type says of the others. */
  readonly update?: unknown;
  readonly file?: string;
}

/** `golden`: asks the questions kept beside a store, or keeps another one. */
export async function runGolden(
  ids: readonly string[],
  { add, update, file: named }: GoldenCommandOptions,
  invocation: Invocation,
): Promise<number> {
  checkForm(ids, add, update === true);
  const { shell, shared } = invocation;
  const file = named === undefined ? await fileBeside(invocation) : resolve(shell.cwd, named);
  if (add !== undefined) {
    const added = await withStore(invocation, (store) =>
      store.addGolden({ file, query: add, ids }),
    );
    answer(added, invocation, printAddedGolden);
    return 0;
  }
  const bar = progressBar(shell, 'golden', shared.quiet === true);
  const result = await withStore(invocation, (store) =>
    store.checkGolden(
      { file, update: update === true },
      { progress: (done, total) => bar.update(done, total) },
    ),
  ).finally(() => bar.clear());
  answer(result, invocation, printGolden);
  if (!shared.json) for (const warning of result.warnings) notice(invocation, warning);
  return result.worse > 0 && !result.updated ? EXIT_FINDING : 0;
}

function checkForm(ids: readonly string[], add: string | undefined, isUpdate: boolean): void {
  const fault =
    add === undefined
      ? ids.length > 0 && 'Ids are given, and no question that they answer'
      : (isUpdate && '--add and --update are both given') ||
        (ids.length === 0 && '--add is given no memory that answers the question');
  if (!fault) return;
  throw new LociError(
    'invalid_input',
    fault,
    'A question is kept with loci golden --add "QUESTION" ID…, and loci golden asks all of them.',
  );
}

/** `golden.jsonl` in a vault, `memory.golden.jsonl` beside `memory.db`. */
async function fileBeside(invocation: Invocation): Promise<string> {
  const { env, cwd } = invocation.shell;
  const { store } = await resolveConfig({ flags: flagsOf(invocation), env, cwd });
  if (store.kind === 'vault') return join(store.path, 'golden.jsonl');
  if (store.kind === 'sqlite') return `${store.path.replace(/\.[^./\\]+$/, '')}.golden.jsonl`;
  throw new LociError(
    'invalid_input',
    `There is no file beside ${store.url}`,
    'Name one with --file.',
  );
}
