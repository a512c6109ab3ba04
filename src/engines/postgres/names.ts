/** Where the tables of a store lie, and where the extension `vector` does. */
export interface Schemas {
  readonly own: string;
  readonly extension: string;
}

export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * What stands before the statements of a transaction. It is set for that transaction alone, so that
 * nothing is left behind for whoever gets the connection next. Plans are not compiled: our statements
 * look dear to the planner in a large store, and compiling one takes longer than running it.
 */
function settingsOf({ own, extension }: Schemas): string {
  const path = [...new Set([own, extension, 'pg_temp'])].map(identifier).join(', ');
  return `set_config('search_path', ${literal(path)}, true), set_config('jit', 'off', true)`;
}

/** All that is read sees one state of the store. */
export function beginSnapshot(schemas: Schemas): string {
  return `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT ${settingsOf(schemas)}`;
}

/**
 * Writes of what is derived: nobody is kept from committing. That it may write is not said: a server
 * that was set to read only stays so, and a standby answers with the code for that.
 */
export function beginDerived(schemas: Schemas, waitMs: number): string {
  return `BEGIN ISOLATION LEVEL READ COMMITTED; SELECT ${settingsOf(schemas)}, ${waitFor(waitMs)}`;
}

/**
 * Takes the commit lock of the store: whoever holds it is the only one who writes, and every statement
 * after it sees all that was committed before.
 */
export function beginCommit(schemas: Schemas, waitMs: number): string {
  return `${beginDerived(schemas, waitMs)}; SELECT pg_advisory_xact_lock(${lockOf(schemas)})`;
}

/** The two numbers of the commit lock, for SQL. */
export function lockOf({ own }: Schemas): string {
  return `${LOCK_CLASS}, hashtext(${literal(own)})`;
}

/** `loci` in ASCII. */
const LOCK_CLASS = 0x6c6f_6369;

/** Before there is a schema to find anything in. */
export function beginSetUp(waitMs: number): string {
  return `BEGIN ISOLATION LEVEL READ COMMITTED; SELECT ${waitFor(waitMs)}; SELECT pg_advisory_xact_lock(${LOCK_CLASS}, 0)`;
}

function waitFor(waitMs: number): string {
  return `set_config('lock_timeout', '${Math.max(1, Math.ceil(waitMs))}', true)`;
}
