import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { SHA256_HEX } from '../../domain/evidence.ts';
import { EVIDENCE } from './layout.ts';

/** Keeps a blob under its hash; needs no lock, since whoever else does writes the same. */
export function putEvidence(root: string, bytes: Uint8Array, unique: string): string {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const path = join(root, EVIDENCE, sha256);
  if (existsSync(path) && hashOf(path) === sha256) return sha256;
  mkdirSync(join(root, EVIDENCE), { recursive: true });
  const temporary = join(root, `.loci-tmp-${unique}`);
  const fd = openSync(temporary, 'w');
  try {
    for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(temporary, path);
  return sha256;
}

export function readEvidence(root: string, sha256: string): Uint8Array | undefined {
  // Never a path: the hash comes from outside.
  if (!SHA256_HEX.test(sha256)) return undefined;
  const path = join(root, EVIDENCE, sha256);
  return existsSync(path) ? new Uint8Array(readFileSync(path)) : undefined;
}

export function dropEvidence(root: string, sha256: string): void {
  if (SHA256_HEX.test(sha256)) rmSync(join(root, EVIDENCE, sha256), { force: true });
}

/** Whether a blob is there and is what its name says. */
export function hasEvidence(root: string, sha256: string): boolean {
  const path = join(root, EVIDENCE, sha256);
  return existsSync(path) && hashOf(path) === sha256;
}

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
