import type { CopyResult, ExportResult, ImportResult } from '../../../domain/moving.ts';
import { count, facts, type Page, type Printer } from './page.ts';

export const printExport: Printer<ExportResult> = ({ file, inserted }, page) => [
  `Wrote ${page.style.bold(file ?? '')}`,
  ...facts(
    KINDS.map(([kind, label]) => [label, String(inserted[kind])]),
    page,
  ),
];

export const printImport: Printer<ImportResult> = (result, page) => [
  ...(result.dry_run ? ['Nothing was written.'] : []),
  ...moved(result, page),
  ...result.errors.map(({ line, message }) => page.style.red(`line ${line}: ${message}`)),
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
