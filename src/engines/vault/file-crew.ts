import { Worker } from 'node:worker_threads';

/** From this many files on, starting a thread for them pays. */
export const CREW_PAYS_FROM = 500;

export interface FileFacts {
  /** SHA-256 of its bytes. */
  readonly hash: string;
  readonly size: number;
  readonly mtimeMs: number;
}

export type Placed =
  | { readonly size: number; readonly mtimeMs: number }
  | { readonly error: string };

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Does the work on many files in a thread of its own, while this one goes on. */
export class FileCrew {
  readonly #worker = new Worker(new URL('./file-worker.mjs', import.meta.url));
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;
  #failure: Error | undefined;

  constructor() {
    this.#worker.unref();
    this.#worker.on('message', ({ id, result, error }: Answer) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(result);
      else waiting?.reject(new Error(error));
    });
    this.#worker.on('error', (error) => {
      this.#failure = error;
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    });
  }

  /** Writes files that are nobody's yet. One that could not be written is not placed either. */
  async write(files: readonly { path: string; text: string }[]): Promise<void> {
    await this.#ask('write', { files });
  }

  /** Renames files into their places; makes folders that are missing. */
  async place(moves: readonly { from: string; to: string }[]): Promise<Placed[]> {
    return (await this.#ask('place', { moves })) as Placed[];
  }

  /** What files hold; null where there is no regular file. */
  async hash(paths: readonly string[]): Promise<(FileFacts | null)[]> {
    return (await this.#ask('hash', { paths })) as (FileFacts | null)[];
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #ask(kind: string, job: object): Promise<unknown> {
    // A thread that is gone answers nobody.
    if (this.#failure) return Promise.reject(this.#failure);
    this.#last += 1;
    const id = this.#last;
    this.#worker.ref();
    return new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, kind, job });
    }).finally(() => {
      if (this.#waiting.size === 0) this.#worker.unref();
    });
  }
}
