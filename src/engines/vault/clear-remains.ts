import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogEvent } from '../../domain/event.ts';
import { purgedSubject, remainsOf } from '../../domain/purge.ts';
import { allFiles } from './files-table.ts';
import { scrubbedLine } from './clean-log.ts';
import { dropEvidence } from './evidence.ts';
import { inVault, nameOf, TORN } from './layout.ts';
import { parseEvent } from './log-file.ts';
import { dropPages } from './pages.ts';
import type { Vault } from './vault.ts';
import { listFiles, sweepTemporaries } from './work-files.ts';

/**
 * Removes what lies beside the log of memories that were purged: their files, also those that
 * somebody has changed, pages that told of them, what was set aside, evidence and vectors. It can be done again.
 * @param said the events as they were before something was taken out of them
 * @param left the log as it is now
 */
export async function clearRemains(
  vault: Vault,
  said: readonly LogEvent[],
  left: readonly LogEvent[],
  purged: ReadonlySet<string>,
): Promise<void> {
  const { root, index } = vault;
  const isPurged = (id: string): boolean => purged.has(purgedSubject(id));
  const known = allFiles(index.store.database).filter(({ id }) => isPurged(id));
  const named = listFiles(root, vault.isolated).filter((path) => isPurged(nameOf(path)));
  for (const path of [...known.map((file) => file.path), ...named]) {
    rmSync(inVault(root, path), { force: true });
  }
  sweepTemporaries(root);
  dropPages(root);
  scrubTorn(join(root, TORN), purged);
  const { blobs, texts } = remainsOf(said, left);
  for (const blob of blobs) dropEvidence(root, blob);
  try {
    await index.vectors.forget(texts);
    await index.vectors.wipe();
  } catch (error) {
    vault.purgeWarnings.push(
      `${(error as Error).message}; bytes of vectors of what was purged may still be there`,
    );
  }
}

function scrubTorn(path: string, purged: ReadonlySet<string>): void {
  if (!existsSync(path)) return;
  const lines = readFileSync(path, 'utf8').split('\n');
  const kept = lines.map((line) => scrubbedLine(line, parseEvent(line, path), purged));
  const text = kept.filter((line) => line !== undefined).join('\n');
  if (text !== lines.join('\n')) writeFileSync(path, text);
}
