/** Counts o200k_base tokens. The tables behind it are large: they load on first use only. */
export interface Tokens {
  /** Loads the tables; until then the other methods throw. */
  prepare(): Promise<void>;
  count(text: string): number;
  /** The longest beginning of a text that has at most `limit` tokens. */
  cut(text: string, limit: number): string;
}
