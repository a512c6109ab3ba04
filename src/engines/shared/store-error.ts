import { asLociError, LociError } from '../../domain/errors.ts';

const REASONS: readonly (readonly [RegExp, string, string])[] = [
  [/ENOSPC|EDQUOT|SQLITE_FULL|database or disk is full/, 'the disk is full', 'Free some space.'],
  [
    /EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_PERM|readonly database/,
    'it may not be written',
    'Check who owns it and its permissions.',
  ],
  [
    /SQLITE_CANTOPEN|unable to open|ENOENT/,
    'it cannot be opened',
    'Check the path and its permissions.',
  ],
  [/EMFILE|ENFILE/, 'too many files are open', 'Raise the limit (ulimit -n).'],
  [/EIO|SQLITE_IOERR|disk I\/O error/, 'the disk failed', 'Check the disk.'],
  [/ENOTDIR|EISDIR|EEXIST/, 'something else lies at this path', 'Name another path.'],
];

/** A failure of the file system or of SQLite as an error that a person can act on. */
export function storeError(error: unknown, location: string): LociError {
  if (error instanceof LociError) return error;
  const { code, message } = error as { code?: unknown; message?: unknown };
  const text = `${String(code ?? '')} ${String(message ?? '')}`;
  if (/SQLITE_BUSY|SQLITE_LOCKED|database is locked/.test(text)) {
    const hint = 'Nothing was changed. Try again when the other process is done.';
    return new LociError('busy', `${location} is locked by another process`, hint, {
      cause: error,
    });
  }
  for (const [pattern, reason, hint] of REASONS) {
    if (!pattern.test(text)) continue;
    return new LociError('unavailable', `${location}: ${reason}`, `${hint} Nothing was stored.`, {
      cause: error,
    });
  }
  return asLociError(error);
}
