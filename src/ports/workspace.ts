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

export interface Workspace {
  /** Undefined outside of any repository. */
  repository(folder: string): Repository | undefined;
}
