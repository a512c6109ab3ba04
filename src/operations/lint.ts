import * as z from 'zod';
import type { LintOptions } from '../domain/inputs.ts';
import { lintOptions } from '../domain/options.ts';
import type { Operation } from './operation.ts';
import { diagnosis, runResult, textList } from './outputs.ts';

export const lint: Operation = {
  name: 'lint',
  title: 'Lint',
  description:
    'Says what in the current project wants looking at: contradictions, stale or unrelated memories, near-duplicates. With fix, settles what is sure.',
  audience: 'full',
  input: lintOptions,
  get output() {
    return z.looseObject({
      findings: z.array(diagnosis),
      fixed: z.array(diagnosis),
      ...runResult,
      warnings: textList,
    });
  },
  annotations: { readOnly: false, destructive: false, idempotent: true },
  cli: {
    group: 'Look after',
    summary: 'Finds contradictions, stale memories, near-duplicates and the like',
    positionals: [],
    examples: [
      { command: 'loci lint', what: 'Exit code 1 when there is something' },
      { command: 'loci lint --check stale --stale-days 180', what: 'One check' },
      { command: 'loci lint --fix --dry-run', what: 'What a fix would change' },
    ],
  },
  run: (loci, input) => loci.lint(input as LintOptions),
};
