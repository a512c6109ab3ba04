import type { Explanation } from './explanation.ts';
import type { Coverage, Signal } from './results.ts';

/** What the verbs about documents accept and answer: files of others, apart from memories. */

export interface ReindexDocsOptions {
  /** A folder of Markdown files. */
  readonly dir: string;
  /** Only files below it whose path matches; the others stay as they are. */
  readonly glob?: string | undefined;
  /** Read every file, also those that have not changed. */
  readonly force?: boolean | undefined;
  /** Take the folder out of the index instead. */
  readonly forget?: boolean | undefined;
}

export interface ReindexDocsResult {
  /** Absolute path of the folder. */
  readonly root: string;
  /** The project that sees it. */
  readonly project: string;
  readonly files: {
    readonly indexed: number;
    readonly unchanged: number;
    readonly removed: number;
    readonly failed: number;
  };
  /** Of the folder, once all is done. */
  readonly sections: number;
  readonly warnings: readonly string[];
}

export interface RecallDocsOptions {
  /** Question or keywords: plain text, never syntax. */
  readonly query: string;
  /** Number of sections; default 10. */
  readonly limit?: number | undefined;
  /** Token budget; `limit` is then ignored. */
  readonly maxTokens?: number | undefined;
  /** Leave out weaker matches; default 0.1. */
  readonly minScore?: number | undefined;
  /** Only this folder, as it was indexed. */
  readonly root?: string | undefined;
  /** Glob that the file's path below its folder matches. */
  readonly paths?: string | undefined;
  /** Folders of every project, not only of the current one and global. */
  readonly allProjects?: boolean | undefined;
  readonly explain?: boolean | undefined;
}

/** A section of a document. */
export interface RecalledSection {
  /** What to cite: path and line. */
  readonly id: string;
  /** Path below its root, with forward slashes. */
  readonly file: string;
  /** Absolute path of the indexed folder. */
  readonly root: string;
  /** The headings above it, as `Guide > Install`; '' where it has none. */
  readonly heading: string;
  /** Line of the file, from 1, on which it begins. */
  readonly line: number;
  readonly text: string;
  /** The text was cut to fit. */
  readonly truncated?: boolean;
  /** From the file's front matter. */
  readonly tags: readonly string[];
  /** 0 to 1. */
  readonly score: number;
  /** When the file was last changed before it was indexed. */
  readonly modified_at: string;
  /** The file has changed since, or is gone. */
  readonly stale: boolean;
  readonly signals: readonly Signal[];
  readonly explain?: Explanation;
}

export interface RecallDocsResult {
  readonly results: readonly RecalledSection[];
  readonly coverage: Coverage;
  /** o200k_base tokens of the results as an agent reads them. */
  readonly tokens_used: number;
  readonly warnings: readonly string[];
}
