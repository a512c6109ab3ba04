'use strict';
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname, join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { Script } = require('node:vm');

const SUM_BYTES = 32;
const DAY_MS = 86_400_000;
/** A server is not waited for: V8 forgets what has not run for long, and its start is such a thing. */
const WAIT_MS = 10_000;

/**
 * Runs a bundle with the code that V8 made of it in an earlier run. That lies beside the bundle: who
 * can change it could change the bundle too, and it goes where the bundle goes. Node's own cache
 * (`enableCompileCache`, 22.8 and later) is not in Node 20, and keeps what the first run compiled for
 * all commands.
 * @param {string} file one function, which takes `require` and the URL of its file
 * @param {string} [command] each has code of its own: what one runs, another need not load
 * @param {number} [waitMs] how long a run may take before its code is kept
 */
function runKept(file, command, waitMs = WAIT_MS) {
  const name = /^[a-z][a-z-]*$/.test(command ?? '') ? command : 'loci';
  const place = join(dirname(file), 'compiled', `${name}-${process.version}-${process.arch}`);
  const start = scriptOf(file, place, waitMs).runInThisContext();
  start(createRequire(file), pathToFileURL(file).href);
}

/**
 * In a function of its own: what was read is let go before the program begins.
 * @param {string} file
 * @param {string} place
 * @param {number} waitMs
 */
function scriptOf(file, place, waitMs) {
  const source = readFileSync(file, 'utf8');
  const kept = readCode(place, source);
  const script = new Script(source, { filename: file, ...(kept && { cachedData: kept.code }) });
  // The first run may have done little, such as to show its help: once a day it is kept anew.
  const isGood = kept && script.cachedDataRejected === false && kept.ageMs < DAY_MS;
  if (!isGood) keepOnce(waitMs, () => keepCode(place, source, script));
  return script;
}

/**
 * At its end V8 has compiled what a command runs. One that failed may be no command at all.
 * @param {number} waitMs
 * @param {() => void} keep
 */
function keepOnce(waitMs, keep) {
  /** @param {number} code */
  const atEnd = (code) => code === 0 && keep();
  process.once('exit', atEnd);
  setTimeout(() => {
    process.off('exit', atEnd);
    keep();
  }, waitMs).unref();
}

/**
 * Undefined when there is none, or it is not whole, or of another source: V8 would believe it.
 * @param {string} place
 * @param {string} source
 */
function readCode(place, source) {
  try {
    const bytes = readFileSync(place);
    const code = bytes.subarray(SUM_BYTES);
    if (!bytes.subarray(0, SUM_BYTES).equals(sumOf(source, code))) return undefined;
    return { code, ageMs: Date.now() - statSync(place).mtimeMs };
  } catch {
    return undefined;
  }
}

/**
 * @param {string} place
 * @param {string} source
 * @param {Script} script
 */
function keepCode(place, source, script) {
  const temporary = `${place}.${process.pid}`;
  try {
    const code = script.createCachedData();
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(temporary, Buffer.concat([sumOf(source, code), code]));
    renameSync(temporary, place);
  } catch {
    // Where nothing can be written, every start compiles.
  }
}

/**
 * @param {string} source
 * @param {Buffer} code
 */
function sumOf(source, code) {
  return createHash('sha256').update(source).update(code).digest();
}

module.exports = { runKept };
