import { Worker } from 'node:worker_threads';
import type { FileFacts, FileWork, Move, Placed } from './file-work.mjs';

/** From this many files on, starting a thread for them pays. */
export const CREW_PAYS_FROM = 500;

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** A `FileWork` in a thread of its own, while this one goes on. */
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

  async write(files: readonly { path: string; text: string }[]): Promise<void> {
    await this.#ask('write', files);
  }

  async place(moves: readonly Move[]): Promise<Placed[]> {
    return (await this.#ask('place', moves)) as Placed[];
  }

  async hash(paths: readonly string[]): Promise<(FileFacts | null)[]> {
    return (await this.#ask('hash', paths)) as (FileFacts | null)[];
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #ask(kind: keyof FileWork, job: readonly unknown[]): Promise<unknown> {
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
