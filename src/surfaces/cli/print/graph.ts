import type { CitationsResult } from '../../../domain/graph/results.ts';
import { table } from '../terminal/table.ts';
import { count, type Printer } from './page.ts';

/** The most named memories, and the names that lead to several. */
export const printCitations: Printer<CitationsResult> = (result, { style, width }) => {
  const { memories, names, citations, cited, shared_names, shared_total } = result;
  const columns = [
    { heading: 'BY', align: 'right' },
    { heading: 'TIMES', align: 'right' },
    { heading: 'MEMORY', paint: style.bold },
    { heading: 'TITLE', grows: true },
  ] as const;
  const rows = cited.map(({ id, title, cited_by, mentions }) => [
    String(cited_by),
    String(mentions),
    id,
    title,
  ]);
  const texts = count(memories, 'memory', 'memories');
  return [
    ...table(columns, rows, width, style.dim),
    ...(shared_names.length > 0 ? ['', style.bold('Names that several memories bear')] : []),
    ...shared_names.map(({ name, ids }) => `${name}: ${ids.join(', ')}`),
    ...(shared_total > shared_names.length
      ? [`and ${shared_total - shared_names.length} more`]
      : []),
    ...(rows.length + shared_names.length > 0 ? [''] : []),
    style.dim(`${texts} read for ${count(names, 'name')}: ${count(citations, 'citation')}`),
  ];
};
