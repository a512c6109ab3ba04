// Adds up the reports of vitest-report.mjs; the last line is `N passed, N failed, N skipped`.
// A run that left no report counts as a failure.
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

let passed = 0;
let failed = 0;
let skipped = 0;
for (const file of process.argv.slice(2)) {
  const run = basename(file, '.json');
  /** @type {import('./vitest-report.mjs').Report} */
  const report = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { passed: 0, failed: 1, skipped: [] };
  passed += report.passed;
  failed += report.failed;
  skipped += report.skipped.length;
  for (const { name, reason } of report.skipped)
    process.stdout.write(`skipped on ${run}: ${name} (${reason})\n`);
}
process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
