import { LociError } from '../../domain/errors.ts';
import type { RememberResult } from '../../domain/results.ts';
import type { CommandForm, Operation } from '../../operations/operation.ts';
import { inFileOrder, parseBatch } from './batch.ts';
import { readBlobs, writeBlob } from './blobs.ts';
import { readBody, readNamed } from './body.ts';
import { exitCodeOf } from './exit-codes.ts';
import type { Invocation } from './invocation.ts';
import { withStore, type Store } from './open-store.ts';
import { verbInput } from './options.ts';
import { print } from './print/print.ts';
import { progressBar } from './terminal/progress.ts';

/** Options of a command that are no field of its verb. */
interface CommandOptions extends Readonly<Record<string, unknown>> {
  readonly file?: string;
  readonly batch?: string;
}

/** Runs a verb and prints its answer. @returns the exit code */
export async function runVerb(
  operation: Operation,
  form: CommandForm,
  positional: readonly unknown[],
  options: CommandOptions,
  invocation: Invocation,
): Promise<number> {
  const input = verbInput(operation, form, positional, options);
  for (const name of form.shared ?? []) {
    if (invocation.shared[name] !== undefined) input[name] = invocation.shared[name];
  }
  const result =
    options.batch === undefined
      ? await runOne(operation, form, input, options, invocation)
      : await runBatch(operation, input, { ...options, batch: options.batch }, invocation);
  // What was streamed to stdout is the answer.
  if (!isStreamed(result)) print(operation.name, result, input, invocation);
  return exitCodeOf(result);
}

async function runOne(
  operation: Operation,
  form: CommandForm,
  input: Record<string, unknown>,
  { file }: CommandOptions,
  invocation: Invocation,
): Promise<unknown> {
  if (form.positionals.includes('body')) {
    const body = await readBody(input.body as string | undefined, file, invocation.shell);
    if (body !== undefined) input.body = body;
  }
  const { evidence } = input as { evidence?: string | readonly string[] };
  if (evidence !== undefined) input.evidence = await readBlobs(evidence, invocation.shell.cwd);
  const { dir: _, ...shared } = invocation.shared;
  const opening = form.storeless
    ? { ...invocation, shared: { ...shared, store: 'memory:' } }
    : invocation;
  return withStore(
    opening,
    (store) => withProgress(operation, store, input, invocation),
    operation.unopened,
  );
}

async function runBatch(
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  options: CommandOptions & { readonly batch: string },
  invocation: Invocation,
): Promise<RememberResult> {
  if (input.body !== undefined || options.file !== undefined) {
    throw new LociError(
      'invalid_input',
      '--batch and a body are both given',
      'A batch has its bodies in its lines; other options fill in what a line leaves open.',
    );
  }
  const batch = parseBatch(await readNamed(options.batch, invocation.shell));
  const memories = batch.items.map((item) => ({ ...input, ...item }));
  const stored =
    memories.length === 0
      ? { results: [], warnings: [] }
      : await withStore(invocation, (store) =>
          withProgress(operation, store, { memories }, invocation),
        );
  return inFileOrder(batch, stored as RememberResult);
}

async function withProgress(
  operation: Operation,
  store: Store,
  input: Record<string, unknown>,
  { shell, shared }: Invocation,
): Promise<unknown> {
  const write = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      shell.out.write(text, (error) => (error ? reject(error) : resolve()));
    });
  const progress = progressBar(shell, operation.name, shared.quiet === true);
  try {
    return await operation.run(store, input, {
      progress: (done, total) => progress.update(done, total),
      writeFile: (name, bytes) => writeBlob(name, bytes, shell.cwd),
      write,
    });
  } finally {
    progress.clear();
  }
}

/** Whether a verb has written its answer as it came. */
function isStreamed(result: unknown): boolean {
  return (result as { readonly file?: unknown }).file === null;
}
