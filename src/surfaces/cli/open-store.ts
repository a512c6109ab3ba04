import { resolveConfig } from '../../config.ts';
import { asLociError, LociError } from '../../domain/errors.ts';
import type { Operation } from '../../operations/operation.ts';
import { EXIT_INTERRUPTED } from './exit-codes.ts';
import { flagsOf, notice, type Invocation } from './invocation.ts';

export type Store = Parameters<Operation['run']>[0];

/** How long an interrupted command waits for its store to close. */
const CLOSE_TIMEOUT_MS = 3_000;
const EXIT_TERMINATED = 143;

/**
 * Opens the store, lends it, and closes it again, also when the command is interrupted.
 * @param unopened what to answer when it cannot be opened; absent = that is an error
 */
export async function withStore<T>(
  invocation: Invocation,
  use: (store: Store) => Promise<T>,
  unopened?: (error: LociError) => T,
): Promise<T> {
  let store: Store;
  try {
    store = await openStore(invocation);
  } catch (thrown) {
    const error = asLociError(thrown);
    if (!unopened || error.code === 'internal') throw thrown;
    return unopened(error);
  }
  const stop = (signal: NodeJS.Signals): void => {
    const exit = (): never =>
      process.exit(signal === 'SIGINT' ? EXIT_INTERRUPTED : EXIT_TERMINATED);
    setTimeout(exit, CLOSE_TIMEOUT_MS);
    store.close().then(exit, exit);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    return await use(store);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    await store.close();
  }
}

/** @throws LociError; a start that fails says what to set */
export async function openStore(
  invocation: Invocation,
  named = flagsOf(invocation).store,
  { create = false } = {},
): Promise<Store> {
  const { project, agent, zone, embedder, isolation } = flagsOf(invocation);
  const { env, cwd } = invocation.shell;
  const flags = { store: named, project, agent, zone, embedder, isolation };
  const { warnings } = await resolveConfig({ flags, env, cwd });
  for (const warning of warnings) notice(invocation, warning);
  const { open } = await import('../../open.ts');
  try {
    return await open(named, { project, agent, zone, embedder, isolation, env, cwd, create });
  } catch (error) {
    const { code, message, hint } = asLociError(error);
    if (hint !== undefined) throw error;
    const next = 'Name another store with --dir, --store or LOCI_STORE.';
    throw new LociError(code, message, next, { cause: error });
  }
}
