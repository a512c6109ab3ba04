import type { Invocation } from '../invocation.ts';
import { runConfig } from './config.ts';
import { runEval } from './eval.ts';
import { runGolden } from './golden.ts';
import { runInit } from './init.ts';
import { runMcp } from './mcp.ts';
import { runMigrateIsolation } from './migrate-isolation.ts';
import { runSetup } from './setup.ts';

/** A command beside the verbs. */
export interface SetUp {
  readonly signature: string;
  readonly description: string;
  readonly options?: readonly (readonly [flags: string, description: string])[];
  readonly examples: readonly string[];
  run(
    positional: readonly string[],
    options: Readonly<Record<string, string>>,
    invocation: Invocation,
  ): Promise<number>;
}

export const SET_UP: readonly SetUp[] = [
  {
    signature: 'init [dir]',
    description: 'Makes a store, in .loci here or in a folder',
    examples: ['loci init', 'loci init ~/notes/memory'],
    run: ([dir], _, invocation) => runInit(dir, invocation),
  },
  {
    signature: 'setup',
    description: 'Makes or migrates the tables of a PostgreSQL store; run again it does nothing',
    examples: ['loci setup --store postgres://loci:secret@localhost:5432/loci'],
    run: (_, __, invocation) => runSetup(invocation),
  },
  {
    signature: 'config',
    description: 'Shows every setting and where it comes from',
    examples: ['loci config', 'loci config --json'],
    run: (_, __, invocation) => runConfig(invocation),
  },
  {
    signature: 'eval <set>',
    description:
      'Measures retrieval on a data set, in a store of its own unless one is named, or compares two runs',
    options: [
      ['--k <a,b>', 'ranks to score at (default 5,10,20)'],
      ['--budgets <a,b>', 'token budgets to score at (default 500,1000,2000)'],
      ['--embedder <word>', 'another embedder than the configured one; none is keywords alone'],
      ['--limit <n>', 'only the first n queries'],
      ['--out <file>', 'what each query brought, one JSON object a line'],
      ['--compare <file>', 'an earlier run to compare with; the set may be a later --out file too'],
    ],
    examples: [
      'loci eval ./set --out before.jsonl',
      'loci eval ./set --out after.jsonl --compare before.jsonl',
      'loci eval --compare before.jsonl after.jsonl',
    ],
    run: ([set = ''], options, invocation) => runEval(set, options, invocation),
  },
  {
    signature: 'golden [ids...]',
    description: 'Asks the questions kept beside a store, and fails when an answer got worse',
    options: [
      ['--add <question>', 'keep a question, with the ids of the memories that answer it'],
      ['--update', 'take the answers of today for those to compare with'],
      ['--file <file>', 'the questions (default: golden.jsonl in the vault, or beside the file)'],
    ],
    examples: [
      'loci golden --add "when do we deploy?" DECI-2026-03-09-WE-DEPLOY-ON-TUESDAYS-7K2M',
      'loci golden',
      'loci golden --update',
    ],
    run: (ids, options, invocation) => runGolden(ids, options, invocation),
  },
  {
    signature: 'migrate-isolation',
    description: 'Keeps agents apart from now on: each has a drawer of its own beside a shared one',
    options: [
      [
        '--strategy <word>',
        'of what is there: fresh sets it all aside, partition leaves each memory to its agent, clone-to-shared copies it for all as well',
      ],
      ['--dry-run', 'only say what would be done'],
    ],
    examples: [
      'loci migrate-isolation --strategy partition --dry-run',
      'loci migrate-isolation --strategy partition',
    ],
    run: (_, options, invocation) => runMigrateIsolation(options, invocation),
  },
  {
    signature: 'mcp',
    description: 'Serves agents over MCP on stdin and stdout',
    options: [['--surface <word>', 'tools that are offered; one of core (default), full']],
    examples: ['loci mcp', 'loci mcp --surface full'],
    run: (_, options, invocation) => runMcp(options, invocation),
  },
];
