import type { Explanation, RecallExplanation } from '../../../domain/explanation.ts';
import { bar, table } from '../terminal/table.ts';
import type { Page } from './page.ts';

const INDENT = '   ';
const BAR = 10;

/** How one score came about, as tables with bars. */
export function explainLines(explanation: Explanation, { style, width }: Page): string[] {
  const { terms, keyword, meaning, factors, session, pairs_and_subject } = explanation;
  const { relevance, multipliers, graph } = explanation;
  const most = Math.max(0, ...terms.map(({ part }) => part));
  const paint = (text: string): string => style.cyan(text);
  const wordRows = terms.map(({ term, part, documents }) => [
    term,
    bar(most > 0 ? part / most : 0, BAR),
    part.toFixed(3),
    String(documents),
  ]);
  const wordColumns = [
    { heading: 'word' },
    { heading: '', paint },
    { heading: 'part', align: 'right' },
    { heading: 'memories', align: 'right' },
  ] as const;
  const parts: readonly (readonly [string, number])[] = [
    ['words', keyword],
    ...meaning.map(({ embedder, cosine, part }) => {
      return [`meaning, ${embedder} (cosine ${cosine.toFixed(2)})`, part] as const;
    }),
    ['session', session],
  ];
  const partColumns = [
    { heading: 'share of what was asked' },
    { heading: '', paint },
    { heading: 'part', align: 'right' },
  ] as const;
  const partRows = parts.map(([name, part]) => [name, bar(part, BAR), part.toFixed(3)]);
  const applied = (named: Readonly<Record<string, number>>): string[] =>
    Object.entries(named)
      .filter(([, factor]) => factor.toFixed(2) !== '1.00')
      .map(([name, factor]) => style.dim(`× ${factor.toFixed(2)} ${name.replaceAll('_', ' ')}`));
  return [
    ...table(wordColumns, wordRows, width, style.dim),
    ...applied({ pairs_and_subject }),
    ...table(partColumns, partRows, width, style.dim),
    ...applied(factors),
    style.dim(`= ${relevance.toFixed(3)} relevance`),
    ...applied(multipliers),
    ...(graph ? [style.dim(`+ ${graph.boost.toFixed(3)} from its neighbour ${graph.from}`)] : []),
  ].map((line) => INDENT + line);
}

/** What each channel found, and what was left out and why. */
export function explainRecallLines(explain: RecallExplanation, { style, width }: Page): string[] {
  const { channels, filtered } = explain;
  return [
    ...countTable('channel', 'candidates', channels),
    ...countTable('left out by', 'memories', filtered),
  ];

  function countTable(
    heading: string,
    unit: string,
    counts: Readonly<Record<string, number>>,
  ): string[] {
    const most = Math.max(1, ...Object.values(counts));
    const columns = [
      { heading },
      { heading: '', paint: style.cyan },
      { heading: unit, align: 'right' },
    ] as const;
    const rows = Object.entries(counts).map(([name, number]) => [
      name.replaceAll('_', ' '),
      bar(number / most, BAR),
      String(number),
    ]);
    return table(columns, rows, width, style.dim);
  }
}
