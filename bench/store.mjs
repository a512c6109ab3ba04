import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {import('../src/index.ts').Loci} Loci */
/** @typedef {import('./corpus.mjs').BenchMemory} BenchMemory */
/** @typedef {BenchMemory & { id: string }} Written */

/**
 * A vault that is measured.
 * @typedef {object} Vault
 * @property {string} folder of this run, for files beside it
 * @property {string} path
 * @property {number} size memories of its batch
 * @property {readonly BenchMemory[]} corpus its batch
 * @property {Written[]} written everything in it, with its ids
 */

const LOCI = new URL('../dist/index.js', import.meta.url).href;
const CLI = fileURLToPath(new URL('../bin/loci.js', import.meta.url));
const PROJECT = 'bench';

/** The environment without what would direct Loci elsewhere. */
export const ENVIRONMENT = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('LOCI_')),
);

/**
 * @param {string} store
 * @param {string} folder where relative paths count from
 * @param {import('../src/index.ts').OpenOptions} [options]
 * @returns {Promise<Loci>}
 */
export async function openStore(store, folder, options = {}) {
  /** @type {typeof import('../src/index.ts')} */
  const { open } = await import(LOCI);
  return open(store, { project: PROJECT, create: true, env: ENVIRONMENT, cwd: folder, ...options });
}

/**
 * The arguments of `loci VERB …` on a vault, for Node.
 * @param {Vault} vault
 * @param {...string} words
 */
export function command({ path }, ...words) {
  return [CLI, ...words, '-d', path, '-p', PROJECT];
}

/**
 * Remembers and keeps what was written. A memory that is not stored is an error of the benchmark.
 * @param {Loci} loci
 * @param {readonly BenchMemory[]} memories
 * @param {Written[]} written
 */
export async function rememberAll(loci, memories, written) {
  const { results } = await loci.remember(memories);
  for (const [i, { id, outcome, reason }] of results.entries()) {
    if (outcome !== 'stored') throw new Error(`${outcome}: ${reason}`);
    written.push({ .../** @type {BenchMemory} */ (memories[i]), id });
  }
}

/**
 * @param {Vault} vault
 * @param {string} name
 */
export function beside({ folder, size }, name) {
  return join(folder, `${size}-${name}`);
}
