// npm run build: bundles src/ into dist/, with type declarations and the licences of what is inside.
import { spawn } from 'node:child_process';
import {
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { publishDeclarations } from './declarations.mjs';
import { root } from './prepare.mjs';

/** Native or large: installed beside the package, loaded when first used. */
const EXTERNAL = [
  'better-sqlite3',
  'gpt-tokenizer',
  'pg',
  '@electric-sql/pglite',
  '@electric-sql/pglite-pgvector',
];

/** @satisfies {import('esbuild').BuildOptions} */
const BUNDLED = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  external: EXTERNAL,
  legalComments: 'none', // all licences are in THIRD-PARTY-LICENSES.txt
  metafile: true,
};

const REQUIRE_BANNER =
  "import { createRequire as createRequireForBundle } from 'node:module';\n" +
  'const require = createRequireForBundle(import.meta.url);\n';

const startedAt = new Date();
const dist = join(root, 'dist');
const staging = join(root, `.dist-${process.pid}`); // swapped in at the end: dist/ is never half built

try {
  await mkdir(staging);
  const [library, program] = await Promise.all([bundleLibrary(), bundleProgram(), declarations()]);
  // A worker starts from files as they are, beside the code that starts it.
  for (const name of ['file-worker.mjs', 'file-work.mjs']) {
    for (const folder of ['chunks', '.']) {
      await copyFile(join(root, 'src/engines/vault', name), join(staging, folder, name));
    }
  }
  const texts = await licences([library, program]);
  await writeFile(join(staging, 'THIRD-PARTY-LICENSES.txt'), texts);
  await utimes(join(staging, 'index.js'), startedAt, startedAt); // edits during the build count as newer
  await rm(dist, { recursive: true, force: true });
  await rename(staging, dist);
  process.stderr.write(`Built dist/ in ${Date.now() - startedAt.getTime()} ms.\n`);
} catch (error) {
  process.stderr.write(`Build failed: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
} finally {
  await rm(staging, { recursive: true, force: true });
}

/** ES modules in parts, for whoever imports the package. */
async function bundleLibrary() {
  const { outputFiles, metafile } = await build({
    ...BUNDLED,
    entryPoints: { index: 'src/index.ts' },
    outdir: staging,
    chunkNames: 'chunks/[name]-[hash]',
    splitting: true,
    format: 'esm',
    write: false,
  });
  for (const { path, text } of outputFiles) {
    // Bundled CommonJS finds Node's modules through esbuild's shim, which looks for a `require`.
    const needsRequire = text.includes('typeof require !== "undefined"');
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, needsRequire ? REQUIRE_BANNER + text : text);
  }
  return metafile;
}

/** One function that bin/kept-code.js calls: V8 can be given the code that it made of it before. */
async function bundleProgram() {
  const { outputFiles, metafile } = await build({
    ...BUNDLED,
    entryPoints: ['src/surfaces/cli/main.ts'],
    outfile: join(staging, 'program.js'),
    format: 'cjs',
    // The text stays in memory while the program runs; names stay for traces.
    minifyWhitespace: true,
    minifySyntax: true,
    write: false,
    // A script that is made with kept code cannot import: what stays outside is required.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'moduleUrl' },
    banner: { js: '(function (require, moduleUrl) {' },
    footer: { js: '})' },
  });
  for (const { path, text } of outputFiles) await writeFile(path, inAscii(text));
  return metafile;
}

/**
 * Regular expressions are the last place with other letters; with one of them, all of the text would
 * take two bytes a letter in memory, and be copied at each start.
 * @param {string} text
 */
function inAscii(text) {
  return text.replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

async function declarations() {
  const all = join(staging, 'all-types');
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const args = [tsc, '-p', 'tsconfig.build.json', '--outDir', all];
  const code = await new Promise((resolve, reject) => {
    spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
      .on('error', reject)
      .on('close', resolve);
  });
  if (code !== 0) throw new Error('the declarations do not compile');
  await publishDeclarations(all, join(staging, 'types'), 'index.d.ts');
  await rm(all, { recursive: true });
}

/**
 * The licence text of every package with code in the bundles.
 * @param {readonly import('esbuild').Metafile[]} metafiles
 */
async function licences(metafiles) {
  const packages = new Set(
    metafiles
      .flatMap(({ outputs }) => Object.values(outputs))
      .flatMap((output) => Object.entries(output.inputs))
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([path]) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1])
      .filter((path) => path !== undefined),
  );
  const texts = [...packages].toSorted(byName).map(async (folder) => {
    const { name, version, license } = JSON.parse(
      await readFile(join(root, folder, 'package.json'), 'utf8'),
    );
    const files = await readdir(join(root, folder));
    const file = files.find((candidate) => /^(licen[cs]e|copying)(\.|$)/i.test(candidate));
    if (!file) throw new Error(`${name} has no licence file to include`);
    const text = await readFile(join(root, folder, file), 'utf8');
    return `${name} ${version} (${license})\n\n${text.trim()}\n`;
  });
  return `Loci's bundle contains these packages.\n\n${(await Promise.all(texts)).join(`\n${'-'.repeat(72)}\n\n`)}`;
}

/** @param {string} a @param {string} b */
function byName(a, b) {
  return basename(a) === basename(b) ? (a < b ? -1 : 1) : basename(a) < basename(b) ? -1 : 1;
}
