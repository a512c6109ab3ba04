import { LociError, quote } from '../domain/errors.ts';
import { MAX_EVIDENCE_BYTES } from '../domain/evidence.ts';
import { wordsIn } from '../domain/fields.ts';
import type { Deps } from '../ports/deps.ts';
import type { Engine } from '../ports/engine.ts';
import { evidenceSeen } from '../ports/seen-evidence.ts';

/**
 * What somebody gives as evidence, as the store keeps it: blobs are put there, hashes have to be.
 * Everything else of the input stays as it is.
 * @throws LociError invalid_input for a blob that is too large; not_found for a hash that is not here
 */
export async function keepEvidence<T>(input: T, deps: Deps): Promise<T> {
  const evidence = wordsIn((input as { evidence?: unknown } | undefined)?.evidence);
  if (!Array.isArray(evidence)) return input;
  const hashes: unknown[] = [];
  for (const item of evidence) {
    if (item instanceof Uint8Array) hashes.push(await keep(item, deps.engine));
    else if (typeof item === 'string') hashes.push(await known(item.trim(), deps));
    else hashes.push(item);
  }
  return { ...input, evidence: hashes };
}

async function keep(bytes: Uint8Array, engine: Engine): Promise<string> {
  if (bytes.length <= MAX_EVIDENCE_BYTES) return engine.putEvidence(bytes);
  throw new LociError(
    'invalid_input',
    `evidence has ${bytes.length} bytes, more than ${MAX_EVIDENCE_BYTES}`,
    'Keep the part that proves it, or put the address of the whole into details.',
  );
}

async function known(sha256: string, deps: Deps): Promise<string> {
  if (await evidenceSeen(sha256, deps)) return sha256;
  throw new LociError(
    'not_found',
    `there is no evidence ${quote(sha256)} in the store`,
    'Give the bytes themselves: a file on the command line.',
  );
}
