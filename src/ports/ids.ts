/** Where randomness comes from. */
export interface Ids {
  /** A ULID; ids made later by the same source sort after earlier ones. */
  ulid(nowMs: number): string;
  /** `length` random characters for a memory's id. */
  suffix(length: number): string;
  /** 16 random bytes in hex. */
  salt(): string;
}
