import type { Invocation } from '../invocation.ts';
import { runConfig } from './config.ts';
import { runEval } from './eval.ts';
import { runInit } from './init.ts';
import { runMcp } from './mcp.ts';

/** A command beside the verbs. */
export interface SetUp {
  readonly signature: string;
  readonly description: string;
  readonly options?: readonly (readonly [flags: string, description: string])[];
  readonly examples: readonly string[];
  run(
    argument: string | undefined,
    options: Readonly<Record<string, string>>,
    invocation: Invocation,
  ): Promise<number>;
}

export const SET_UP: readonly SetUp[] = [
  {
    signature: 'init [dir]',
    description: 'Makes a store, in .loci here or in a folder',
    examples: ['loci init', 'loci init ~/notes/memory'],
    run: (dir, _, invocation) => runInit(dir, invocation),
  },
  {
    signature: 'config',
    description: 'Shows every setting and where it comes from',
    examples: ['loci config', 'loci config --json'],
    run: (_, __, invocation) => runConfig(invocation),
  },
  {
    signature: 'eval <set>',
    description: 'Measures retrieval on a data set, in a store of its own unless one is named',
    options: [
      ['--k <a,b>', 'ranks to score at (default 5,10,20)'],
      ['--budgets <a,b>', 'token budgets to score at (default 500,1000,2000)'],
      ['--embedder <word>', 'one of default, none (keywords alone)'],
      ['--limit <n>', 'only the first n queries'],
      ['--out <file>', 'what each query brought, one JSON object a line'],
    ],
    examples: ['loci eval ./golden', 'loci eval ./golden --json --out answers.jsonl'],
    run: (set, options, invocation) => runEval(set ?? '', options, invocation),
  },
  {
    signature: 'mcp',
    description: 'Serves agents over MCP on stdin and stdout',
    options: [['--surface <word>', 'tools that are offered; one of core (default), full']],
    examples: ['loci mcp', 'loci mcp --surface full'],
    run: (_, options, invocation) => runMcp(options, invocation),
  },
];
