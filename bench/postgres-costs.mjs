import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';

const CALLER = fileURLToPath(new URL('postgres-caller.mjs', import.meta.url));
const SECONDS = 8;
/** The kernel counts the time of a process in hundredths of a second. */
const MS_A_TICK = 10;
/** @type {readonly (readonly [verb: string, processes: number, width: number])[]} */
const LOADS = [
  ['recall', 1, 1],
  ['recall', 1, 4],
  ['recall', 4, 1],
  ['remember', 1, 1],
  ['remember', 1, 16],
  ['remember', 4, 4],
];

/**
 * @typedef {object} Figures of one caller
 * @property {number} calls
 * @property {number} ms
 * @property {number} cpuMs
 * @property {number} megabytes resident at the end
 */

/**
 * What memories and calls cost: bytes on the server, and what processor time calls take of the caller
 * and of the server. See docs/scaling.md.
 * @param {string} url of a store that holds `size` memories
 * @param {number} size
 * @param {import('./report.mjs').Report} report
 */
export async function benchPostgresCosts(url, size, report) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await noteBytes(client, size, report);
    for (const [verb, processes, width] of LOADS) {
      report.note(await loaded(url, client, { verb, processes, width }));
    }
  } finally {
    await client.end();
  }
}

/**
 * @param {Client} client
 * @param {number} size
 * @param {import('./report.mjs').Report} report
 */
async function noteBytes(client, size, report) {
  const { rows } = await client.query(`
    SELECT c.relname, pg_table_size(c.oid)::float8 AS rows, pg_indexes_size(c.oid)::float8 AS indexes
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'loci' AND c.relkind = 'r' ORDER BY pg_total_relation_size(c.oid) DESC`);
  const total = sum(rows.map((row) => row.rows + row.indexes));
  report.note(`${Math.round(total / size)} bytes a memory on the server, its indexes included:`);
  for (const row of rows) {
    const own = Math.round(row.rows / size);
    const indexes = Math.round(row.indexes / size);
    if (own + indexes >= 10) report.note(`  ${row.relname}: ${own} and ${indexes} of indexes`);
  }
}

/**
 * @param {string} url
 * @param {Client} client
 * @param {{ verb: string, processes: number, width: number }} load
 */
async function loaded(url, client, { verb, processes, width }) {
  const callers = Array.from({ length: processes }, (_, n) =>
    spawn(process.execPath, [CALLER, url, verb, `${width}`, `${SECONDS}`, `${callerCount + n}`], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  );
  callerCount += processes;
  const lines = callers.map((caller) =>
    createInterface({ input: caller.stdout })[Symbol.asyncIterator](),
  );
  const next = () => Promise.all(lines.map(async (line) => String((await line.next()).value)));
  await next();
  const before = await serverTime(client);
  for (const caller of callers) caller.stdin.write('go\n');
  /** @type {Figures[]} */
  const figures = (await next()).map((line) => JSON.parse(line));
  const after = await serverTime(client);
  const ended = callers.map((caller) => new Promise((resolve) => caller.once('exit', resolve)));
  for (const caller of callers) caller.stdin.end();
  await Promise.all(ended);

  const calls = sum(figures.map((one) => one.calls));
  const seconds = Math.max(...figures.map((one) => one.ms)) / 1000;
  const own = sum(figures.map((one) => one.cpuMs)) / calls;
  const theirs = (after.ms - before.ms) / calls;
  return (
    `${verb}, ${processes} × ${width} at a time: ${(calls / seconds).toFixed(1)} a second; processor time ` +
    `a call ${own.toFixed(1)} ms of the caller, ${theirs.toFixed(1)} ms of the server; ` +
    `${after.connections} connections; ${Math.round(figures[0]?.megabytes ?? 0)} MB a caller`
  );
}

let callerCount = 0;

/** @param {readonly number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, one) => total + one, 0);
}

/**
 * Processor time that the server's processes for Loci's connections have taken, on Linux.
 * @param {Client} client
 */
async function serverTime(client) {
  const { rows } = await client.query(
    "SELECT pid FROM pg_stat_activity WHERE application_name = 'loci'",
  );
  let ms = 0;
  for (const { pid } of rows) {
    const path = `/proc/${pid}/stat`;
    if (!existsSync(path)) continue;
    // The name in parentheses may hold anything; user and system time are the 12th and 13th after it.
    const fields = readFileSync(path, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    ms += (Number(fields[11]) + Number(fields[12])) * MS_A_TICK;
  }
  return { ms, connections: rows.length };
}
