// npm run check: every static check, all of them even after one has failed.
import { run } from './prepare.mjs';

/** @type {[string, string[]][]} */
const CHECKS = [
  ['types', ['node_modules/typescript/bin/tsc', '-p', '.']],
  ['lint', ['node_modules/oxlint/bin/oxlint', '--deny-warnings']],
  ['boundaries', ['scripts/boundaries.mjs']],
  ['format', ['node_modules/oxfmt/bin/oxfmt', '--check']],
  ['unused', ['node_modules/knip/bin/knip.js']],
];

const failed = CHECKS.filter(([, args]) => run(process.execPath, args) !== 0).map(([name]) => name);
process.stdout.write(failed.length === 0 ? 'check: ok\n' : `check: failed: ${failed.join(', ')}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
