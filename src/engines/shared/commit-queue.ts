/** A commit that waits for its turn. */
export interface Waiting<Request, Result> {
  readonly request: Request;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Runs the commits of one process one batch after another: whatever waits when a batch begins
 * shares it, and so its lock and its sync to disk.
 */
export class CommitQueue<Request, Result> {
  readonly #run: (batch: readonly Waiting<Request, Result>[]) => Promise<void>;
  #waiting: Waiting<Request, Result>[] = [];
  #running: Promise<void> | undefined;

  /** @param run settles every member of its batch; if it throws, those that are left are rejected */
  constructor(run: (batch: readonly Waiting<Request, Result>[]) => Promise<void>) {
    this.#run = run;
  }

  add(request: Request): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      this.#running ??= this.#drain();
    });
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #drain(): Promise<void> {
    try {
      // One turn of the event loop, so that calls that arrived together share a batch.
      await new Promise((resolve) => setImmediate(resolve));
      while (this.#waiting.length > 0) {
        const batch = this.#waiting;
        this.#waiting = [];
        try {
          await this.#run(batch);
        } catch (error) {
          for (const { reject } of batch) reject(error);
        }
      }
    } finally {
      this.#running = undefined;
    }
  }
}
