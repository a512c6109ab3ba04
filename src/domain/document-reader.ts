/** Who may see the documents of a folder: the project and drawer that it was indexed for. */
export interface DocumentReader {
  readonly project: string;
  /** The agent whose drawer it is, where agents are isolated; absent = shared. */
  readonly agent?: string;
}

export function isSameReader(a: DocumentReader, b: DocumentReader): boolean {
  return a.project === b.project && a.agent === b.agent;
}

export function withReader(
  readers: readonly DocumentReader[],
  reader: DocumentReader,
): readonly DocumentReader[] {
  return readers.some((other) => isSameReader(other, reader)) ? readers : [...readers, reader];
}

export function withoutReader(
  readers: readonly DocumentReader[],
  reader: DocumentReader,
): readonly DocumentReader[] {
  return readers.filter((other) => !isSameReader(other, reader));
}
