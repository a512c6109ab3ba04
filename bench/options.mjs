import { parseArgs } from 'node:util';

const SECTIONS = /** @type {const} */ ([
  'remember',
  'recall',
  'graph',
  'batch',
  'reindex',
  'upkeep',
  'start',
  'vectors',
  'postgres',
]);
const SIZES = [100, 1000, 10_000, 100_000];
const QUICK_SIZES = SIZES.slice(0, 3);

/** @typedef {(typeof SECTIONS)[number]} Section */

const USAGE = `npm run bench -- [options]
  --quick            up to 10,000 memories instead of 100,000
  --only LIST        some of ${SECTIONS.join(',')}
  --json FILE        keep the figures
  --baseline         compare the ratios with those of bench/baseline.json
  --save-baseline    put the ratios into bench/baseline.json
`;

/** What the command line asks for. A bad option or `--help` prints the usage and ends the process. */
export function readOptions() {
  const { quick, only, help, ...rest } = parse();
  const names = only?.split(',') ?? SECTIONS;
  const sections = SECTIONS.filter((section) => names.includes(section));
  if (help) end(0);
  if (sections.length < names.length) end(2, `--only takes ${SECTIONS.join(', ')}\n\n`);
  return { ...rest, sizes: quick ? QUICK_SIZES : SIZES, sections: new Set(sections) };
}

function parse() {
  try {
    return parseArgs({
      options: {
        quick: { type: 'boolean' },
        only: { type: 'string' },
        json: { type: 'string' },
        baseline: { type: 'boolean' },
        'save-baseline': { type: 'boolean' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    return end(2, `${error instanceof Error ? error.message : error}\n\n`);
  }
}

/**
 * @param {number} code
 * @param {string} [complaint]
 * @returns {never}
 */
function end(code, complaint = '') {
  process.stderr.write(complaint + USAGE);
  process.exit(code);
}
