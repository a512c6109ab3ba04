#!/usr/bin/env node
// CommonJS, as package.json beside it says: so Node starts without its loader of ES modules.
'use strict';
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { runKept } = require('./kept-code.js');

const program = join(__dirname, '../dist/program.js');

if (existsSync(program)) {
  runKept(program, process.argv[2]);
} else {
  process.stderr.write('loci is not built yet. Run `npm run build` in its folder first.\n');
  process.exitCode = 70;
}
