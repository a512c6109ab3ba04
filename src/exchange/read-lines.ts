import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { LociError, quote } from '../domain/errors.ts';

export interface NumberedLine {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  /** It is too long to be read; its text is empty. */
  readonly tooLong?: boolean;
}

/** A file without line ends must not fill the memory. */
const LONGEST_BYTES = 64 * 1024 * 1024;
const NEWLINE = 0x0a;
const GZIP = [0x1f, 0x8b];

/**
 * The lines of a file, one after another, unpacked where it is gzipped. Blank ones are passed over.
 * @throws LociError not_found, unavailable; invalid_input where its first line has no end; corrupt where it ends in the middle of its compressed data
 */
export async function* readLines(path: string): AsyncIterable<NumberedLine> {
  let line = 0;
  let parts: Buffer[] = [];
  let length = 0;
  let isTooLong = false;
  const finish = (): NumberedLine | undefined => {
    line += 1;
    if (isTooLong) {
      isTooLong = false;
      return { line, text: '', tooLong: true };
    }
    const bytes = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    parts = [];
    length = 0;
    const text = bytes
      .toString('utf8')
      .replace(/^\uFEFF/, '')
      .trimEnd();
    return text === '' ? undefined : { line, text };
  };
  try {
    for await (const chunk of await bytesOf(path)) {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        if (!isTooLong) parts.push(chunk.subarray(from, at));
        from = at + 1;
        const done = finish();
        if (done) yield done;
      }
      if (isTooLong) continue;
      length += chunk.length - from;
      isTooLong = length > LONGEST_BYTES;
      if (!isTooLong) {
        parts.push(chunk.subarray(from));
        continue;
      }
      if (line === 0) throw notLines(path);
      parts = [];
      length = 0;
    }
  } catch (error) {
    throw readError(error, path, line);
  }
  const last = finish();
  if (last) yield last;
}

function notLines(path: string): LociError {
  return new LociError(
    'invalid_input',
    `${path}, line 1 is longer than ${LONGEST_BYTES} bytes`,
    'Name a file with one JSON object a line.',
  );
}

/** Size of a file in bytes. @throws LociError not_found, invalid_input, unavailable */
export async function requireFile(path: string): Promise<number> {
  try {
    const found = await stat(path);
    if (found.isFile()) return found.size;
  } catch (error) {
    throw readError(error, path, 0);
  }
  throw new LociError('invalid_input', `${quote(path)} is no file`, 'Name a file.');
}

async function bytesOf(path: string): Promise<AsyncIterable<Buffer>> {
  const stream = createReadStream(path);
  if (!(await isGzipped(path))) return stream;
  const plain = createGunzip();
  stream.on('error', (error) => plain.destroy(error));
  return stream.pipe(plain);
}

async function isGzipped(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && GZIP.every((byte, i) => buffer[i] === byte);
  } finally {
    await file.close();
  }
}

function readError(error: unknown, path: string, line: number): LociError {
  if (error instanceof LociError) return error;
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new LociError('not_found', `There is no file ${quote(path)}`, 'Check the path.');
  }
  if (code.startsWith('Z_')) {
    const message = `${path}: its compressed data is damaged or cut off after line ${line}`;
    return new LociError('corrupt', message, 'Take another copy of the file.', { cause: error });
  }
  return new LociError('unavailable', `${quote(path)} cannot be read (${code})`, undefined, {
    cause: error,
  });
}
