import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { violations, type Table } from '../../scripts/boundaries.mjs';

const table: Table = JSON.parse(
  readFileSync(new URL('../../scripts/boundaries.json', import.meta.url), 'utf8'),
);
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** What the check says about a source tree of these files. */
function check(files: Record<string, string>): string[] {
  const src = mkdtempSync(join(tmpdir(), 'loci-boundaries-'));
  folders.push(src);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(src, path)), { recursive: true });
    writeFileSync(join(src, path), text);
  }
  return violations(src, table);
}

// One line for each row of the table at least: the file, what it must not say, the answer.
const FORBIDDEN: [file: string, code: string, reason: string][] = [
  ['domain/a.ts', "import '../ports/clock.ts';", 'domain may not import ports/clock.ts'],
  ['domain/a.ts', "import 'commander';", 'domain may not import the package commander'],
  ['domain/a.ts', "import 'node:fs';", 'domain may not import node:fs'],
  ['ports/a.ts', "import '../recall/a.ts';", 'ports may not import recall/a.ts'],
  ['ports/a.ts', "import 'zod';", 'ports may not import the package zod'],
  ['remember/a.ts', "import '../recall/a.ts';", 'remember may not import recall/a.ts'],
  ['recall/channels/a.ts', "import '../../graph/a.ts';", 'recall may not import graph/a.ts'],
  ['graph/a.ts', "import '../upkeep/a.ts';", 'graph may not import upkeep/a.ts'],
  ['upkeep/a.ts', "import '../remember/a.ts';", 'upkeep may not import remember/a.ts'],
  ['library/a.ts', "import '../remember/a.ts';", 'library may not import remember/a.ts'],
  ['batch/a.ts', "import '../recall/a.ts';", 'batch may not import recall/a.ts'],
  ['exchange/import/a.ts', "import '../../upkeep/a.ts';", 'exchange may not import upkeep/a.ts'],
  [
    'surfaces/cli/a.ts',
    "import '../../evaluation/a.ts';",
    'surfaces/cli may load evaluation/a.ts by import() only',
  ],
  ['evaluation/a.ts', "import '../batch/a.ts';", 'evaluation may not import batch/a.ts'],
  [
    'evaluation/a.ts',
    "import { createLoci } from '../loci.ts';",
    'evaluation may import loci.ts as a type only',
  ],
  ['loci.ts', "import './engines/vault/a.ts';", 'loci.ts may not import engines/vault/a.ts'],
  ['config/a.ts', "import '../ports/a.ts';", 'config may not import ports/a.ts'],
  ['config.ts', "import './loci.ts';", 'config.ts may not import loci.ts'],
  [
    'operations/a.ts',
    "import { createLoci } from '../loci.ts';",
    'operations may import loci.ts as a type only',
  ],
  ['operations/a.ts', "import '../open.ts';", 'operations may not import open.ts'],
  [
    'engines/in-memory/a.ts',
    "import '../sqlite/a.ts';",
    'engines/* may not import engines/sqlite/a.ts',
  ],
  [
    'engines/sqlite/a.ts',
    "import '../vault/a.ts';",
    'engines/sqlite may not import engines/vault/a.ts',
  ],
  [
    'engines/sqlite/a.ts',
    "import Database from 'better-sqlite3';",
    'the package better-sqlite3 may be loaded by import() only',
  ],
  [
    'engines/postgres/a.ts',
    "import '../sqlite/a.ts';",
    'engines/postgres may not import engines/sqlite/a.ts',
  ],
  [
    'engines/postgres/a.ts',
    "import pg from 'pg';",
    'the package pg may be loaded by import() only',
  ],
  [
    'engines/vault/a.ts',
    "await import('better-sqlite3');",
    'engines/vault may not import the package better-sqlite3',
  ],
  [
    'models/llms/a.ts',
    "import '../embedders/a.ts';",
    'models/* may not import models/embedders/a.ts',
  ],
  [
    'models/llms/a.ts',
    "import('gpt-tokenizer');",
    'models/* may not import the package gpt-tokenizer',
  ],
  [
    'models/embedders/a.ts',
    "import { pipeline } from '@huggingface/transformers';",
    'the package @huggingface/transformers may be loaded by import() only',
  ],
  [
    'models/embedders/a.ts',
    "import '../tokens/a.ts';",
    'models/embedders may not import models/tokens/a.ts',
  ],
  ['models/tokens/a.ts', "import '../llms/a.ts';", 'models/tokens may not import models/llms/a.ts'],
  [
    'models/tokens/a.ts',
    "import { encode } from 'gpt-tokenizer/encoding/o200k_base';",
    'the package gpt-tokenizer may be loaded by import() only',
  ],
  [
    'open.ts',
    "import { openVault } from './engines/vault/a.ts';",
    'open.ts may load engines/vault/a.ts by import() only',
  ],
  ['open.ts', "import 'yaml';", 'open.ts may not import the package yaml'],
  [
    'index.ts',
    "export { a } from './recall/a.ts';",
    'index.ts may import recall/a.ts as a type only',
  ],
  ['surfaces/http/a.ts', "import '../mcp/a.ts';", 'surfaces/* may not import surfaces/mcp/a.ts'],
  ['surfaces/http/a.ts', "import '../../loci.ts';", 'surfaces/* may not import loci.ts'],
  [
    'surfaces/cli/a.ts',
    "import '../mcp/a.ts';",
    'surfaces/cli may load surfaces/mcp/a.ts by import() only',
  ],
  ['surfaces/mcp/a.ts', "import 'commander';", 'surfaces/mcp may not import the package commander'],
  ['testing/a.ts', "import '../engines/vault/a.ts';", 'testing may not import engines/vault/a.ts'],
];

