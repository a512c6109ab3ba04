import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SetAside } from '../../domain/log-verbs.ts';
import type { ForeignLog } from '../../ports/logs.ts';
import { readEvidence } from './evidence.ts';
import { LOG } from './layout.ts';
import { LogFile, NOTHING_READ } from './log-file.ts';

/**
 * Reads a log file, or that of a vault, as it lies there: no lock is taken and nothing is mended.
 * @throws LociError unsupported for events of a newer program
 */
export function readVaultLog(path: string): ForeignLog {
  const isFolder = statSync(path).isDirectory();
  const root = isFolder ? path : dirname(path);
  const { events, foreign, torn } = new LogFile(isFolder ? join(path, LOG) : path).readFrom(
    NOTHING_READ,
  );
  const setAside: SetAside[] = [];
  if (foreign > 0) setAside.push({ reason: `${foreign} lines are no events of this version` });
  if (torn > 0) setAside.push({ reason: `${torn} bytes at the end were never finished` });
  return { events, setAside, evidence: async (sha256) => readEvidence(root, sha256) };
}
