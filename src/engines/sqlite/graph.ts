import type { Citation } from '../../domain/graph/citations.ts';
import type { View } from '../../domain/view.ts';
import type { TaggedMemory, TaggedRequest } from '../../ports/engine.ts';
import type { Database } from './drivers/driver.ts';
import { filterSql } from './filter-sql.ts';
import { inSnapshot } from './lock.ts';
import { storedOf } from './rows.ts';

/** Documents of a frequent tag that are looked at together. */
const CHUNK = 500;

export function readTagged(
  database: Database,
  request: TaggedRequest,
): Map<string, readonly TaggedMemory[]> {
  return inSnapshot(database, () => {
    const bearers = new Map<string, readonly TaggedMemory[]>();
    for (const [tag, docs] of docsByTag(database, request.tags)) {
      const found = visibleOf(database, docs, request);
      if (found.length > 0 && found.length <= request.most) bearers.set(tag, found);
    }
    return bearers;
  });
}

/**
 * One pass over the narrow table of tags, whatever the number of tags: it is ordered by document, so
 * that writing stays cheap (migration 2).
 */
function docsByTag(database: Database, tags: readonly string[]): (readonly [string, number[]])[] {
  return database
    .prepare(
      `SELECT tag, group_concat(doc) AS docs FROM tags
       WHERE tag IN (SELECT value FROM json_each(?)) GROUP BY tag`,
    )
    .all(JSON.stringify(tags))
    .map((row) => [row['tag'] as string, String(row['docs']).split(',').map(Number)]);
}

/** Those of some documents that are asked for, by id; one more than `most` is enough to know. */
function visibleOf(
  database: Database,
  docs: readonly number[],
  { view, filter, most }: TaggedRequest,
): TaggedMemory[] {
  const { where, values, residual } = filterSql(view, filter);
  const columns = residual ? '*' : 'm.id, m.created_at';
  const page = database.prepare(
    `SELECT ${columns} FROM memories m
     WHERE m.doc IN (SELECT value FROM json_each(?)) AND ${where}`,
  );
  const found: TaggedMemory[] = [];
  for (let at = 0; at < docs.length && found.length <= most; at += CHUNK) {
    for (const row of page.all(JSON.stringify(docs.slice(at, at + CHUNK)), ...values)) {
      if (residual && !residual(storedOf(row).memory)) continue;
      found.push({ id: row['id'] as string, created_at: row['created_at'] as string });
    }
  }
  return found.sort((a, b) => (a.id < b.id ? -1 : 1));
}

export function writeCitations(
  database: Database,
  view: View,
  citations: readonly Citation[],
): void {
  const { where, values } = filterSql(view, {});
  database
    .prepare(
      `DELETE FROM citations WHERE source NOT IN (SELECT id FROM memories)
       OR source IN (SELECT m.id FROM memories m WHERE ${where})`,
    )
    .run(...values);
  const insert = database.prepare(
    'INSERT OR REPLACE INTO citations (target, source, mentions) VALUES (?, ?, ?)',
  );
  for (const { source, target, mentions } of citations) insert.run(target, source, mentions);
}

export function readCitationCounts(
  database: Database,
  ids: readonly string[],
  view: View,
): Map<string, number> {
  const { where, values } = filterSql(view, {});
  const rows = database
    .prepare(
      `SELECT c.target, count(*) AS n FROM citations c JOIN memories m ON m.id = c.source
       WHERE c.target IN (SELECT value FROM json_each(?)) AND ${where} GROUP BY c.target`,
    )
    .all(JSON.stringify(ids), ...values);
  return new Map(rows.map((row) => [row['target'] as string, Number(row['n'])]));
}
