import type { Engine } from './engine.ts';

/** Other stores than the one that is open. */
export interface Stores {
  /**
   * Opens a store by the name that `--store` takes; one that is not there is made by its first write.
   * The caller closes it.
   * @throws LociError invalid_input, unsupported, unavailable, corrupt, busy
   */
  open(name: string): Promise<Engine>;
}
