import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { LociError, quote } from '../../domain/errors.ts';

export interface OutFile {
  /** Replaces what the file held. */
  write(text: string): Promise<void>;
  /** A file that was made for nothing is removed. */
  close(): Promise<void>;
}

/**
 * Opens a file for an answer before the work for it begins; until it is written, one that is there
 * stays as it is.
 * @param option that names it, for messages
 * @throws LociError unavailable
 */
export async function outFile(option: string, path: string): Promise<OutFile> {
  let isWanted = existsSync(path);
  const file = await open(path, 'a').catch((cause: NodeJS.ErrnoException) => {
    throw new LociError(
      'unavailable',
      `${option}: ${quote(path)} cannot be written (${cause.code})`,
      'Name a file in a folder that is there.',
      { cause },
    );
  });
  return {
    async write(text) {
      await file.truncate();
      await file.write(text);
      isWanted = true;
    },
    async close() {
      await file.close();
      if (!isWanted) await rm(path, { force: true });
    },
  };
}
