import * as z from 'zod';
import type { CopyOptions, ExportOptions, ImportOptions } from '../domain/moving.ts';
import { copyOptions, exportOptions, importOptions } from '../domain/moving-options.ts';
import type { Operation } from './operation.ts';

/** The verbs that move memories between stores and files. */

const rows = z.looseObject({ memories: z.number(), events: z.number(), vectors: z.number() });
const moved = {
  inserted: rows,
  skipped: rows,
  errors: z.array(z.looseObject({ line: z.number(), message: z.string() })),
} as const;

export const exportVerb: Operation = {
  name: 'export',
  title: 'Export',
  description:
    'Writes the store, or one project of it, as JSON lines: history, relations, entities and vectors.',
  audience: 'cli',
  input: exportOptions,
  output: z.looseObject(moved),
  annotations: { readOnly: true, destructive: false, idempotent: true },
  cli: {
    group: 'Move',
    summary: 'Writes the store, or one project, as JSON lines',
    positionals: [],
    shared: ['project'],
    examples: [
      { command: 'loci export --out memory.jsonl.gz', what: 'The whole store, gzipped' },
      { command: 'loci export -p boat --out boat.jsonl', what: 'One project' },
      { command: 'loci export | wc -l', what: 'To stdout' },
    ],
  },
  run: (loci, input, io) => loci.export(input as ExportOptions, io),
};

export const importVerb: Operation = {
  name: 'import',
  title: 'Import',
  description:
    'Takes the rows of an export. What is there already is passed over; a bad line is named and the others are taken.',
  audience: 'cli',
  input: importOptions,
  output: z.looseObject(moved),
  annotations: { readOnly: false, destructive: false, idempotent: true },
  cli: {
    group: 'Move',
    positionals: ['file'],
    examples: [
      { command: 'loci import memory.jsonl.gz --dry-run', what: 'Check the file, write nothing' },
      {
        command: 'loci import memory.jsonl.gz',
        what: 'Exit code 1 when a line could not be taken',
      },
    ],
  },
  run: (loci, input, { progress }) => loci.import(input as unknown as ImportOptions, progress),
};

export const copy: Operation = {
  name: 'copy',
  title: 'Copy',
  description:
    'Copies everything into another store, whatever engine keeps it, and proves that both are equal. Stopped, it goes on next time.',
  audience: 'cli',
  input: copyOptions,
  output: z.looseObject(moved),
  annotations: { readOnly: false, destructive: false, idempotent: true },
  cli: {
    group: 'Move',
    summary: 'Copies everything into another store and proves that both are equal',
    positionals: [],
    examples: [
      { command: 'loci copy --to sqlite:memory.db --dry-run', what: 'What would be copied' },
      { command: 'loci copy --to sqlite:memory.db', what: 'From a vault into one file' },
    ],
  },
  run: (loci, input, { progress }) => loci.copy(input as unknown as CopyOptions, progress),
};
