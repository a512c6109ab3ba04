/** PostgreSQL keeps no NUL in a text; the JSON of a memory has it escaped, so that nothing is lost. */
export function plain(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text;
}

/** A list as PostgreSQL reads arrays, so that every driver takes it: cast it, as in `$1::text[]`. */
export function list(items: Iterable<string | number | boolean | null>): string {
  const parts: string[] = [];
  for (const item of items) {
    if (item === null) parts.push('NULL');
    else if (typeof item === 'string') parts.push(quoted(item));
    else parts.push(String(item));
  }
  return `{${parts.join(',')}}`;
}

function quoted(text: string): string {
  return `"${plain(text).replace(/["\\]/g, '\\$&')}"`;
}

/** Several byte strings as one parameter: the database cuts them apart again. */
export function packed(blobs: readonly Uint8Array[]): {
  readonly bytes: Uint8Array;
  /** Positions from 1, and lengths, as lists. */
  readonly starts: string;
  readonly sizes: string;
} {
  const bytes = new Uint8Array(blobs.reduce((sum, { byteLength }) => sum + byteLength, 0));
  const starts: number[] = [];
  let at = 0;
  for (const blob of blobs) {
    bytes.set(blob, at);
    starts.push(at + 1);
    at += blob.byteLength;
  }
  return { bytes, starts: list(starts), sizes: list(blobs.map(({ byteLength }) => byteLength)) };
}
