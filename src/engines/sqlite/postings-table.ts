import { DELTA_DOCS, deltaKey } from './delta-key.ts';
import {
  decodeEntry,
  decodeIntegers,
  decodePostings,
  encodeEntry,
  encodeIntegers,
  type EntryList,
} from '../shared/postings/codec.ts';
import { FLUSH_AT, segmentsToMerge } from '../shared/postings/merging.ts';
import {
  MAX_SEGMENT_DOCS,
  SegmentBuilder,
  type BuiltSegment,
  type Segment,
} from '../shared/postings/segment.ts';
import type { Database } from './drivers/driver.ts';

/** A document waiting to be indexed. */
export interface NewDocument {
  readonly doc: number;
  readonly entry: EntryList;
}

/**
 * Adds documents to the postings of a space: one delta row each until there are enough for a
 * segment; segments of one size merge, so that their number grows with the logarithm.
 * @param isCurrent whether a document has not been replaced; others are left out on the way
 */
export function addToPostings(
  database: Database,
  space: number,
  documents: readonly NewDocument[],
  isCurrent: (doc: number) => boolean,
): void {
  const range = [deltaKey(space, 0), deltaKey(space + 1, 0)];
  const waiting = Number(
    database.prepare('SELECT count(*) AS n FROM deltas WHERE key >= ? AND key < ?').get(...range)?.[
      'n'
    ],
  );
  if (waiting + documents.length < FLUSH_AT) {
    const insert = database.prepare('INSERT INTO deltas (key, entry) VALUES (?, ?)');
    for (const { doc, entry } of documents) insert.run(deltaKey(space, doc), encodeEntry(entry));
    return;
  }
  const deltas = readDeltas(database, space, -1);
  database.prepare('DELETE FROM deltas WHERE key >= ? AND key < ?').run(...range);
  let builder = new SegmentBuilder();
  for (const { doc, entry } of [...deltas, ...documents]) {
    if (!isCurrent(doc)) continue;
    builder.add(doc, entry);
    if (builder.size < MAX_SEGMENT_DOCS) continue;
    writeSegment(database, space, builder.build());
    builder = new SegmentBuilder();
  }
  if (builder.size > 0) writeSegment(database, space, builder.build());
  mergeSegments(database, space, isCurrent);
}

/** Forgets all postings of a space. */
export function dropPostings(database: Database, space: number): void {
  database
    .prepare('DELETE FROM deltas WHERE key >= ? AND key < ?')
    .run(deltaKey(space, 0), deltaKey(space + 1, 0));
  database
    .prepare('DELETE FROM postings WHERE segment IN (SELECT segment FROM segments WHERE space = ?)')
    .run(space);
  database.prepare('DELETE FROM segments WHERE space = ?').run(space);
}

/** Documents of a space that no segment holds yet, after a document number, ascending. */
export function readDeltas(database: Database, space: number, after: number): NewDocument[] {
  return database
    .prepare('SELECT key, entry FROM deltas WHERE key > ? AND key < ? ORDER BY key')
    .all(deltaKey(space, after), deltaKey(space + 1, 0))
    .map((row) => ({
      doc: Number(row['key']) % DELTA_DOCS,
      entry: decodeEntry(row['entry'] as string),
    }));
}

function writeSegment(database: Database, space: number, segment: BuiltSegment): void {
  database
    .prepare('INSERT INTO segments (space, docs, lengths) VALUES (?, ?, ?)')
    .run(space, encodeIntegers(segment.docs), encodeIntegers(segment.lengths));
  const id = Number(database.prepare('SELECT max(segment) AS id FROM segments').get()?.['id']);
  const insert = database.prepare('INSERT INTO postings (segment, term, list) VALUES (?, ?, ?)');
  for (const [term, list] of segment.lists) insert.run(id, term, list);
}

function mergeSegments(
  database: Database,
  space: number,
  isCurrent: (doc: number) => boolean,
): void {
  for (;;) {
    const group = mergeable(database, space);
    if (!group) return;
    const builder = new SegmentBuilder();
    for (const segment of group) builder.addSegment(readSegment(database, segment), isCurrent);
    for (const segment of group) {
      database.prepare('DELETE FROM postings WHERE segment = ?').run(segment);
      database.prepare('DELETE FROM segments WHERE segment = ?').run(segment);
    }
    if (builder.size > 0) writeSegment(database, space, builder.build());
  }
}

function mergeable(database: Database, space: number): readonly number[] | undefined {
  const rows = database
    .prepare('SELECT segment, length(docs) / 4 AS n FROM segments WHERE space = ? ORDER BY segment')
    .all(space);
  return segmentsToMerge(
    rows.map((row) => ({ segment: Number(row['segment']), n: Number(row['n']) })),
  );
}

function readSegment(database: Database, segment: number): Segment {
  const row = database
    .prepare('SELECT docs, lengths FROM segments WHERE segment = ?')
    .get(segment) as { docs: Uint8Array; lengths: Uint8Array };
  const terms = new Map<string, ReturnType<typeof decodePostings>>();
  const lists = database.prepare('SELECT term, list FROM postings WHERE segment = ?').all(segment);
  for (const list of lists) {
    terms.set(list['term'] as string, decodePostings(list['list'] as Uint8Array));
  }
  return { docs: decodeIntegers(row.docs), lengths: decodeIntegers(row.lengths), terms };
}
