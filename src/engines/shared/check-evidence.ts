import { SHA256_HEX } from '../../domain/evidence.ts';
import type { Finding } from '../../domain/finding.ts';
import type { Memory } from '../../domain/memory.ts';

/** Blobs that memories name and that are not here: a log that was merged brings none. */
export function checkEvidence(
  memories: Iterable<Memory>,
  has: (sha256: string) => boolean,
): Finding[] {
  const missing = new Map<string, string[]>();
  for (const { id, evidence } of memories) {
    for (const sha256 of evidence) {
      if (!SHA256_HEX.test(sha256) || has(sha256)) continue;
      const ids = missing.get(sha256);
      if (ids) ids.push(id);
      else missing.set(sha256, [id]);
    }
  }
  return [...missing].map(([sha256, ids]) => ({
    check: 'evidence',
    severity: 'warning',
    message: `evidence ${sha256} is named by ${ids.join(', ')} and is not here`,
    hint: 'Bring it back with: loci update ID --evidence FILE',
    ids,
  }));
}
