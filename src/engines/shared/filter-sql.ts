import { passes, type Filter, type View } from '../../domain/view.ts';
import type { Memory } from '../../domain/memory.ts';
import { toIso } from '../../domain/time.ts';

/** How a database says what filters need; each call binds its value, in the order of the statement. */
export interface FilterDialect {
  value(value: string | number): string;
  /** Whether a column is one of these. */
  oneOf(column: string, values: readonly string[]): string;
  /** Whether the memory `m` has a tag. */
  hasTag(tag: string): string;
}

/** A filter as SQL over `memories m`; `residual` is what SQL cannot say and must be asked of rows. */
export interface FilterClause {
  readonly where: string;
  readonly residual?: (memory: Memory) => boolean;
}

/** The SQL that lets through what `sees` and `passes` let through; a property test compares them. */
export function filterClause(view: View, filter: Filter, sql: FilterDialect): FilterClause {
  const conditions: string[] = ['true'];
  const oneOf = (column: string, wanted: readonly string[] | undefined): void => {
    if (wanted) conditions.push(sql.oneOf(column, wanted));
  };
  if (view.projects !== 'all') oneOf('m.project', view.projects);
  if (view.agents !== 'all') oneOf('m.agent', view.agents);
  oneOf('m.id', filter.ids);
  oneOf('m.type', filter.types);
  oneOf('m.tier', filter.tiers);
  oneOf('m.source', filter.sources);
  if (filter.notTypes) conditions.push(`NOT ${sql.oneOf('m.type', filter.notTypes)}`);
  const compare = (comparison: string, value: string | number | undefined): void => {
    if (value !== undefined) conditions.push(`m.${comparison} ${sql.value(value)}`);
  };
  compare('session_id =', filter.sessionId);
  compare('confidence >=', filter.minConfidence);
  for (const tag of filter.tags ?? []) conditions.push(sql.hasTag(tag));
  compare('created_ms >=', filter.sinceMs);
  compare('created_ms <', filter.untilMs);
  if (filter.validAtMs !== undefined) conditions.push(holdsAt(filter.validAtMs, sql));
  compare('ends_ms <=', filter.endedByMs);
  conditions.push(...statusAndAsOf(filter, sql));
  const where = conditions.join(' AND ');
  const { paths, entityNames } = filter;
  if (paths === undefined && entityNames === undefined) return { where };
  const rest: Filter = {
    ...(paths === undefined ? {} : { paths }),
    ...(entityNames === undefined ? {} : { entityNames }),
  };
  return { where, residual: (memory) => passes(rest, memory) };
}

function holdsAt(instantMs: number, sql: FilterDialect): string {
  return (
    `(m.starts_ms IS NULL OR m.starts_ms <= ${sql.value(instantMs)})` +
    ` AND (m.ends_ms IS NULL OR m.ends_ms > ${sql.value(instantMs)})`
  );
}

function statusAndAsOf({ statuses, asOfMs }: Filter, sql: FilterDialect): string[] {
  if (asOfMs === undefined) return statuses ? [sql.oneOf('m.status', statuses)] : [];
  const created = `m.created_ms <= ${sql.value(asOfMs)}`;
  const holds = holdsAt(asOfMs, sql);
  return [created, holds, ...(statuses ? [sql.oneOf(statusAt(asOfMs, sql), statuses)] : [])];
}

const END_OF_9999_MS = 253_402_300_799_999;

/** `statusAt` of domain/view.ts. */
function statusAt(instantMs: number, sql: FilterDialect): string {
  // ISO times of years from 0 to 9999 sort as text.
  const instant = toIso(Math.min(instantMs, END_OF_9999_MS));
  return `(CASE
    WHEN m.status = 'rejected' THEN m.status
    WHEN m.status = 'archived' AND m.updated_at <= ${sql.value(instant)} THEN m.status
    WHEN m.superseded_ms <= ${sql.value(instantMs)} THEN 'superseded'
    WHEN m.status = 'archived' THEN 'active'
    WHEN m.status = 'superseded' AND m.superseded_ms IS NOT NULL THEN 'active'
    ELSE m.status END)`;
}
