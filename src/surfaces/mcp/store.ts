import { asLociError, LociError } from '../../domain/errors.ts';
import type { Operation } from '../../operations/operation.ts';

/** An open store as verbs take it. */
export type Store = Parameters<Operation['run']>[0];

interface Opened {
  readonly store: Promise<Store>;
  /** Calls that are using it. */
  users: number;
  /** Another one has taken its place: the last user closes it. */
  replaced: boolean;
}

/**
 * The store of a server: opened when first used, so that no handshake waits for it. One that could
 * not be opened, or can no longer be written, is opened anew by the next call.
 */
export class LazyStore {
  readonly #open: () => Promise<Store>;
  #current: Opened | undefined;
  #closed = false;

  constructor(open: () => Promise<Store>) {
    this.#open = open;
  }

  /** Begins to open; a failure is left for the call that needs the store. */
  warm(): void {
    this.use(async () => {}).catch(() => {});
  }

  async use<T>(work: (store: Store) => Promise<T>): Promise<T> {
    if (this.#closed) throw new LociError('unavailable', 'the server is shutting down');
    const opened = (this.#current ??= { store: this.#opening(), users: 0, replaced: false });
    opened.users++;
    try {
      return await work(await opened.store);
    } catch (error) {
      if (await isSpent(opened, error)) this.#replace(opened);
      throw error;
    } finally {
      opened.users--;
      if (opened.replaced && opened.users === 0) await close(opened);
    }
  }

  /** Waits for the calls that are under way, as far as the store itself does. */
  async close(): Promise<void> {
    this.#closed = true;
    const opened = this.#current;
    this.#current = undefined;
    if (opened) await close(opened);
  }

  async #opening(): Promise<Store> {
    return this.#open();
  }

  #replace(opened: Opened): void {
    opened.replaced = true;
    if (this.#current === opened) this.#current = undefined;
  }
}

/** Whether it never opened, or has failed in a way that only opening it again can mend. */
async function isSpent(opened: Opened, error: unknown): Promise<boolean> {
  if (['unavailable', 'corrupt'].includes(asLociError(error).code)) return true;
  return opened.store.then(
    () => false,
    () => true,
  );
}

async function close(opened: Opened): Promise<void> {
  await opened.store.then(
    (store) => store.close(),
    () => {},
  );
}
