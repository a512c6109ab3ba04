// npm run reference: writes the parts of docs/ that are derived from the definitions of the verbs.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './prepare.mjs';

/** Each function returns what stands between the markers of its page. */
const PAGES = [
  { page: 'docs/cli.md', source: 'src/surfaces/cli/reference.ts', name: 'commandReference' },
  { page: 'docs/mcp.md', source: 'src/surfaces/mcp/reference.ts', name: 'toolReference' },
];

const MARKED = /(<!-- reference: [^\n]* -->\n)[^]*(<!-- end of reference -->)/;

const folder = await mkdtemp(join(tmpdir(), 'loci-reference-'));
try {
  for (const { page, source, name } of PAGES) {
    const path = join(root, page);
    const text = await readFile(path, 'utf8');
    if (!MARKED.test(text)) throw new Error(`${page} has no markers`);
    const generated = await run(source, name);
    await writeFile(
      path,
      text.replace(MARKED, (_, start, end) => `${start}\n${generated}\n${end}`),
    );
    process.stdout.write(`${page}\n`);
  }
} finally {
  await rm(folder, { recursive: true });
}

/**
 * @param {string} source
 * @param {string} name
 * @returns {Promise<string>}
 */
async function run(source, name) {
  const outfile = join(folder, `${name}.mjs`);
  await build({
    absWorkingDir: root,
    entryPoints: [source],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['*/open.ts', 'better-sqlite3', 'gpt-tokenizer'], // no store is opened
    banner: {
      js: "import { createRequire as cr } from 'node:module'; const require = cr(import.meta.url);",
    },
    logLevel: 'error',
  });
  const module = await import(pathToFileURL(outfile).href);
  return module[name]();
}
