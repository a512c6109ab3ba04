import type {
  BackupResult,
  CopyResult,
  ExportResult,
  ImportResult,
  MoveResult,
  RestoreBackupResult,
} from '../../../domain/moving.ts';
import { findings } from './store.ts';
import { count, facts, type Page, type Printer } from './page.ts';

export const printExport: Printer<ExportResult> = ({ file, inserted }, page) => [
  `Wrote ${page.style.bold(file ?? '')}`,
  ...rows(inserted, page),
];

export const printBackup: Printer<BackupResult> = (result, page) => [
  `Wrote ${page.style.bold(result.file)}`,
  ...rows(result.inserted, page),
  ...facts([['state hash', result.state_hash ?? 'none: others were writing']], page),
  ...findings(result.problems, page),
];

export const printRestoreBackup: Printer<RestoreBackupResult> = (result, page) => [
  `Restored ${page.style.bold(result.to)}`,
  ...rows(result.inserted, page),
  ...facts(
    [['state hash', `${result.state_hash}${result.proved ? ', as the backup says' : ''}`]],
    page,
  ),
  ...errors(result, page),
  ...findings(result.problems, page),
];

export const printImport: Printer<ImportResult> = (result, page) => [
  ...(result.dry_run ? ['Nothing was written.'] : []),
  ...moved(result, page),
  ...errors(result, page),
];

export const printCopy: Printer<CopyResult> = (result, page) => [
  result.dry_run
    ? `Nothing was written to ${result.to}.`
    : `Copied to ${page.style.bold(result.to)}`,
  ...moved(result, page),
  ...(result.state_hash === null
    ? []
    : facts([['state hash', `${result.state_hash}, the same in both`]], page)),
];

const KINDS = [
  ['memories', 'memories'],
  ['events', 'events'],
  ['entities', 'entities'],
  ['vectors', 'texts with vectors'],
] as const;

function rows(counts: MoveResult['inserted'], page: Page): string[] {
  return facts(
    KINDS.map(([kind, label]) => [label, String(counts[kind])]),
    page,
  );
}

function errors(result: MoveResult, { style }: Page): string[] {
  return result.errors.map(({ line, message }) => style.red(`line ${line}: ${message}`));
}

function moved({ inserted, skipped, updated, dry_run }: ImportResult, page: Page): string[] {
  const would = dry_run ? 'would be new' : 'new';
  return [
    ...facts(
      KINDS.map(([kind, label]) => [
        label,
        `${inserted[kind]} ${would}, ${skipped[kind]} there already`,
      ]),
      page,
    ),
    ...(updated > 0 ? [`${count(updated, 'memory', 'memories')} changed by what came`] : []),
  ];
}
