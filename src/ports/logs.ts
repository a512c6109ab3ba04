import type { LogEvent } from '../domain/event.ts';
import type { SetAside } from '../domain/log-verbs.ts';
import type { Engine } from './engine.ts';

/** The log of another store, as it was when it was read. */
export interface ForeignLog {
  readonly events: readonly LogEvent[];
  /** What is no event, or was never finished. */
  readonly setAside: readonly SetAside[];
  /** A blob of that store by its SHA-256. */
  evidence(sha256: string): Promise<Uint8Array | undefined>;
}

/** Stores beside the one that is open, by their paths. */
export interface OtherStores {
  /**
   * Reads the log of a vault, a log file or an SQLite store and changes nothing there.
   * @throws LociError not_found, unsupported (of a newer program), invalid_input (none of these)
   */
  readLog(path: string): Promise<ForeignLog>;
  /**
   * Opens another store by path or URL; the caller closes it.
   * @param create make it now if it is not there (default), or with its first write
   */
  open(name: string, create?: boolean): Promise<Engine>;
}
