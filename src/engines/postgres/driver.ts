/** What a column can hold, as the drivers give it: whole numbers may come as text. */
type Value = string | number | bigint | boolean | Uint8Array | null | readonly string[];
export type Row = Readonly<Record<string, Value>>;

/** What a parameter can be. Lists go as text: see parameters.ts. */
export type Parameter = string | number | boolean | Uint8Array | null;

/** One transaction. Statements are sent without waiting for the one before. */
export interface Session {
  query(sql: string, parameters?: readonly Parameter[]): Promise<readonly Row[]>;
  /** Sends a statement whose rows nobody wants; that it failed is seen when the transaction ends. */
  send(sql: string, parameters?: readonly Parameter[]): void;
  /**
   * Calls a function of the schema whose answer nobody wants. Calls in a row become one statement,
   * which is sent when another one is, or the transaction ends.
   */
  call(name: string, parameters: readonly Parameter[]): void;
  /** Runs several statements, separated by semicolons. */
  script(sql: string): Promise<void>;
}

export interface TransactionOptions {
  /** Statements, separated by semicolons, that begin it; they cost no round trip of their own. */
  readonly begin: string;
  /**
   * What can be read again or lost: nobody waits for its end.
   * Default false: it is over when it is durable.
   */
  readonly readOnly?: boolean;
}

/** Connections to one database. */
export interface Driver {
  /**
   * Runs work in a transaction, which is committed when the work returns and rolled back when it
   * throws.
   * @throws LostConnection when it is not known whether a commit came through
   */
  transaction<T>(options: TransactionOptions, work: (session: Session) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The connection broke between asking for a commit and its answer. */
export class LostConnection extends Error {
  constructor(cause: unknown) {
    super('the connection was lost during a commit', { cause });
    this.name = 'LostConnection';
  }
}
