'use strict';
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname, join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { Script } = require('node:vm');

const SUM_BYTES = 32;

/**
 * Runs a bundle with the code that V8 made of it in an earlier run. That lies beside the bundle: who
 * can change it could change the bundle too, and it goes where the bundle goes. Node's own cache
 * (`enableCompileCache`, 22.8 and later) is not in Node 20, and keeps what the first run compiled for
 * all commands.
 * @param {string} file one function, which takes `require` and the URL of its file
 * @param {string} [command] each has code of its own: what one runs, another need not load
 */
function runKept(file, command) {
  const source = readFileSync(file, 'utf8');
  const name = /^[a-z][a-z-]*$/.test(command ?? '') ? command : 'loci';
  const place = join(dirname(file), 'compiled', `${name}-${process.version}-${process.arch}`);
  const cachedData = readCode(place, source);
  const script = new Script(source, { filename: file, ...(cachedData && { cachedData }) });
  const isKept = cachedData !== undefined && script.cachedDataRejected !== true;
  // At the end V8 has compiled what this command runs. One that failed may be no command at all.
  if (!isKept) process.once('exit', (code) => code === 0 && keepCode(place, source, script));
  script.runInThisContext()(createRequire(file), pathToFileURL(file).href);
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
    return bytes.subarray(0, SUM_BYTES).equals(sumOf(source, code)) ? code : undefined;
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
