import {
  closeSync,
  fdatasyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { openDatabase, quantile } from './measure.mjs';

/** @typedef {import('./corpus.mjs').BenchMemory} BenchMemory */

// What the machine asks for the bare deed, without a memory around it.

/**
 * Appends and syncs the bytes of one event.
 * @param {string} path
 */
export function appender(path) {
  const fd = openSync(path, 'a');
  return {
    /** @param {string} line */
    append(line) {
      writeSync(fd, line);
      fdatasyncSync(fd);
    },
    close: () => closeSync(fd),
  };
}

const FILES = 200;

/**
 * What a new file of a kilobyte costs, milliseconds.
 * @param {string} folder that is made for them
 */
export function newFileMs(folder) {
  mkdirSync(folder);
  const text = 'x'.repeat(1024);
  const times = Array.from({ length: FILES }, (_, i) => {
    const start = performance.now();
    writeFileSync(join(folder, `${i}.md`), text, { flag: 'wx' });
    return performance.now() - start;
  });
  return quantile(times, 0.5);
}

/**
 * A full-text table with nothing else, asked by an OR of words and ranked by bm25.
 * @param {string} path
 * @param {readonly BenchMemory[]} corpus
 */
export function fullText(path, corpus) {
  const database = openDatabase(path);
  database.exec('CREATE VIRTUAL TABLE texts USING fts5(title, body)');
  database.exec('BEGIN');
  const insert = database.prepare('INSERT INTO texts (title, body) VALUES (?, ?)');
  for (const { title, body } of corpus) insert.run(title, body);
  database.exec('COMMIT');
  const select = database.prepare(
    'SELECT rowid, title, body FROM texts WHERE texts MATCH ? ORDER BY bm25(texts) LIMIT 10',
  );
  return {
    /** @param {readonly string[]} words */
    ask: (words) => select.all(words.map((word) => `"${word}"`).join(' OR ')),
    close: () => database.close(),
  };
}

/**
 * The same rows in a plain table and a full-text table, in one transaction.
 * @param {string} path
 * @param {readonly BenchMemory[]} corpus
 */
export function plainBatch(path, corpus) {
  const database = openDatabase(path);
  database.exec('PRAGMA journal_mode = WAL');
  database.exec(`
    CREATE TABLE memories (id TEXT PRIMARY KEY, type TEXT, tier TEXT, status TEXT, title TEXT,
      body TEXT, tags TEXT, project TEXT, confidence REAL, created_at TEXT, updated_at TEXT);
    CREATE INDEX memories_created ON memories (created_at);
    CREATE VIRTUAL TABLE texts USING fts5(title, body, tags);
  `);
  database.exec('BEGIN');
  const row = database.prepare('INSERT INTO memories VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const text = database.prepare('INSERT INTO texts (rowid, title, body, tags) VALUES (?, ?, ?, ?)');
  const now = new Date().toISOString();
  for (const [i, { type, title, body, tags, project }] of corpus.entries()) {
    const list = JSON.stringify(tags);
    row.run(`M-${i}`, type, 'x', 'active', title, body, list, project, 0.8, now, now);
    text.run(i + 1, title, body, list);
  }
  database.exec('COMMIT');
  database.close();
}

/**
 * Reads every Markdown file of a folder and puts its text into a full-text table.
 * @param {string} folder
 * @param {string} path
 */
export function readAndInsert(folder, path) {
  const database = openDatabase(path);
  database.exec('PRAGMA journal_mode = WAL');
  database.exec('CREATE VIRTUAL TABLE texts USING fts5(body)');
  database.exec('BEGIN');
  const insert = database.prepare('INSERT INTO texts (body) VALUES (?)');
  for (const name of readdirSync(folder)) insert.run(readFileSync(join(folder, name), 'utf8'));
  database.exec('COMMIT');
  database.close();
}
