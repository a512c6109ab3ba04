import * as z from 'zod';
import { flag, word } from './fields.ts';

/** What the verbs that move memories accept; see `options.ts`. */

export const exportOptions = z.strictObject({
  out: word().optional().describe('File to write; gzipped if it ends in .gz (default: stdout)'),
  project: word().optional().describe('Only this project (default: the whole store)'),
});

export const importOptions = z.strictObject({
  file: word().optional().describe('File that export made, gzipped or not'),
  from: word().optional().describe('The same, as an option'),
  dryRun: flag().optional().describe('Check the file and count, write nothing'),
});

export const copyOptions = z.strictObject({
  to: word().describe('Store to copy to: a folder, sqlite:FILE …'),
  dryRun: flag().optional().describe('Say what would be copied, write nothing'),
});

export const backupOptions = z.strictObject({
  out: word().optional().describe('File, or folder for one named by its time (default: here)'),
});

export const restoreBackupOptions = z.strictObject({
  file: word().describe('File that backup or export made'),
  to: word().describe('Store to make: a folder, sqlite:FILE …'),
});
