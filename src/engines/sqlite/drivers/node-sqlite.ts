import type { Driver } from './driver.ts';
import { driverOf, type RawDatabase } from './library.ts';

interface NodeSqlite {
  DatabaseSync: new (path: string) => RawDatabase;
}

/** The SQLite inside Node (22.13 and later); undefined where this Node has none. */
export function nodeSqlite(): Driver | undefined {
  const sqlite = builtinModule('node:sqlite') as NodeSqlite | undefined;
  if (!sqlite) return undefined;
  return driverOf(`node:sqlite ${process.versions['sqlite'] ?? ''}`.trim(), (path) => {
    return new sqlite.DatabaseSync(path);
  });
}

/** Loads a module of Node's own without the warning that it is experimental. */
function builtinModule(name: string): unknown {
  const getBuiltin = (process as { getBuiltinModule?: (name: string) => unknown }).getBuiltinModule;
  if (!getBuiltin) return undefined;
  const { emitWarning } = process;
  process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
    if (!String(warning).includes('SQLite')) emitWarning.call(process, warning, ...rest);
  }) as typeof emitWarning;
  try {
    return getBuiltin.call(process, name);
  } finally {
    process.emitWarning = emitWarning;
  }
}
