import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';

/**
 * @param {readonly number[]} values
 * @param {number} q 0 to 1
 */
export function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * q;
  const [low = NaN, high = NaN] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low + (high - low) * (place - Math.floor(place));
}

/** @param {() => unknown} work */
export async function timeOnce(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/**
 * Takes two measurements in turn, so that both meet the same weather.
 * @param {number} rounds
 * @param {(round: number) => Promise<number>} ours
 * @param {(round: number) => Promise<number>} floor
 */
export async function inTurn(rounds, ours, floor) {
  /** @type {{ ours: number[], floor: number[] }} */
  const times = { ours: [], floor: [] };
  for (let round = 0; round < rounds; round++) {
    times.floor.push(await floor(round));
    times.ours.push(await ours(round));
  }
  return {
    /** @param {number} q */
    at: (q) => ({ ours: quantile(times.ours, q), floor: quantile(times.floor, q) }),
  };
}

/**
 * Runs a Node process to its end; resolves with its wall time in milliseconds.
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<number>}
 */
export function timeProcess(args, options) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(process.execPath, args, { ...options, stdio: 'ignore' });
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) resolve(performance.now() - start);
      else reject(new Error(`${args.join(' ')} ended with ${code}`));
    });
  });
}

/**
 * @typedef {object} Database
 * @property {(sql: string) => void} exec
 * @property {(sql: string) => Statement} prepare
 * @property {() => void} close
 *
 * @typedef {object} Statement
 * @property {(...values: (string | number)[]) => unknown} run
 * @property {(...values: (string | number)[]) => Record<string, unknown>[]} all
 *
 * @typedef {new (path: string) => Database} Library
 */

/**
 * The SQLite library that Loci itself would take here.
 * @param {string} path
 */
export function openDatabase(path) {
  const builtin = process.getBuiltinModule?.('node:sqlite');
  if (builtin) return new /** @type {{ DatabaseSync: Library }} */ (builtin).DatabaseSync(path);
  const require = createRequire(import.meta.url);
  /** @type {Library} */
  const BetterSqlite3 = require('better-sqlite3');
  return new BetterSqlite3(path);
}
