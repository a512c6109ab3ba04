import type { Filter, View } from '../../domain/view.ts';
import { filterClause, type FilterClause } from '../shared/filter-sql.ts';
import type { Parameter } from './driver.ts';
import { list, plain } from './parameters.ts';

/** Collects the parameters of one statement. */
export class Bindings {
  readonly parameters: Parameter[] = [];

  bind(value: Parameter, type: string): string {
    this.parameters.push(typeof value === 'string' ? plain(value) : value);
    return `$${this.parameters.length}::${type}`;
  }

  /** A list to compare with by `= ANY`. */
  list(values: readonly (string | number)[], type: 'text' | 'bigint' = 'text'): string {
    this.parameters.push(list(values));
    return `$${this.parameters.length}::${type}[]`;
  }
}

/** A filter as SQL over `memories m`, with the values it binds. */
export function filterSql(view: View, filter: Filter, bindings: Bindings): FilterClause {
  return filterClause(view, filter, {
    value: (bound) => bindings.bind(bound, typeof bound === 'number' ? 'float8' : 'text'),
    oneOf: (column, wanted) => `${column} = ANY(${bindings.list(wanted)})`,
    hasTag: (tag) => `${bindings.bind(tag, 'text')} = ANY(m.tags)`,
  });
}

/** A view as a condition on a table that has projects and agents. */
export function viewSql(view: View, bindings: Bindings): string {
  const conditions = ['true'];
  if (view.projects !== 'all') conditions.push(`project = ANY(${bindings.list(view.projects)})`);
  if (view.agents !== 'all') conditions.push(`agent = ANY(${bindings.list(view.agents)})`);
  return conditions.join(' AND ');
}
