import { LociError, quote } from '../domain/errors.ts';
import { SHA256_HEX } from '../domain/evidence.ts';
import type { EvidenceOptions, EvidenceResult } from '../domain/log-verbs.ts';
import type { Deps } from '../ports/deps.ts';
import { requireMemory } from './require-memory.ts';

/** The blobs of a memory, or one by its SHA-256, with their sizes. */
export async function evidence({ ref }: EvidenceOptions, deps: Deps): Promise<EvidenceResult> {
  const hashes = SHA256_HEX.test(ref) ? [ref] : (await requireMemory(ref, deps)).memory.evidence;
  const found = [];
  for (const sha256 of hashes) {
    const bytes = await deps.engine.evidence(sha256);
    found.push({ sha256, size: bytes?.length ?? null });
  }
  return { evidence: found };
}

/** The bytes of a blob. @throws LociError not_found */
export async function readEvidence(sha256: string, { engine }: Deps): Promise<Uint8Array> {
  const bytes = SHA256_HEX.test(sha256) ? await engine.evidence(sha256) : undefined;
  if (bytes) return bytes;
  throw new LociError(
    'not_found',
    `there is no evidence ${quote(sha256)}`,
    'Give the whole SHA-256 as loci evidence ID lists it.',
  );
}
