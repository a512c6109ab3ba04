/**
 * Canonical JSON: keys sorted by code unit (those that are whole numbers first, by size, as
 * JavaScript keeps them), no blanks, undefined keys left out. Equal values have equal bytes, so
 * hashes over it can be compared between engines and machines.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(inOrder(value));
}

/** The same value with sorted keys; itself, where they are sorted already. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(inOrder);
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  const record = value as Record<string, unknown>;
  const keys = Object.keys(record);
  let sorted = true;
  for (let i = 1; i < keys.length && sorted; i++) {
    sorted = (keys[i - 1] as string) < (keys[i] as string);
  }
  const fields: [string, unknown][] = [];
  for (const key of sorted ? keys : keys.sort()) {
    const field = record[key];
    const ordered = inOrder(field);
    sorted &&= ordered === field;
    fields.push([key, ordered]);
  }
  return sorted ? value : Object.fromEntries(fields);
}
