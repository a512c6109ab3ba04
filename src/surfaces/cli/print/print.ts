import type { ContextResult } from '../../../domain/results.ts';
import { notice, type Invocation } from '../invocation.ts';
import { plainAll, plainJson } from '../terminal/plain.ts';
import { printRecallDocs, printReindexDocs } from './documents.ts';
import { printClosure } from './closure.ts';
import { printEpisode, printEpisodes } from './episodes.ts';
import { printCitations, printWander } from './graph.ts';
import { printRelink } from './links.ts';
import { printSearch } from './listing.ts';
import { printEntities } from './entities.ts';
import {
  printBootstrap,
  printCompact,
  printDiff,
  printEvidence,
  printHistory,
  printMerge,
  printPurge,
} from './log.ts';
import { printMemories, printRelations, printUnrelate } from './memories.ts';
import type { Page, Printer } from './page.ts';
import { printBackup, printCopy, printExport, printImport, printRestoreBackup } from './moving.ts';
import { printShare, printUnshare } from './sharing.ts';
import { printChange, printReceipts } from './receipts.ts';
import { printRecall } from './recalled.ts';
import { printMeditate, printReflect, printView } from './reflect.ts';
import { printConflicts, printReview } from './review.ts';
import { printRun, printRuns } from './runs.ts';
import { printDoctor, printLint } from './diagnoses.ts';
import { printRebuild, printReEmbed, printReplay, printStatus, printVerify } from './store.ts';

const printContext: Printer<ContextResult> = ({ text }) => [text];

/** How each verb's answer looks to a person. */
export const PRINTERS = {
  recall: printRecall,
  'recall-docs': printRecallDocs,
  search: printSearch,
  get: printMemories,
  context: printContext,
  checkpoint: printContext,
  remember: printReceipts,
  update: printChange,
  archive: printChange,
  restore: printChange,
  reject: printChange,
  relate: printRelations,
  relations: printRelations,
  share: printShare,
  unshare: printUnshare,
  unrelate: printUnrelate,
  relink: printRelink,
  'migrate-relations': printRelink,
  citations: printCitations,
  wander: printWander,
  closure: printClosure,
  view: printView,
  reflect: printReflect,
  meditate: printMeditate,
  gc: printRun,
  conflicts: printConflicts,
  resolve: printRun,
  review: printReview,
  runs: printRuns,
  undo: printRun,
  doctor: printDoctor,
  episode: printEpisode,
  episodes: printEpisodes,
  entity: printEntities,
  entities: printEntities,
  history: printHistory,
  diff: printDiff,
  evidence: printEvidence,
  lint: printLint,
  status: printStatus,
  verify: printVerify,
  're-embed': printReEmbed,
  reindex: printRebuild,
  replay: printReplay,
  merge: printMerge,
  compact: printCompact,
  purge: printPurge,
  'bootstrap-events': printBootstrap,
  'reindex-docs': printReindexDocs,
  export: printExport,
  import: printImport,
  copy: printCopy,
  backup: printBackup,
  'restore-backup': printRestoreBackup,
} satisfies Record<string, Printer<never>>;

/** Prints a verb's answer: with `--json` exactly one document, else for a person. */
export function print(
  verb: string,
  result: unknown,
  input: Readonly<Record<string, unknown>>,
  invocation: Invocation,
): void {
  const printer = (PRINTERS as Record<string, Printer<unknown> | undefined>)[verb];
  answer(result, invocation, printer ?? ((value) => [JSON.stringify(value, null, 2)]), input);
  const { warnings } = result as { warnings?: readonly string[] };
  if (!invocation.shared.json) for (const warning of warnings ?? []) notice(invocation, warning);
}

export function answer<T>(
  result: T,
  { shell, shared }: Invocation,
  printer: Printer<T>,
  input: Readonly<Record<string, unknown>> = {},
): void {
  const { out } = shell;
  if (shared.json) {
    const document = JSON.stringify(result, null, out.isTerminal ? 2 : undefined);
    out.write(`${plainJson(document)}\n`);
    return;
  }
  const page: Page = { style: out.style, width: out.width, nowMs: shell.nowMs(), input };
  const lines = printer(plainAll(result), page);
  if (lines.length > 0) out.write(`${lines.join('\n').trimEnd()}\n`);
}
