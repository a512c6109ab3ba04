import { chainHash, type LogEvent } from '../../domain/event.ts';
import type { Database, Value } from './drivers/driver.ts';

/** Single values about a store; few, so that one page holds what every write changes. */
export function readMeta(database: Database, key: string): Value | undefined {
  return database.prepare('SELECT value FROM meta WHERE key = ?').get(key)?.['value'];
}

export function writeMeta(database: Database, key: string, value: Value): void {
  database.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(key, value);
}

/** Several values in one statement: most writes change the same few. */
export function writeMetas(database: Database, values: ReadonlyMap<string, Value>): void {
  if (values.size === 0) return;
  const rows = Array.from({ length: values.size }, () => '(?, ?)').join(', ');
  database
    .prepare(`INSERT OR REPLACE INTO meta (key, value) VALUES ${rows}`)
    .run(...[...values].flat());
}

/** The last event of a replica's chain. */
export interface Tip {
  readonly rseq: number;
  readonly prev: string;
}

const TIP = 'tip ';

export function tipKey(replica: string): string {
  return TIP + replica;
}

export function tipOf(event: LogEvent): Tip {
  return { rseq: event.rseq, prev: chainHash(event) };
}

export function readTip(database: Database, replica: string): Tip | undefined {
  const value = readMeta(database, tipKey(replica));
  return typeof value === 'string' ? (JSON.parse(value) as Tip) : undefined;
}

export function dropTips(database: Database): void {
  database.prepare("DELETE FROM meta WHERE key >= 'tip ' AND key < 'tip!'").run();
}
