import type { DocumentReader } from '../domain/document-reader.ts';
import type { Memory } from '../domain/memory.ts';
import type { EmbeddingBacklog } from './embedder.ts';
import type { Engine } from './engine.ts';
import type { Progress } from './log-life.ts';

/** A folder whose documents are indexed. */
export interface DocumentRoot {
  /** Absolute, with forward slashes. */
  readonly path: string;
  readonly readers: readonly DocumentReader[];
}

/** A file as it was when it was indexed. */
export interface DocumentFile {
  /** Path below the root, with forward slashes. */
  readonly file: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  /** When its content or its name, owner or rights last changed; nobody can set it. */
  readonly changedMs: number;
  /** SHA-256 of its bytes; '' = to be read again. */
  readonly hash: string;
  readonly sections: number;
}

/** What becomes of one file. */
export type DocumentChange =
  /** It is indexed with these sections, which take the place of those it had. */
  | { readonly file: DocumentFile; readonly sections: readonly Memory[] }
  /** Its content is as before, its stamps are not. */
  | { readonly file: DocumentFile }
  /** It is gone. */
  | { readonly gone: string };

/**
 * Sections of documents, apart from the memories of a store and derived from files that lie elsewhere:
 * no log, nothing is kept of what was removed. A section is an entry whose project is the path of its
 * root, so that a view of roots is a view like any other.
 */
export interface DocumentStore {
  /** Reads, ranking and vectors are those of memories. Nothing is committed to it. */
  readonly engine: Engine;
  roots(): Promise<readonly DocumentRoot[]>;
  /** Of a root, in no order. @param only these paths; default all */
  files(root: string, only?: readonly string[]): Promise<readonly DocumentFile[]>;
  /**
   * Changes files of a root in one transaction, and lets a reader see it.
   * @throws LociError busy, unavailable
   */
  write(root: string, reader: DocumentReader, changes: readonly DocumentChange[]): Promise<void>;
  /**
   * Takes a root from a reader; what nobody reads any more is removed.
   * @throws LociError busy, unavailable
   */
  forget(root: string, reader: DocumentReader): Promise<void>;
}

/** The documents of an open store. */
export interface Documents {
  /** Folder that relative paths count from. */
  readonly cwd: string;
  /**
   * Opened on first use; undefined where nothing was ever indexed.
   * @throws LociError unavailable, corrupt, unsupported, busy
   */
  open(): Promise<DocumentStore | undefined>;
  /** The same, but makes it. */
  create(): Promise<DocumentStore>;
  /** Keeps the vectors of sections complete. Absent until the store is opened. */
  readonly vectors?: EmbeddingBacklog | undefined;
  /**
   * Embeds the sections that have no vectors yet.
   * @returns what kept it from being complete, one line a reason
   */
  embed(progress?: Progress): Promise<readonly string[]>;
}
