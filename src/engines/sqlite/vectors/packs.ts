import { MEASURES, type VectorCodes } from '../../shared/vectors/codes.ts';
import type { Database, Row } from '../drivers/driver.ts';
import { bytesOf, floatsOf, shortsOf, signedBytesOf, unsignedOf } from './blobs.ts';

/** Codes of one document's text, ready to be packed. */
export interface Packable extends VectorCodes {
  readonly doc: number;
  /** Number of the text that they were made of. */
  readonly text: number;
}

/** Codes of many documents, one after another. */
export interface Pack {
  readonly docs: Uint32Array;
  readonly texts: Uint32Array;
  /** How many passages each document has. */
  readonly passages: Uint16Array;
  readonly measures: Float32Array;
  readonly codes: Int8Array;
}

/** Whose packs they are. */
export interface PackKind {
  readonly model: number;
  readonly generation: number;
  readonly dims: number;
}

export interface PackEntry {
  readonly pack: number;
  /** How many documents it holds. */
  readonly count: number;
  readonly bytes: number;
}

const COLUMNS = ['docs', 'texts', 'passages', 'measures', 'codes'] as const;

/** A pack of this size is not joined with others: 20,000 passages of 384 numbers. */
const FULL_BYTES = 8 * 2 ** 20;
/** Documents that were replaced may fill half of the packs, and this many. */
const DEAD_ROOM = 1024;

/** Packs of a model and generation, oldest first. */
export function listPacks(database: Database, { model, generation }: PackKind): PackEntry[] {
  return database
    .prepare(
      `SELECT pack, count, length(codes) AS bytes FROM vector_packs
       WHERE model = ? AND generation = ? ORDER BY pack`,
    )
    .all(model, generation)
    .map(({ pack, count, bytes }) => ({
      pack: Number(pack),
      count: Number(count),
      bytes: Number(bytes),
    }));
}

/** Which documents a pack holds, and of which texts. */
export function readDocs(database: Database, pack: number): Pick<Pack, 'docs' | 'texts'> {
  const row = database.prepare('SELECT docs, texts FROM vector_packs WHERE pack = ?').get(pack);
  const { docs, texts } = row as Row;
  return { docs: unsignedOf(docs as Uint8Array), texts: unsignedOf(texts as Uint8Array) };
}

/** Undefined for one whose parts do not fit together: what it held is packed anew. */
export function readPack(database: Database, pack: number, dims: number): Pack | undefined {
  const row = database
    .prepare(`SELECT ${COLUMNS.join(', ')} FROM vector_packs WHERE pack = ?`)
    .get(pack) as Record<(typeof COLUMNS)[number], Uint8Array>;
  const found: Pack = {
    docs: unsignedOf(row.docs),
    texts: unsignedOf(row.texts),
    passages: shortsOf(row.passages),
    measures: floatsOf(row.measures),
    codes: signedBytesOf(row.codes),
  };
  const { docs, texts, passages, measures, codes } = found;
  const rows = passages.reduce((sum, count) => sum + count, 0);
  const fits =
    texts.length === docs.length &&
    passages.length === docs.length &&
    measures.length === rows * MEASURES &&
    codes.length === rows * dims;
  return fits ? found : undefined;
}

/**
 * Packs documents. Smaller and equal packs before them are joined with them, so that there are few,
 * and a document is written anew no more often than packs double.
 * @param isCurrent whether a document has not been replaced
 */
export function addPack(
  database: Database,
  kind: PackKind,
  entries: readonly Packable[],
  isCurrent: (doc: number) => boolean,
): void {
  dropOldPacks(database, kind);
  const packs = listPacks(database, kind);
  let count = entries.length;
  let bytes = entries.reduce((sum, { codes }) => sum + codes.length, 0);
  const joined: number[] = [];
  for (const { pack, ...size } of packs.toReversed()) {
    if (size.count > 2 * count || size.bytes + bytes > FULL_BYTES) break;
    joined.unshift(pack);
    count += size.count;
    bytes += size.bytes;
  }
  // By document: what was packed last is right.
  const all = new Map<number, Packable>();
  for (const pack of joined) {
    for (const one of unpack(readPack(database, pack, kind.dims), kind.dims)) all.set(one.doc, one);
  }
  for (const one of entries) all.set(one.doc, one);
  deletePacks(database, joined);
  insertPack(
    database,
    kind,
    [...all.values()].filter(({ doc }) => isCurrent(doc)),
  );
}

