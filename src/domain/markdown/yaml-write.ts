/**
 * Writes the few YAML forms that our front matter needs. What a reader of YAML 1.1 or 1.2 could
 * take for something other than text is quoted; the property tests read it back with two parsers.
 */
const PLAIN = /^[A-Za-z][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./-]+)*$/;
const RESERVED = /^(?:true|false|yes|no|on|off|y|n|null|nan|inf)$/i;
/** Printable for every YAML version; the rest is written as escapes. */
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

export function yamlScalar(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return yamlJson(value);
  if (PLAIN.test(value) && !RESERVED.test(value) && !value.endsWith(' ')) return value;
  return yamlJson(value);
}

/**
 * JSON is YAML's flow style, once the characters that YAML does not print are escaped and numbers
 * with an exponent have the point that YAML 1.1 asks for.
 */
export function yamlJson(value: unknown): string {
  if (typeof value === 'number') return String(value).replace(/^(-?\d+)e/, '$1.0e');
  if (Array.isArray(value)) return `[${value.map(yamlJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    return `{${fields.map(([key, field]) => `${yamlJson(key)}: ${yamlJson(field)}`).join(', ')}}`;
  }
  return JSON.stringify(value).replace(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** `[a, b]` */
export function yamlList(items: readonly string[]): string {
  return `[${items.map(yamlScalar).join(', ')}]`;
}

/** `{type: supports, target: X}`; keys are ours and plain. */
export function yamlMap(fields: Readonly<Record<string, string | number>>): string {
  const parts = Object.entries(fields).map(([key, value]) => `${key}: ${yamlScalar(value)}`);
  return `{${parts.join(', ')}}`;
}
