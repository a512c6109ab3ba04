import {
  decodeEntry,
  decodeIntegers,
  decodePostings,
  encodeEntry,
  encodeIntegers,
} from '../shared/postings/codec.ts';
import { FLUSH_AT, segmentsToMerge } from '../shared/postings/merging.ts';
import {
  MAX_SEGMENT_DOCS,
  SegmentBuilder,
  type BuiltSegment,
  type Segment,
} from '../shared/postings/segment.ts';
import { readSpaceStates } from './doc-states.ts';
import type { Session } from './driver.ts';
import { list, packed, plain } from './parameters.ts';
import type { NewDocument, SpaceChanges } from './settle.ts';

/**
 * Adds documents to the postings of a space: one delta row each until there are enough for a segment;
 * segments of one size merge. Documents that were replaced are left out on the way.
 * @param nextSegment numbers segments
 */
export async function addToPostings(
  session: Session,
  { space, documents, states }: SpaceChanges,
  nextSegment: () => number,
): Promise<void> {
  if (documents.length === 0) return;
  const { project } = space;
  if (space.waiting + documents.length < FLUSH_AT) {
    space.waiting += documents.length;
    session.call('put_deltas', [
      project,
      space.space,
      list(documents.map(({ doc }) => doc)),
      list(documents.map(({ entry }) => encodeEntry(entry))),
    ]);
    return;
  }
  space.waiting = 0;
  const [deltas, known] = await Promise.all([
    readDeltas(session, project, space.space),
    readSpaceStates(session, project, space.space),
  ]);
  const isCurrent = (doc: number): boolean => (states.get(doc) ?? known[doc] ?? 0) !== 0;
  session.send('DELETE FROM deltas WHERE project = $1::text AND space = $2::integer', [
    project,
    space.space,
  ]);
  const where = { project, space: space.space };
  let builder = new SegmentBuilder();
  for (const { doc, entry } of [...deltas, ...documents]) {
    if (!isCurrent(doc)) continue;
    builder.add(doc, entry);
    if (builder.size < MAX_SEGMENT_DOCS) continue;
    writeSegment(session, where, nextSegment(), builder.build());
    builder = new SegmentBuilder();
  }
  if (builder.size > 0) writeSegment(session, where, nextSegment(), builder.build());
  await mergeSegments(session, where, isCurrent, nextSegment);
}

interface SpaceName {
  readonly project: string;
  readonly space: number;
}

async function readDeltas(
  session: Session,
  project: string,
  space: number,
): Promise<NewDocument[]> {
  const rows = await session.query(
    'SELECT doc, entry FROM deltas WHERE project = $1::text AND space = $2::integer ORDER BY doc',
    [project, space],
  );
  return rows.map((row) => ({
    doc: Number(row['doc']),
    entry: decodeEntry(row['entry'] as string),
  }));
}

function writeSegment(
  session: Session,
  { project, space }: SpaceName,
  segment: number,
  { docs, lengths, lists }: BuiltSegment,
): void {
  session.send(
    `INSERT INTO segments (project, space, segment, docs, lengths)
     VALUES ($1::text, $2::integer, $3::bigint, $4::bytea, $5::bytea)`,
    [project, space, segment, encodeIntegers(docs), encodeIntegers(lengths)],
  );
  const { bytes, starts, sizes } = packed(lists.map(([, blob]) => blob));
  session.send(
    `INSERT INTO postings (project, segment, term, list)
     SELECT $1::text, $2::bigint, q.term, substring($4::bytea FROM q.start FOR q.size)
     FROM unnest($3::text[], $5::integer[], $6::integer[]) AS q (term, start, size)`,
    [project, segment, list(lists.map(([term]) => plain(term))), bytes, starts, sizes],
  );
}

async function mergeSegments(
  session: Session,
  where: SpaceName,
  isCurrent: (doc: number) => boolean,
  nextSegment: () => number,
): Promise<void> {
  const { project, space } = where;
  for (;;) {
    const rows = await session.query(
      `SELECT segment, length(docs) / 4 AS n FROM segments
       WHERE project = $1::text AND space = $2::integer ORDER BY segment`,
      [project, space],
    );
    const group = segmentsToMerge(
      rows.map((row) => ({ segment: Number(row['segment']), n: Number(row['n']) })),
    );
    if (!group) return;
    const builder = new SegmentBuilder();
    for (const segment of group) {
      builder.addSegment(await readSegment(session, where, segment), isCurrent);
    }
    dropSegments(session, where, group);
    if (builder.size > 0) writeSegment(session, where, nextSegment(), builder.build());
  }
}

function dropSegments(
  session: Session,
  { project, space }: SpaceName,
  segments: readonly number[],
): void {
  const numbers = list(segments);
  session.send('DELETE FROM postings WHERE project = $1::text AND segment = ANY($2::bigint[])', [
    project,
    numbers,
  ]);
  session.send(
    `DELETE FROM segments
     WHERE project = $1::text AND space = $2::integer AND segment = ANY($3::bigint[])`,
    [project, space, numbers],
  );
}

async function readSegment(
  session: Session,
  { project, space }: SpaceName,
  segment: number,
): Promise<Segment> {
  const [[row], lists] = await Promise.all([
    session.query(
      `SELECT docs, lengths FROM segments
       WHERE project = $1::text AND space = $2::integer AND segment = $3::bigint`,
      [project, space, segment],
    ),
    session.query(
      'SELECT term, list FROM postings WHERE project = $1::text AND segment = $2::bigint',
      [project, segment],
    ),
  ]);
  const terms = new Map<string, ReturnType<typeof decodePostings>>();
  for (const one of lists) {
    terms.set(one['term'] as string, decodePostings(one['list'] as Uint8Array));
  }
  return {
    docs: decodeIntegers(row?.['docs'] as Uint8Array),
    lengths: decodeIntegers(row?.['lengths'] as Uint8Array),
    terms,
  };
}
