import type { EntityLink } from './memory.ts';

/** What either list holds, each item once, those of the first list first. */
export function union(a: readonly string[], b: readonly string[]): readonly string[] {
  return unionOf(a, b, (item) => item);
}

export function unionOf<T>(
  a: readonly T[],
  b: readonly T[],
  key: (item: T) => string,
): readonly T[] {
  const known = new Set(a.map(key));
  return [...a, ...b.filter((item) => !known.has(key(item)))];
}

export function entityKey(entity: EntityLink): string {
  return `${entity.kind} ${entity.name.toLowerCase()}`;
}