/** Takes out the documents that were replaced, once they are the larger part. */
export function sweepPacks(
  database: Database,
  kind: PackKind,
  living: number,
  isCurrent: (doc: number) => boolean,
): void {
  const packs = listPacks(database, kind);
  const total = packs.reduce((sum, { count }) => sum + count, 0);
  if (total <= 2 * living + DEAD_ROOM) return;
  for (const { pack } of packs) {
    const { docs } = readDocs(database, pack);
    if (2 * docs.filter(isCurrent).length > docs.length) continue;
    rewritePack(database, pack, kind.dims, ({ doc }) => isCurrent(doc));
  }
}

/** Leaves in a pack what is wanted; it keeps its number, or goes with the last of it. */
function rewritePack(
  database: Database,
  pack: number,
  dims: number,
  wants: (entry: Packable) => boolean,
): void {
  const kept = [...unpack(readPack(database, pack, dims), dims)].filter(wants);
  if (kept.length === 0) {
    deletePacks(database, [pack]);
    return;
  }
  const columns = COLUMNS.map((column) => `${column} = ?`).join(', ');
  database
    .prepare(`UPDATE vector_packs SET count = ?, ${columns} WHERE pack = ?`)
    .run(kept.length, ...blobsOf(kept, dims), pack);
}

/** Takes texts out of all packs that hold them. */
export function unpackTexts(database: Database, texts: ReadonlySet<number>, dimsOf: DimsOf): void {
  for (const { pack, model } of allPacks(database)) {
    if (!readDocs(database, pack).texts.some((text) => texts.has(text))) continue;
    rewritePack(database, pack, dimsOf(model), ({ text }) => !texts.has(text));
  }
}

export type DimsOf = (model: number) => number;

/** Packs of every model and generation. */
export function allPacks(database: Database): { readonly pack: number; readonly model: number }[] {
  return database
    .prepare('SELECT pack, model FROM vector_packs ORDER BY pack')
    .all()
    .map(({ pack, model }) => ({ pack: Number(pack), model: Number(model) }));
}

export function deletePacks(database: Database, packs: readonly number[]): void {
  database
    .prepare('DELETE FROM vector_packs WHERE pack IN (SELECT value FROM json_each(?))')
    .run(JSON.stringify(packs));
}

/** The documents of a pack, one at a time. */
export function* unpack(pack: Pack | undefined, dims: number): Iterable<Packable> {
  if (!pack) return;
  let row = 0;
  for (let i = 0; i < pack.docs.length; i++) {
    const end = row + (pack.passages[i] as number);
    yield {
      doc: pack.docs[i] as number,
      text: pack.texts[i] as number,
      measures: pack.measures.subarray(row * MEASURES, end * MEASURES),
      codes: pack.codes.subarray(row * dims, end * dims),
    };
    row = end;
  }
}

function insertPack(database: Database, kind: PackKind, entries: readonly Packable[]): void {
  if (entries.length === 0) return;
  database
    .prepare(
      `INSERT INTO vector_packs (model, generation, count, ${COLUMNS.join(', ')})
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(kind.model, kind.generation, entries.length, ...blobsOf(entries, kind.dims));
}

/** What a pack of these documents is, by column. */
function blobsOf(entries: readonly Packable[], dims: number): Uint8Array[] {
  const rows = entries.reduce((sum, { codes }) => sum + codes.length, 0) / dims;
  const measures = new Float32Array(rows * MEASURES);
  const codes = new Int8Array(rows * dims);
  let row = 0;
  for (const entry of entries) {
    measures.set(entry.measures, row * MEASURES);
    codes.set(entry.codes, row * dims);
    row += entry.codes.length / dims;
  }
  return [
    bytesOf(Uint32Array.from(entries, ({ doc }) => doc)),
    bytesOf(Uint32Array.from(entries, ({ text }) => text)),
    bytesOf(Uint16Array.from(entries, (entry) => entry.codes.length / dims)),
    bytesOf(measures),
    bytesOf(codes),
  ];
}

/** Packs whose document numbers mean nothing any more. */
function dropOldPacks(database: Database, { model, generation }: PackKind): void {
  database
    .prepare('DELETE FROM vector_packs WHERE model = ? AND generation <> ?')
    .run(model, generation);
}
