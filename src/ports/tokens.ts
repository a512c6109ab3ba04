/** Counts o200k_base tokens. The tables behind it are large: they load on first use only. */
export interface Tokens {
  /** Loads the tables; until then the other methods throw. */
  prepare(): Promise<void>;
  count(text: string): number;
  /** The longest beginning of a text that has at most `limit` tokens. */
  cut(text: string, limit: number): string;
}

/** Counts the tokens of new memories when there is nothing else to do. */
export interface TokenBacklog {
  /** Ids of memories that were written without a count. */
  add(ids: Iterable<string>): void;
  /** Waits for a count that is under way; what is left is counted when it is recalled. */
  close(): Promise<void>;
}
