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
  EpisodeOptions,
  EpisodeResult,
  EpisodeShown,
  EpisodesOptions,
  EpisodesResult,
} from './domain/episodes.ts';
export type {
  CitationsOptions,
  ClosureOptions,
  MigrateRelationsOptions,
  RelationsOptions,
  RelinkOptions,
  UnrelateOptions,
  WanderOptions,
} from './domain/graph/inputs.ts';
export type {
  CitationsResult,
  ClosureResult,
  MigrateRelationsResult,
  RelationsResult,
  RelinkResult,
  UnrelateResult,
  WanderResult,
} from './domain/graph/results.ts';
export type {
  CheckpointOptions,
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
  CheckpointPart,
  CheckpointResult,
  ContextResult,
  GetResult,
  RebuildResult,
  RecalledMemory,
  RecallResult,
  Receipt,
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
