import type { Filter, View } from '../../domain/view.ts';
import { filterClause, type FilterClause } from '../shared/filter-sql.ts';
import type { Value } from './drivers/driver.ts';

export interface FilterSql extends FilterClause {
  readonly values: readonly Value[];
}

/** A filter as SQL with the values it binds. */
export function filterSql(view: View, filter: Filter): FilterSql {
  const values: Value[] = [];
  const value = (bound: string | number): string => {
    values.push(bound);
    return '?';
  };
  const clause = filterClause(view, filter, {
    value,
    oneOf: (column, wanted) =>
      `${column} IN (SELECT value FROM json_each(${value(JSON.stringify(wanted))}))`,
    hasTag: (tag) => `EXISTS (SELECT 1 FROM tags t WHERE t.tag = ${value(tag)} AND t.doc = m.doc)`,
  });
  return { ...clause, values };
}
