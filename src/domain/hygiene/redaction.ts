/** What was taken out of a text, or out of all texts of a memory; never the value. */
export interface Redaction {
  readonly kind: string;
  readonly count: number;
}

/** How often each kind occurs, in the order of their first. */
export function tally(kinds: readonly string[]): Redaction[] {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => ({ kind, count }));
}

/** `1 password, 2 github-token`. */
export function redactionText(redacted: readonly Redaction[]): string {
  return redacted.map(({ kind, count }) => `${count} ${kind}`).join(', ');
}
