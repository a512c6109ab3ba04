import type { CitationsResult, WanderResult } from '../../../domain/graph/results.ts';
import { bar, table } from '../terminal/table.ts';
import { clip } from '../terminal/width.ts';
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

/** What came to mind, strongest first, and the pairs that nobody would have put side by side. */
export const printWander: Printer<WanderResult> = (result, { style, width }) => {
  const { seeds, activated, collisions, steps } = result;
  if (seeds.length === 0) return ['There is nothing to start from.'];
  const columns = [
    { heading: '', paint: style.green },
    { heading: 'ACTIVE', align: 'right' },
    { heading: 'STEP', align: 'right' },
    { heading: 'MEMORY', paint: style.bold },
    { heading: 'TITLE', grows: true },
  ] as const;
  const rows = activated.map(({ id, title, activation, step }) => [
    bar(activation, 10),
    activation.toFixed(3),
    step === 0 ? 'seed' : String(step),
    id,
    title,
  ]);
  return [
    ...table(columns, rows, width, style.dim),
    '',
    style.dim(
      `${count(activated.length - seeds.length, 'memory', 'memories')} reached in ${count(steps, 'step')}`,
    ),
    ...(collisions.length > 0 ? ['', style.bold('Far apart, and active together')] : []),
    ...collisions.flatMap(({ a, b, a_title, b_title, score, dissimilarity }) => [
      `${style.yellow(score.toFixed(3))}  ${clip(a_title, width - 10)}`,
      `       ${clip(b_title, width - 10)}`,
      style.dim(`       ${a} × ${b}, dissimilarity ${dissimilarity.toFixed(2)}`),
    ]),
  ];
};
