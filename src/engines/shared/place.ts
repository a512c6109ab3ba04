import { accessSync, constants, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Place } from '../../ports/engine.ts';

/** What Linux calls the file systems of other machines (statfs(2)). */
const NETWORK_TYPES: ReadonlyMap<number, string> = new Map([
  [0x6969, 'nfs'],
  [0x517b, 'smb'],
  [0xff534d42, 'cifs'],
  [0xfe534d42, 'smb2'],
  [0x01021997, '9p'],
  [0x00c36400, 'ceph'],
  [0x5346414f, 'afs'],
]);

/** @param paths what has to be writable; the first one tells the file system */
export function placeOf(...paths: readonly [string, ...string[]]): Place {
  return { writable: paths.every(isWritable), network: networkAt(paths[0]) };
}

/** The same for a database in one file: SQLite makes files beside it. */
export function placeOfFile(path: string): Place {
  return placeOf(path, dirname(path));
}

/** The name of a network file system by its type. @returns null for others */
export function networkName(type: number): string | null {
  // Some systems give the type as a signed number.
  return NETWORK_TYPES.get(type >>> 0) ?? null;
}

function networkAt(path: string): string | null {
  if (process.platform !== 'linux') return null;
  try {
    return networkName(statfsSync(path).type);
  } catch {
    return null;
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
