import { LociError, quote } from '../domain/errors.ts';
import { SHA256_HEX } from '../domain/evidence.ts';
import type { EvidenceOptions, EvidenceResult } from '../domain/log-verbs.ts';
import type { Deps } from '../ports/deps.ts';
import { evidenceSeen } from '../ports/seen-evidence.ts';
import { requireMemory } from './require-memory.ts';

/** The blobs of a memory, or one by its SHA-256, with their sizes. */
export async function evidence({ ref }: EvidenceOptions, deps: Deps): Promise<EvidenceResult> {
  if (SHA256_HEX.test(ref)) return { evidence: [sizeOf(ref, await evidenceSeen(ref, deps))] };
  const found = [];
  for (const sha256 of (await requireMemory(ref, deps)).memory.evidence) {
    found.push(sizeOf(sha256, await deps.engine.evidence(sha256)));
  }
  return { evidence: found };
}

function sizeOf(sha256: string, bytes: Uint8Array | undefined) {
  return { sha256, size: bytes?.length ?? null };
}

/** The bytes of a blob. @throws LociError not_found */
export async function readEvidence(sha256: string, deps: Deps): Promise<Uint8Array> {
  const bytes = await evidenceSeen(sha256, deps);
  if (bytes) return bytes;
  throw new LociError(
    'not_found',
    `there is no evidence ${quote(sha256)}`,
    'Give the whole SHA-256 as loci evidence ID lists it.',
  );
}
