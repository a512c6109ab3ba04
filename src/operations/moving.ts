import * as z from 'zod';
import type {
  BackupOptions,
  CopyOptions,
  ExportOptions,
  ImportOptions,
  RestoreBackupOptions,
} from '../domain/moving.ts';
import {
  backupOptions,
  copyOptions,
  exportOptions,
  importOptions,
  restoreBackupOptions,
} from '../domain/moving-options.ts';
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
  get output() {
    return z.looseObject(moved);
  },
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
  get output() {
    return z.looseObject(moved);
  },
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
  get output() {
    return z.looseObject(moved);
  },
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

export const backup: Operation = {
  name: 'backup',
  title: 'Back up',
  description:
    'Writes everything into one file that holds the hash of the store. Others may go on writing.',
  audience: 'cli',
  input: backupOptions,
  get output() {
    return z.looseObject({ file: z.string(), bytes: z.number(), ...moved });
  },
  annotations: { readOnly: true, destructive: false, idempotent: false },
  cli: {
    group: 'Move',
    positionals: [],
    examples: [
      { command: 'loci backup --out ~/backups', what: 'Into a folder, named by its time' },
      { command: 'loci backup --out memory.jsonl.gz', what: 'Into this file' },
    ],
  },
  run: (loci, input, { progress }) => loci.backup(input as BackupOptions, progress),
};

export const restoreBackup: Operation = {
  name: 'restore-backup',
  title: 'Restore a backup',
  description:
    'Makes a new store from a backup or an export, and compares its hash with the one in the file. One that holds memories is refused.',
  audience: 'cli',
  input: restoreBackupOptions,
  get output() {
    return z.looseObject({
      to: z.string(),
      state_hash: z.string(),
      proved: z.boolean(),
      ...moved,
    });
  },
  annotations: { readOnly: false, destructive: false, idempotent: false },
  cli: {
    group: 'Move',
    summary: 'Makes a new store from a backup',
    positionals: ['file'],
    storeless: true,
    examples: [
      { command: 'loci restore-backup memory.jsonl.gz --to ./restored', what: 'Into a new vault' },
      { command: 'loci restore-backup memory.jsonl.gz --to sqlite:memory.db', what: 'Into a file' },
    ],
  },
  run: (loci, input, { progress }) =>
    loci.restoreBackup(input as unknown as RestoreBackupOptions, progress),
};
