import { existsSync } from 'node:fs';
import type { Finding } from '../../domain/finding.ts';
import type { Database } from '../sqlite/drivers/driver.ts';
import { fileStamps, MISSING, putFile, type FileRecord } from './files-table.ts';
import { inVault, topFolder } from './layout.ts';

/** How many of all files may be missing before it is damage and not somebody's wish. */
const FEW = 20;
const SHARE = 0.2;

export function areMany(missing: number, all: number): boolean {
  return missing > FEW && missing > all * SHARE;
}

export function missingFinding(missing: number, all: number): Finding {
  return {
    check: 'files',
    severity: 'error',
    message: `${missing} of ${all} files are missing; nothing was concluded from it`,
    hint: 'Restore them with: loci replay. If they were deleted on purpose: loci reindex --accept-deletions',
  };
}

/**
 * Tells files that somebody removed from damage: a folder that vanished, or files that are missing
 * in numbers. The latter are noted as missing, and stay so until they are back or somebody decides.
 */
export function concludeMissing(
  records: readonly FileRecord[],
  root: string,
  database: Database,
): { removed: FileRecord[]; finding: Finding | undefined } {
  const stats = fileStamps(database);
  const noted = [...stats.values()].filter(({ size }) => size === MISSING).length;
  if (records.length === 0 && noted === 0) return { removed: [], finding: undefined };
  const absent = [...stats.keys()].filter((path) => !existsSync(inVault(root, path))).length;
  const tooMany = areMany(absent, stats.size);
  const isDamage = (record: FileRecord): boolean =>
    record.size === MISSING || tooMany || !existsSync(inVault(root, topFolder(record.path)));
  const damaged = records.filter(isDamage);
  for (const record of damaged) putFile(database, { ...record, size: MISSING, mtimeMs: 0 });
  const missing = [...fileStamps(database)].filter(
    ([path, { size }]) => size === MISSING && !existsSync(inVault(root, path)),
  ).length;
  return {
    removed: records.filter((record) => !isDamage(record)),
    finding: missing === 0 ? undefined : missingFinding(missing, stats.size),
  };
}
