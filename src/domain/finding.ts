/** Something that a check found out about a store. */
export interface Finding {
  readonly check: string;
  readonly severity: 'info' | 'warning' | 'error';
  /** Names the file, line or id. */
  readonly message: string;
  /** The next step. */
  readonly hint?: string;
  readonly ids?: readonly string[];
}
