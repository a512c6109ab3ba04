import { LociError } from '../../domain/errors.ts';

/** @throws LociError unavailable, saying what to install, where a package is not there */
export async function importPeer<T>(
  load: () => Promise<T>,
  what: string,
  packages: string,
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw error;
    throw new LociError(
      'unavailable',
      `${what} needs a package that is not installed`,
      `npm install ${packages}`,
      { cause: error },
    );
  }
}
