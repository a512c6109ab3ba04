import { passes, type Filter, type View } from '../../domain/view.ts';
import type { Memory } from '../../domain/memory.ts';
import { toIso } from '../../domain/time.ts';
import type { Value } from './drivers/driver.ts';

/** A filter as SQL over `memories m`; `residual` is what SQL cannot say and must be asked of rows. */
export interface FilterSql {
  readonly where: string;
  readonly values: readonly Value[];
  readonly residual?: (memory: Memory) => boolean;
}

/** The SQL that lets through what `sees` and `passes` let through; a property test compares them. */
export function filterSql(view: View, filter: Filter): FilterSql {
  const conditions: string[] = ['1'];
  const values: Value[] = [];
  const and = (condition: string, ...bound: Value[]): void => {
    conditions.push(condition);
    values.push(...bound);
  };
  const oneOf = (column: string, wanted: readonly string[] | undefined): void => {
    if (wanted) and(`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(wanted));
  };
  if (view.projects !== 'all') oneOf('m.project', view.projects);
  if (view.agents !== 'all') oneOf('m.agent', view.agents);
  oneOf('m.id', filter.ids);
  oneOf('m.type', filter.types);
  oneOf('m.tier', filter.tiers);
  oneOf('m.source', filter.sources);
  if (filter.notTypes) {
    and('m.type NOT IN (SELECT value FROM json_each(?))', JSON.stringify(filter.notTypes));
  }
  if (filter.sessionId !== undefined) and('m.session_id = ?', filter.sessionId);
  if (filter.minConfidence !== undefined) and('m.confidence >= ?', filter.minConfidence);
  for (const tag of filter.tags ?? []) {
    and('EXISTS (SELECT 1 FROM tags t WHERE t.tag = ? AND t.doc = m.doc)', tag);
  }
  if (filter.sinceMs !== undefined) and('m.created_ms >= ?', filter.sinceMs);
  if (filter.untilMs !== undefined) and('m.created_ms < ?', filter.untilMs);
  if (filter.validAtMs !== undefined) holdsAt(filter.validAtMs, and);
  if (filter.endedByMs !== undefined) and('m.ends_ms <= ?', filter.endedByMs);
  statusAndAsOf(filter, and);
  const where = conditions.join(' AND ');
  const { paths, entityNames } = filter;
  if (paths === undefined && entityNames === undefined) return { where, values };
  const rest: Filter = {
    ...(paths === undefined ? {} : { paths }),
    ...(entityNames === undefined ? {} : { entityNames }),
  };
  return { where, values, residual: (memory) => passes(rest, memory) };
}

type And = (condition: string, ...bound: Value[]) => void;

function holdsAt(instantMs: number, and: And): void {
  and('(m.starts_ms IS NULL OR m.starts_ms <= ?)', instantMs);
  and('(m.ends_ms IS NULL OR m.ends_ms > ?)', instantMs);
}

function statusAndAsOf({ statuses, asOfMs }: Filter, and: And): void {
  const list = statuses && JSON.stringify(statuses);
  if (asOfMs === undefined) {
    if (list) and('m.status IN (SELECT value FROM json_each(?))', list);
    return;
  }
  and('m.created_ms <= ?', asOfMs);
  holdsAt(asOfMs, and);
  // ISO times of years from 0 to 9999 sort as text.
  const asOf = toIso(Math.min(asOfMs, END_OF_9999_MS));
  if (list) and(`${STATUS_AT} IN (SELECT value FROM json_each(?))`, asOf, asOfMs, list);
}

const END_OF_9999_MS = 253_402_300_799_999;

/** `statusAt` of domain/view.ts. Binds the instant as ISO 8601, then in milliseconds. */
const STATUS_AT = `CASE
  WHEN m.status = 'rejected' THEN m.status
  WHEN m.status = 'archived' AND m.updated_at <= ? THEN m.status
  WHEN m.superseded_ms <= ? THEN 'superseded'
  WHEN m.status = 'archived' THEN 'active'
  WHEN m.status = 'superseded' AND m.superseded_ms IS NOT NULL THEN 'active'
  ELSE m.status END`;
