/**
 * Canonical JSON: keys sorted by code unit (those that are whole numbers first, by size, as
 * JavaScript keeps them), no blanks, undefined keys left out. Equal values have equal bytes, so
 * hashes over it can be compared between engines and machines.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(inOrder(value));
}

/** The same value with sorted keys; itself, where they are sorted already, which most are. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(inOrder);
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  const record = value as Record<string, unknown>;
  const keys = Object.keys(record);
  const sorted = isSorted(keys) ? keys : keys.toSorted();
  const fields = sorted.map((key) => inOrder(record[key]));
  if (sorted === keys && fields.every((field, i) => field === record[keys[i] as string])) {
    return value;
  }
  return Object.fromEntries(sorted.map((key, i) => [key, fields[i]]));
}

function isSorted(keys: readonly string[]): boolean {
  for (let i = 1; i < keys.length; i++) {
    if ((keys[i - 1] as string) >= (keys[i] as string)) return false;
  }
  return true;
}
