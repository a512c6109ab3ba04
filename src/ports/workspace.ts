/** The repository a folder lies in: one project, from whichever folder or worktree it is entered. */
export interface Repository {
  /** Readable, from the origin or the folder; not unique. */
  readonly name: string;
  /** What tells it from every other one; absent until `ensureKey` has made it. */
  readonly key?: string | undefined;
  /** The key that it had before it was given an origin. */
  readonly formerKey?: string;
  /**
   * The key; one is made and kept inside the repository if there is none yet.
   * @throws LociError unavailable when the repository cannot be written.
   */
  ensureKey(): Promise<string>;
}

/** What is at a path: its lines, nothing, nothing that can be read as text, or a way out. */
export type CodeFile = readonly string[] | 'missing' | 'unreadable' | 'outside';

/**
 * The code of the project that this process runs in. Nothing above its folder is ever read. A look takes
 * some hundredths of a millisecond and does not let others in between: on a busy machine, waiting for a
 * turn would take far longer.
 */
export interface CodeFolder {
  /** Absolute. */
  readonly root: string;
  /** Absent where the project is no repository. */
  readonly repository?: Repository;
  /** @param path below the folder, in plain form (`citePath`) */
  read(path: string): CodeFile;
  /** The commit that is checked out, if it is a repository with one. */
  head(): string | undefined;
  /** Whether an absolute path lies in the folder. */
  holds(path: string): boolean;
}

export interface Workspace {
  /** The project's folder around a folder: of its repository, or the one that holds `.loci`. */
  code(folder: string): CodeFolder | undefined;
  /** Undefined outside of any repository. */
  repository(folder: string): Repository | undefined;
}
