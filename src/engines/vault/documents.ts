import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DocumentStore } from '../../ports/documents.ts';
import { openSqliteDocuments } from '../sqlite/documents.ts';
import type { SqliteOptions } from '../sqlite/engine.ts';
import { DOCUMENTS } from './layout.ts';

/** Opens, and makes if need be, the index of documents beside a vault's own. */
export async function openVaultDocuments(
  options: Omit<SqliteOptions, 'isolated'>,
): Promise<DocumentStore> {
  const path = join(options.path, DOCUMENTS);
  if (!existsSync(path)) leaveOutOfGit(join(options.path, '.gitignore'));
  return openSqliteDocuments({ ...options, path });
}

/** A vault made by an earlier version does not know of the file yet. */
function leaveOutOfGit(ignoreFile: string): void {
  if (!existsSync(ignoreFile)) return;
  const text = readFileSync(ignoreFile, 'utf8');
  if (text.includes(DOCUMENTS)) return;
  appendFileSync(ignoreFile, `${text === '' || text.endsWith('\n') ? '' : '\n'}${DOCUMENTS}*\n`);
}
