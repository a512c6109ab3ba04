import { parentPort } from 'node:worker_threads';
import { FileWork } from './file-work.mjs';

// The other half of file-crew.ts: a thread of its own, so that many files cost the main one little.

const work = new FileWork();

parentPort?.on(
  'message',
  (/** @type {{ id: number, kind: keyof FileWork, job: never }} */ { id, kind, job }) => {
    try {
      parentPort?.postMessage({ id, result: work[kind](job) });
    } catch (error) {
      parentPort?.postMessage({ id, error: String(error) });
    }
  },
);
