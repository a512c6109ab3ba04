import { LociError } from '../../domain/errors.ts';

/** Loads an optional package; tests give their own. */
export type ImportPeer = (name: string) => Promise<unknown>;

export const importInstalled: ImportPeer = (name) => import(name);

/** An optional package, or what to install. */
export async function peer(
  importPeer: ImportPeer,
  provider: string,
  name: string,
  install: string,
): Promise<unknown> {
  try {
    return await importPeer(name);
  } catch (cause) {
    const { code } = cause as { code?: unknown };
    const missing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
    throw new LociError(
      'unavailable',
      missing
        ? `the embedder ${provider} needs the package ${name}, which is not installed`
        : `the embedder ${provider} cannot load the package ${name}: ${(cause as Error).message}`,
      `npm install ${install}`,
      { cause },
    );
  }
}
