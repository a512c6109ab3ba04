import { headline } from '../../../domain/memory.ts';
import type { SearchResult } from '../../../domain/results.ts';
import { table, type Column } from '../terminal/table.ts';
import { day } from '../terminal/times.ts';
import { count, windowLine, type Printer } from './page.ts';

export const printSearch: Printer<SearchResult> = (result, page) => {
  const { results, total, next_cursor, window } = result;
  if (results.length === 0) return ['Nothing found.', ...windowLine(window, page)];
  const { style, width, input } = page;
  const isScored = input.query !== undefined;
  const columns: Column[] = [
    { heading: 'ID', paint: style.bold },
    { heading: 'TYPE' },
    ...(isScored ? [{ heading: 'SCORE', align: 'right' } as const] : []),
    { heading: 'CREATED' },
    { heading: 'STATUS' },
    { heading: 'MEMORY', grows: true },
  ];
  const rows = results.map((memory) => [
    memory.id,
    memory.type,
    ...(isScored ? [memory.score.toFixed(2)] : []),
    day(memory.created_at),
    memory.status,
    headline({ title: memory.title ?? undefined, body: memory.body }),
  ]);
  const more = next_cursor === null ? '' : `; the next page: --cursor ${next_cursor}`;
  return [
    ...table(columns, rows, width, style.dim),
    style.dim(`${results.length} of ${count(total, 'memory', 'memories')}${more}`),
    ...windowLine(window, page),
  ];
};
