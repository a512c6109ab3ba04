import type { Citation } from '../../domain/graph/citations.ts';
import type { View } from '../../domain/view.ts';
import type { TaggedMemory, TaggedRequest } from '../../ports/engine.ts';
import type { Row, Session } from './driver.ts';
import { Bindings, filterSql, viewSql } from './filter-sql.ts';
import { list } from './parameters.ts';
import { memoryOf } from './rows.ts';

export async function readTagged(
  session: Session,
  { view, filter, tags, most }: TaggedRequest,
): Promise<Map<string, readonly TaggedMemory[]>> {
  const bindings = new Bindings();
  const wanted = bindings.list([...new Set(tags)]);
  const { where, residual } = filterSql(view, filter, bindings);
  // One more than the most is enough to know that a tag is left out.
  const cut = residual ? '' : `WHERE q.n <= ${bindings.bind(most + 1, 'bigint')}`;
  const rows = await session.query(
    `SELECT q.* FROM (
       SELECT t.tag, m.id, m.created_at, ${residual ? 'm.data,' : ''}
         row_number() OVER (PARTITION BY t.tag ORDER BY m.id) AS n
       FROM memories m JOIN unnest(${wanted}) AS t (tag) ON t.tag = ANY(m.tags)
       WHERE m.tags && ${wanted} AND ${where}) AS q
     ${cut} ORDER BY q.tag, q.n`,
    bindings.parameters,
  );
  const bearers = new Map<string, TaggedMemory[]>();
  for (const row of residual ? rows.filter((one) => residual(memoryOf(one))) : rows) {
    const tag = row['tag'] as string;
    const found = bearers.get(tag);
    if (found) found.push(taggedOf(row));
    else bearers.set(tag, [taggedOf(row)]);
  }
  for (const [tag, { length }] of bearers) if (length > most) bearers.delete(tag);
  return bearers;
}

function taggedOf(row: Row): TaggedMemory {
  return { id: row['id'] as string, created_at: row['created_at'] as string };
}

/** Citations of what is no memory are not kept: they would never be counted. */
export function writeCitations(session: Session, view: View, citations: readonly Citation[]): void {
  const bindings = new Bindings();
  const inView = viewSql(view, bindings);
  session.send(
    `DELETE FROM citations c WHERE EXISTS (
       SELECT 1 FROM memories WHERE project = c.project AND id = c.source AND ${inView})`,
    bindings.parameters,
  );
  if (citations.length === 0) return;
  session.send(
    `INSERT INTO citations (project, source, target, mentions)
     SELECT DISTINCT ON (q.source, q.target) m.project, q.source, q.target, q.mentions
     FROM unnest($1::text[], $2::text[], $3::integer[]) WITH ORDINALITY
       AS q (source, target, mentions, n)
     JOIN memories m ON m.id = q.source
     ORDER BY q.source, q.target, q.n DESC
     ON CONFLICT (project, source, target) DO UPDATE SET mentions = excluded.mentions`,
    [
      list(citations.map(({ source }) => source)),
      list(citations.map(({ target }) => target)),
      list(citations.map(({ mentions }) => mentions)),
    ],
  );
}

export async function readCitationCounts(
  session: Session,
  ids: readonly string[],
  view: View,
): Promise<Map<string, number>> {
  const bindings = new Bindings();
  const wanted = bindings.list(ids);
  const inView = viewSql(view, bindings);
  const rows = await session.query(
    `SELECT c.target, count(*) AS n FROM citations c
     WHERE c.target = ANY(${wanted}) AND EXISTS (
       SELECT 1 FROM memories WHERE project = c.project AND id = c.source AND ${inView})
     GROUP BY c.target`,
    bindings.parameters,
  );
  return new Map(rows.map((row) => [row['target'] as string, Number(row['n'])]));
}
