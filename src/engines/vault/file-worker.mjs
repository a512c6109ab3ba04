import { hash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { parentPort } from 'node:worker_threads';

/**
 * The other half of file-crew.ts: does file work in a thread of its own, so that many files cost
 * the main one little. Plain JavaScript, because a worker starts from a file as it is.
 */

/** @typedef {{ hash: string, size: number, mtimeMs: number }} FileFacts */

/**
 * By temporary name: why it does not hold what it should. Nothing that lies there goes into place.
 * @type {Map<string, string>}
 */
const unwritten = new Map();

const JOBS = {
  /**
   * @param {{ files: { path: string, text: string }[] }} job
   * @returns {null}
   */
  write({ files }) {
    for (const [i, { path, text }] of files.entries()) {
      try {
        writeNew(path, text);
      } catch (error) {
        for (const rest of files.slice(i)) unwritten.set(rest.path, String(error));
        break;
      }
    }
    return null;
  },

  /**
   * @param {{ moves: { from: string, to: string }[] }} job
   * @returns {({ size: number, mtimeMs: number } | { error: string })[]}
   */
  place({ moves }) {
    return moves.map(({ from, to }) => {
      try {
        const error = unwritten.get(from);
        if (error !== undefined) throw new Error(error);
        rename(from, to);
        const { size, mtimeMs } = statSync(to);
        return { size, mtimeMs };
      } catch (error) {
        rmSync(from, { force: true, recursive: true });
        return { error: String(error) };
      }
    });
  },

  /**
   * @param {{ paths: string[] }} job
   * @returns {(FileFacts | null)[]} null where there is no regular file
   */
  hash({ paths }) {
    return paths.map((path) => {
      const stat = lstatSync(path, { throwIfNoEntry: false });
      if (!stat?.isFile()) return null;
      const digest = hash('sha256', readFileSync(path), 'hex');
      return { hash: digest, size: stat.size, mtimeMs: stat.mtimeMs };
    });
  },
};

/**
 * Whatever lies there is left from a process that died, or a link to somewhere else.
 * @param {string} path @param {string} text
 */
function writeNew(path, text) {
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    unlinkSync(path);
    writeFileSync(path, text, { flag: 'wx' });
  }
}

/** @param {string} from @param {string} to */
function rename(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
    mkdirSync(dirname(to), { recursive: true });
    renameSync(from, to);
  }
}

parentPort?.on(
  'message',
  (/** @type {{ id: number, kind: keyof typeof JOBS, job: never }} */ message) => {
    const { id, kind, job } = message;
    try {
      parentPort?.postMessage({ id, result: JOBS[kind](job) });
    } catch (error) {
      parentPort?.postMessage({ id, error: String(error) });
    }
  },
);
