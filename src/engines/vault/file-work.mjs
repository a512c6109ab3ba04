import { hash } from 'node:crypto';
import {
  existsSync,
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

/** @typedef {{ hash: string, size: number, mtimeMs: number }} FileFacts */
/**
 * A file on its way from its temporary name.
 * @typedef {object} Move
 * @property {string} from
 * @property {string} to
 * @property {boolean} isNew nothing of its memory lies there yet: what does is somebody's
 * @property {(FileFacts & { path: string }) | undefined} known the file that it replaces, as it was
 *   seen last; one that somebody changed since stays
 */
/**
 * What became of it; `isTaken`: somebody's file lies there, and stays.
 * @typedef {FileFacts | { isTaken: true } | { error: string }} Placed
 */

/**
 * What is done with many files, by the thread that asks or by one beside it. Plain JavaScript,
 * because a worker starts from files as they are.
 */
export class FileWork {
  /**
   * By temporary name: the hash of its text, or why it does not hold it. Nothing else that lies there
   * goes into place.
   * @type {Map<string, { hash: string } | { error: string }>}
   */
  #written = new Map();

  /**
   * Writes files that are nobody's yet; behind one that cannot be written, no other is tried.
   * @param {readonly { path: string, text: string }[]} files
   */
  write(files) {
    let error = '';
    for (const { path, text } of files) {
      if (error === '') error = whyNotWritten(path, text);
      this.#written.set(path, error === '' ? { hash: hash('sha256', text, 'hex') } : { error });
    }
  }

  /**
   * Renames files into their places; makes folders that are missing.
   * @param {readonly Move[]} moves
   * @returns {Placed[]}
   */
  place(moves) {
    return moves.map((move) => {
      const text = this.#written.get(move.from) ?? { error: `${move.from} was not written` };
      this.#written.delete(move.from);
      try {
        return 'error' in text ? dropped(move, text) : placed(move, text.hash);
      } catch (error) {
        return dropped(move, { error: messageOf(error) });
      }
    });
  }

  /**
   * What files hold.
   * @param {readonly string[]} paths
   * @returns {(FileFacts | null)[]} null where there is no regular file
   */
  hash(paths) {
    return paths.map((path) => {
      const stat = lstatSync(path, { throwIfNoEntry: false });
      if (!stat?.isFile()) return null;
      const digest = hash('sha256', readFileSync(path), 'hex');
      return { hash: digest, size: stat.size, mtimeMs: stat.mtimeMs };
    });
  }
}

/**
 * Whatever lies there is left from a process that died, or a link to somewhere else.
 * @param {string} path @param {string} text
 * @returns {string} empty when it was written
 */
function whyNotWritten(path, text) {
  try {
    try {
      writeFileSync(path, text, { flag: 'wx' });
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
      unlinkSync(path);
      writeFileSync(path, text, { flag: 'wx' });
    }
    return '';
  } catch (error) {
    return messageOf(error);
  }
}

/**
 * @param {Move} move @param {string} hashOfText
 * @returns {Placed}
 */
function placed({ from, to, isNew, known }, hashOfText) {
  if ((isNew && existsSync(to)) || (known && wasChanged(known))) {
    return dropped({ from }, { isTaken: true });
  }
  try {
    renameSync(from, to);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
    mkdirSync(dirname(to), { recursive: true });
    renameSync(from, to);
  }
  const { size, mtimeMs } = statSync(to);
  return { hash: hashOfText, size, mtimeMs };
}

/** @param {FileFacts & { path: string }} known */
function wasChanged({ path, hash: knownHash, size, mtimeMs }) {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) return false;
  if (stat.size === size && stat.mtimeMs === mtimeMs) return false;
  return hash('sha256', readFileSync(path), 'hex') !== knownHash;
}

/**
 * @template {Placed} T
 * @param {{ from: string }} move @param {T} why
 */
function dropped({ from }, why) {
  rmSync(from, { force: true, recursive: true });
  return why;
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
