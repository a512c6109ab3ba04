// npm test [-- vitest arguments]: installs and builds if needed, then runs the suite once.
import { prepare, run } from './prepare.mjs';

prepare();
process.exitCode = run(process.execPath, [
  'node_modules/vitest/vitest.mjs',
  'run',
  ...process.argv.slice(2),
]);
