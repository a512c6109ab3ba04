export { open, type OpenOptions } from './open.ts';
export { Loci } from './loci.ts';
export { LociError, type ErrorCode } from './domain/errors.ts';
export type {
  RecallDocsOptions,
  RecallDocsResult,
  RecalledSection,
  ReindexDocsOptions,
  ReindexDocsResult,
} from './domain/documents.ts';
export type {
  ContextOptions,
  GetOptions,
  MemoryInput,
  RecallOptions,
  RelateOptions,
  SearchOptions,
  StatusChangeOptions,
  StatusOptions,
  UpdateOptions,
} from './domain/inputs.ts';
export type { Memory } from './domain/memory.ts';
export type {
  BackupOptions,
  BackupResult,
  CopyOptions,
  CopyResult,
  ExportOptions,
  ExportResult,
  ImportOptions,
  ImportResult,
  RestoreBackupOptions,
  RestoreBackupResult,
} from './domain/moving.ts';
export type {
  ChangeResult,
  ContextResult,
  GetResult,
  RebuildResult,
  RecalledMemory,
  RecallResult,
  Receipt,
  RelationsResult,
  RememberResult,
  SearchResult,
  StatusResult,
  VerifyResult,
} from './domain/results.ts';
export type {
  MigrateIsolationOptions,
  MigrateIsolationResult,
  ShareOptions,
  ShareResult,
  UnshareOptions,
  UnshareResult,
} from './domain/sharing.ts';
