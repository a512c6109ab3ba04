import type { DocumentChange, DocumentFile } from '../ports/documents.ts';
import { entriesOf, readDocument } from './read-document.ts';
import type { FoundFile } from './walk.ts';

/** Within the grain of a file system's clock a file may change again and keep its stamps. */
const CLOCK_GRAIN_MS = 20;

export interface Outcome {
  readonly counts: 'indexed' | 'unchanged' | 'failed';
  readonly change?: DocumentChange;
  /** What is wrong with the file, with its name and line. */
  readonly problem?: string;
}

/** Looks at one file: its stamps, then its hash, then what it says; each only if the one before differs. */
export async function bringUpToDate(
  root: string,
  found: FoundFile,
  known: DocumentFile | undefined,
  { force, secrets }: { readonly force: boolean; readonly secrets: 'redact' | 'keep' },
): Promise<Outcome> {
  if (known && !force && hasSameStamps(found, known)) return { counts: 'unchanged' };
  const readAtMs = Date.now();
  const read = await readDocument(root, found);
  if ('problem' in read) return { counts: 'failed', problem: `${found.file}: ${read.problem}` };
  const { bytes, hash } = read;
  const stamps = stampsOf(found, readAtMs);
  if (known && !force && known.hash === hash) {
    return { counts: 'unchanged', change: { file: { ...known, ...stamps } } };
  }
  const parsed = entriesOf(root, found, bytes, secrets);
  if ('problem' in parsed) {
    const where = parsed.line === undefined ? found.file : `${found.file}:${parsed.line}`;
    return { counts: 'failed', problem: `${where}: ${parsed.problem}` };
  }
  const { entries: sections } = parsed;
  const file = { file: found.file, ...stamps, hash, sections: sections.length };
  return { counts: 'indexed', change: { file, sections } };
}

function hasSameStamps(a: FoundFile, b: DocumentFile): boolean {
  return (
    a.sizeBytes === b.sizeBytes && a.modifiedMs === b.modifiedMs && a.changedMs === b.changedMs
  );
}

/** The stamps to compare with next time; none where the file may still change within one tick. */
function stampsOf({ sizeBytes, modifiedMs, changedMs }: FoundFile, readAtMs: number) {
  const isSettled = readAtMs - Math.max(modifiedMs, changedMs) > CLOCK_GRAIN_MS;
  return { sizeBytes, modifiedMs, changedMs: isSettled ? changedMs : 0 };
}
