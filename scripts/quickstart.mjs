// npm run quickstart [-- FOLDER]: from a fresh clone to a store that answers questions. Installs and
// builds what is missing, puts this project's own documentation into a vault, and asks it something.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { sectionsOf } from './markdown-sections.mjs';
import { prepare, root } from './prepare.mjs';

const PROJECT = 'loci';
const QUESTIONS = [
  'why is keyword search not left to FTS5 or tsvector?',
  'may the index be deleted?',
  'which Node has SQLite built in?',
];
const SHOWN_LINES = 4;
const FILE_LINES = 22;

process.stdout.on('error', () => process.exit()); // a reader such as `head` that has seen enough
prepare();
const folder = resolve(process.argv[2] ?? join(tmpdir(), 'loci-quickstart'));
try {
  await tour(folder);
} catch (error) {
  const { message, hint } = /** @type {Error & { hint?: string }} */ (error);
  process.stderr.write(`quickstart: ${message}\n${hint ? `${hint}\n` : ''}`);
  process.exitCode = 1;
}

/** @param {string} vault */
async function tour(vault) {
  /** @type {typeof import('../src/index.ts')} */
  const { open } = await import(new URL('../dist/index.js', import.meta.url).href);
  mkdirSync(vault, { recursive: true });
  const loci = await open(vault, { project: PROJECT, source: 'import', env: {}, cwd: root });
  try {
    const sections = documents().flatMap(memoriesOf);
    const memories = sections.filter(
      ({ body }, i) => i === sections.findIndex((other) => other.body === body),
    );
    const { results, warnings } = await loci.remember(memories);
    heading('1', `Remembered the documentation of this project in ${vault}`);
    say(`${countBy(results.map(({ outcome }) => outcome))} of ${memories.length} sections`);
    const refused = results.find(({ outcome }) => outcome === 'refused');
    if (refused) throw new Error(`a section was refused: ${refused.reason}`);
    for (const warning of warnings) say(warning);

    heading('2', 'Asked it three questions');
    for (const query of QUESTIONS) {
      const [best] = (await loci.recall({ query, limit: 1 })).results;
      say(`\n  ? ${query}`);
      if (!best) throw new Error('recall found nothing');
      say(`  ! ${best.title}  (${best.type}, score ${best.score.toFixed(2)}, ${best.id})`);
      for (const line of excerpt(best.body)) say(`    ${line}`);
    }
  } finally {
    await loci.close();
  }

  heading('3', 'What lies on disk: edit it, commit it, delete the index if you like');
  for (const line of listing(vault)) say(`  ${line}`);
  const entities = join(vault, 'ENTITIES');
  const example = readdirSync(entities).find((name) => name.startsWith('DECI-'));
  if (example) {
    say(`\n  ${example}:`);
    const lines = readFileSync(join(entities, example), 'utf8').split('\n');
    for (const line of [...lines.slice(0, FILE_LINES), '…']) say(`  │ ${line}`);
  }

  const program = join(root, 'bin', 'loci.js');
  heading('4', 'Ask further');
  say(`  node ${quoted(program)} recall -d ${quoted(vault)} -p ${PROJECT} "your question"`);
  heading('5', 'Give your agent a memory, for Claude Code (others: docs/hosts.md)');
  say(`  claude mcp add --scope user loci -- node ${quoted(program)} mcp`);
  say('\n  or in the .mcp.json of a project:\n');
  const server = { mcpServers: { loci: { command: 'node', args: [program, 'mcp'] } } };
  for (const line of JSON.stringify(server, null, 2).split('\n')) say(`  ${line}`);
  say(`\nThat memory has a place of its own; node ${quoted(program)} status shows it.`);
}

/** Paths of the project's Markdown pages, below its folder. */
function documents() {
  const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.md'))
    .toSorted();
  return ['README.md', 'CONTRIBUTING.md', ...pages];
}

/**
 * One memory a section. The external id makes a second run update what the first one stored.
 * @param {string} path
 */
function memoriesOf(path) {
  const type = typeOf(path);
  return sectionsOf(readFileSync(join(root, path), 'utf8')).map(({ anchor, title, body }) => ({
    body,
    title,
    type,
    paths: [path],
    tags: ['documentation'],
    externalId: `${path}#${anchor}`,
  }));
}

/**
 * @param {string} path
 * @returns {'decision' | 'procedure' | 'fact'}
 */
function typeOf(path) {
  if (path.startsWith('docs/decisions/')) return 'decision';
  return ['CONTRIBUTING.md', 'docs/hosts.md'].includes(path) ? 'procedure' : 'fact';
}

/** @param {string} body */
function excerpt(body) {
  const lines = body.split('\n').filter((line) => line.trim() !== '');
  return lines.length > SHOWN_LINES ? [...lines.slice(0, SHOWN_LINES), '…'] : lines;
}

/** @param {string} vault */
function listing(vault) {
  return readdirSync(vault, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((entry) => {
      if (!entry.isDirectory()) return entry.name;
      return `${entry.name}/  ${readdirSync(join(vault, entry.name)).length} files`;
    });
}

/** @param {string[]} words */
function countBy(words) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, count]) => `${count} ${word}`).join(', ');
}

/** @param {string} path */
function quoted(path) {
  return /\s/.test(path) ? JSON.stringify(path) : path;
}

/** @param {string} number @param {string} text */
function heading(number, text) {
  say(`\n${number}. ${text}`);
}

/** @param {string} text */
function say(text) {
  process.stdout.write(`${text}\n`);
}
