/** The little of SQLite that Loci uses; two libraries offer it. One of them runs in a process. */
export interface Database {
  exec(sql: string): void;
  /** Prepared once for each text and kept. */
  prepare(sql: string): Statement;
  close(): void;
}

export type Value = string | number | null | Uint8Array;
export type Row = Record<string, Value>;

export interface Statement {
  run(...values: Value[]): { changes: number | bigint };
  get(...values: Value[]): Row | undefined;
  all(...values: Value[]): Row[];
}

export interface Driver {
  /** Name and version of the library, for `status`. */
  readonly name: string;
  /** @throws whatever the library throws when the file is no database or cannot be opened */
  open(path: string): Database;
}

/** What either library says when another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (typeof code === 'string' && /^SQLITE_(BUSY|LOCKED)/.test(code)) return true;
  return typeof errcode === 'number' && [5, 6].includes(errcode & 0xff);
}

/** What either library says when a file is damaged, cut short or no database at all. */
export function isDamage(error: unknown): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (typeof code === 'string' && /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/.test(code)) {
    return true;
  }
  if (typeof errcode !== 'number') return false;
  return [11, 26].includes(errcode & 0xff) || errcode === 522;
}
