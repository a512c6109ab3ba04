/** Something that a check found out about a store. */
export interface Finding {
  readonly check: string;
  readonly severity: Severity;
  /** Names the file, line or id. */
  readonly message: string;
  /** The next step. */
  readonly hint?: string;
  readonly ids?: readonly string[];
}

type Severity = 'info' | 'warning' | 'error';

/** What `lint` and `doctor` find: how sure they are, and what settles it. */
export interface Diagnosis {
  readonly check: string;
  readonly severity: Severity;
  /** 0 to 1: how sure it is that something should be done. */
  readonly confidence: number;
  /** The memories it is about; where one should replace the other, the newer one first. */
  readonly ids: readonly string[];
  readonly message: string;
  /** The command that settles it, or what to do. */
  readonly fix?: string;
}
