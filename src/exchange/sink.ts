import { once } from 'node:events';
import { createWriteStream, existsSync, realpathSync, rmSync, statSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { finished, pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { LociError, quote } from '../domain/errors.ts';

/** Where an export goes, text by text. */
export interface Sink {
  write(text: string): Promise<void>;
  /** Everything is there, and on the disk. */
  finish(): Promise<void>;
  /** It failed: nothing is left of it. */
  discard(): Promise<void>;
}

/** Texts handed on together. */
const BUFFER_CHARACTERS = 64 * 1024;

/**
 * A file that appears under its name when it is whole; until then one that is there stays as it is.
 * A name that ends in .gz is gzipped.
 * @throws LociError invalid_input, unavailable
 */
export function fileSink(path: string): Sink {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new LociError('invalid_input', `${quote(path)} is a folder`, 'Name a file in it.');
  }
  if (!existsSync(dirname(path))) throw cannotWrite(path, { code: 'ENOENT' });
  const { target, isPlain } = targetOf(path);
  // Of this process: another one may be writing a file of that name.
  const temporary = isPlain ? `${target}.${process.pid}.part` : target;
  const file = createWriteStream(temporary);
  const gzip = path.endsWith('.gz') ? createGzip() : undefined;
  const head = gzip ?? file;
  const written = gzip ? pipeline(gzip, file) : finished(file);
  // Whether it failed is looked at by the next write, or at the end.
  let failure: unknown;
  written.catch((error: unknown) => {
    failure = error;
  });
  let waiting = '';
  const flush = async (): Promise<void> => {
    if (failure) throw cannotWrite(path, failure);
    const text = waiting;
    waiting = '';
    if (text === '' || head.write(text)) return;
    try {
      await Promise.race([once(head, 'drain'), written]);
    } catch (error) {
      throw cannotWrite(path, error);
    }
  };
  return {
    async write(text) {
      waiting += text;
      if (waiting.length >= BUFFER_CHARACTERS) await flush();
    },
    async finish() {
      try {
        await flush();
        head.end();
        await written;
        if (!isPlain) return;
        const done = await open(temporary, 'r+');
        await done.sync().finally(() => done.close());
        await rename(temporary, target);
      } catch (error) {
        throw cannotWrite(path, error);
      }
    },
    async discard() {
      head.destroy();
      file.destroy();
      await written.catch(() => undefined);
      if (isPlain) rmSync(temporary, { force: true });
    },
  };
}

/** What a link leads to is replaced, not the link; a device or a pipe is written to as it is. */
function targetOf(path: string): { target: string; isPlain: boolean } {
  if (!existsSync(path)) return { target: path, isPlain: true };
  const target = realpathSync(path);
  return { target, isPlain: statSync(target).isFile() };
}

function cannotWrite(path: string, error: unknown): LociError {
  if (error instanceof LociError) return error;
  const { code } = error as NodeJS.ErrnoException;
  return new LociError(
    'unavailable',
    `${quote(path)} cannot be written (${code})`,
    'Name a file in a folder that is there, on a disk with room.',
    { cause: error },
  );
}