const ALLOWED: [file: string, code: string][] = [
  ['domain/a.ts', "import { z } from 'zod'; import './text/b.ts'; import 'node:crypto';"],
  ['upkeep/a.ts', "import '../graph/a.ts'; import './b.ts'; import 'node:fs';"],
  ['evaluation/a.ts', "import type { Loci } from '../loci.ts'; import '../recall/a.ts';"],
  ['operations/a.ts', "import type { Found } from '../recall/a.ts'; import { z } from 'zod';"],
  ['engines/sqlite/a.ts', "const { default: open } = await import('better-sqlite3');"],
  ['engines/sqlite/a.ts', "import type Database from 'better-sqlite3'; import '../shared/a.ts';"],
  ['engines/vault/a.ts', "import '../sqlite/a.ts';"],
  ['open.ts', "import './recall/a.ts'; await import('./engines/vault/a.ts');"],
  ['index.ts', "export type { Found } from './recall/a.ts'; export { open } from './open.ts';"],
  ['surfaces/mcp/a.ts', "import '@modelcontextprotocol/server/stdio'; import '../../open.ts';"],
];

describe('the import table', () => {
  test.each(FORBIDDEN)('%s: %s', (file, code, reason) => {
    expect(check({ [file]: code })).toEqual([`${file}:1: ${reason}`]);
  });

  test.each(ALLOWED)('%s: %s', (file, code) => {
    expect(check({ [file]: code })).toEqual([]);
  });

  test('has a violation above for every row', () => {
    const rows = new Set(FORBIDDEN.map(([, , reason]) => reason.split(' may ')[0]));
    expect(Object.keys(table.rooms).filter((room) => !rows.has(room))).toEqual([]);
  });

  test('covers every file', () => {
    expect(check({ 'tools/a.ts': '' })).toEqual(['tools/a.ts: belongs to no room of the table']);
  });

  test('asks for the extension .ts', () => {
    expect(check({ 'domain/a.ts': "import './b.js';" })).toEqual([
      'domain/a.ts:1: ./b.js must name a .ts or .mjs file',
    ]);
  });

  test('sees imports in types, calls and second lines', () => {
    const code = [
      "type A = import('../recall/a.ts').A;",
      "await import('../graph/a.ts');",
      "export type { B } from '../batch/a.ts';",
    ].join('\n');
    expect(check({ 'ports/a.ts': code })).toEqual([
      'ports/a.ts:1: ports may not import recall/a.ts',
      'ports/a.ts:2: ports may not import graph/a.ts',
      'ports/a.ts:3: ports may not import batch/a.ts',
    ]);
  });
});

describe('import cycles', () => {
  test('are found across files, once', () => {
    const files = {
      'domain/a.ts': "import './b.ts';",
      'domain/b.ts': "export { c } from './c.ts';",
      'domain/c.ts': "await import('./a.ts');",
      'domain/d.ts': "import './a.ts';",
    };
    expect(check(files)).toEqual([
      'import cycle: domain/a.ts → domain/b.ts → domain/c.ts → domain/a.ts',
    ]);
  });

  test('of types alone are none, since those imports are erased', () => {
    const files = {
      'domain/a.ts': "import type { B } from './b.ts';",
      'domain/b.ts': "import './a.ts';",
    };
    expect(check(files)).toEqual([]);
  });
});
