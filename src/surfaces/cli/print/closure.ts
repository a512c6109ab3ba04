import type { ClosureResult } from '../../../domain/graph/results.ts';
import { sparkline, table } from '../terminal/table.ts';
import { facts, type Page, type Printer } from './page.ts';

/** The measures, what they mean for tools, and the days as a line and a table. */
export const printClosure: Printer<ClosureResult> = (result, page) => {
  const { style } = page;
  const rows: (readonly [string, string])[] = [
    ['memories', `${result.memories}, ${result.belief_pct.toFixed(0)} % beliefs`],
    ['relations', `${result.avg_relations.toFixed(2)} a memory`],
    ['references', `${result.avg_body_refs.toFixed(2)} a text`],
    ['closure index', result.closure_index.toFixed(2)],
    ['entanglement', `${result.entanglement_pct.toFixed(2)} %`],
    ['phase', result.phase],
  ];
  const predictions = result.predictions.map(({ about, level, certain, message }) => {
    return `${style.bold(about)} ${level}${certain ? '' : ' (too few memories to be sure)'}: ${message}`;
  });
  return [...facts(rows, page), '', ...predictions, ...trajectoryLines(result, page)];
};

function trajectoryLines({ trajectory }: ClosureResult, { style, width }: Page): string[] {
  if (!trajectory || trajectory.length === 0) return [];
  const columns = [
    { heading: 'DAY' },
    { heading: 'MEMORIES', align: 'right' },
    { heading: 'BELIEFS', align: 'right' },
    { heading: 'INDEX', align: 'right' },
    { heading: 'ENTANGLED', align: 'right' },
    { heading: 'PHASE' },
  ] as const;
  const rows = trajectory.map((row) => [
    row.day,
    String(row.memories),
    `${row.belief_pct.toFixed(0)} %`,
    row.closure_index.toFixed(2),
    `${row.entanglement_pct.toFixed(2)} %`,
    row.phase,
  ]);
  const line = sparkline(trajectory.map(({ closure_index }) => closure_index));
  return [
    '',
    `${style.cyan(line)}  closure index by day`,
    '',
    ...table(columns, rows, width, style.dim),
  ];
}
