import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** @typedef {import('./report.mjs').Row} Row */
/** @typedef {Record<string, Record<string, number>>} Ratios by measurement, then by size */

const PATH = fileURLToPath(new URL('baseline.json', import.meta.url));

/** @returns {{ node: string, ratios: Ratios }} */
function read() {
  return existsSync(PATH) ? JSON.parse(readFileSync(PATH, 'utf8')) : { node: '', ratios: {} };
}

/**
 * Replaces what was measured now. What was not (`--quick`, `--only`) stays.
 * @param {readonly Row[]} rows
 * @param {string} node its version
 */
export function saveBaseline(rows, node) {
  const { ratios } = read();
  for (const { what, size, ratio } of rows) {
    ratios[what] = { ...ratios[what], [size]: Number(ratio.toPrecision(3)) };
  }
  writeFileSync(PATH, `${JSON.stringify({ node, ratios }, null, 2)}\n`);
}

/**
 * Only ratios are compared: milliseconds belong to a machine and its weather.
 * @param {readonly Row[]} rows
 */
export function printChanges(rows) {
  const { node, ratios } = read();
  console.log(`\nRatios against the baseline (Node ${node || 'unknown: there is none yet'})\n`);
  for (const { what, size, ratio } of rows) {
    const before = ratios[what]?.[size];
    const cells = [
      what.padEnd(48),
      size.toLocaleString('en').padStart(8),
      (before === undefined ? 'new' : `${before.toFixed(2)} ×`).padStart(11),
      `${ratio.toFixed(2)} ×`.padStart(11),
      before === undefined ? '' : signed(ratio / before - 1).padStart(8),
    ];
    console.log(cells.join(' ').trimEnd());
  }
}

/** @param {number} change */
function signed(change) {
  const percent = Math.round(change * 100);
  return `${percent > 0 ? '+' : ''}${percent} %`;
}
