import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';

const WHAT_WIDTH = 48;

/**
 * @typedef {object} Row
 * @property {string} what ours and, after a slash, its floor
 * @property {number} size memories in the store
 * @property {number} figure ours, milliseconds unless `what` says otherwise
 * @property {number} floor the bare deed, in the same unit
 * @property {number} ratio
 * @property {number} [bound] what the ratio should stay within, if that was set
 */

/** @typedef {ReturnType<typeof newReport>} Report */

/** Prints each measurement as it comes and keeps it for the tables at the end. */
export function newReport() {
  /** @type {Row[]} */
  const rows = [];
  const machine = `${cpus()[0]?.model}, ${availableParallelism()} processors`;
  const node = process.version;
  console.log(`${machine}, Node ${node}\n`);
  console.log(`${'what'.padEnd(WHAT_WIDTH)} memories          ms       floor     ratio`);
  return {
    rows,
    node,
    /**
     * @param {string} what
     * @param {number} size
     * @param {{ ours: number, floor: number }} times
     * @param {number} [bound]
     */
    add(what, size, { ours, floor }, bound) {
      const ratio = ours / floor;
      rows.push({ what, size, figure: ours, floor, ratio, ...(bound && { bound }) });
      const cells = [
        what.padEnd(WHAT_WIDTH),
        counted(size).padStart(8),
        ours.toFixed(3).padStart(11),
        floor.toFixed(3).padStart(11),
        `${ratio.toFixed(2)} ×`.padStart(9),
        bound === undefined ? '' : `(≤ ${bound})${ratio > bound ? '  over' : ''}`,
      ];
      console.log(cells.join(' ').trimEnd());
    },
    /** @param {string} text */
    note: (text) => console.log(text),
    /** @param {string} path */
    save: (path) => writeFileSync(path, `${JSON.stringify({ machine, node, rows }, null, 1)}\n`),
    printGrowth: () => printGrowth(rows),
  };
}

/**
 * How ours grows: a row for each measurement, a column for each size.
 * @param {readonly Row[]} rows
 */
function printGrowth(rows) {
  const sizes = [...new Set(rows.map(({ size }) => size))].sort((a, b) => a - b);
  const names = [...new Set(rows.map(({ what }) => what))];
  console.log('\nHow it grows with the memories: ms, and the ratio to the floor\n');
  console.log(tableLine('', sizes.map(counted)));
  for (const name of names) {
    const cells = sizes.map((size) => {
      const row = rows.find((candidate) => candidate.what === name && candidate.size === size);
      return row ? `${significant(row.figure)} (${row.ratio.toFixed(2)} ×)` : '';
    });
    console.log(tableLine(name, cells));
  }
}

/**
 * @param {string} what
 * @param {readonly string[]} cells
 */
function tableLine(what, cells) {
  return [what.padEnd(WHAT_WIDTH), ...cells.map((cell) => cell.padStart(19))].join(' ').trimEnd();
}

/** @param {number} value */
function significant(value) {
  return value >= 100 ? counted(Math.round(value)) : value.toPrecision(3);
}

/** @param {number} value */
function counted(value) {
  return value.toLocaleString('en');
}
