import type {
  ChangedQuery,
  Change,
  Comparison,
  Difference,
  Differences,
} from '../../../domain/comparison.ts';
import { table, type Column } from '../terminal/table.ts';
import { count, type Page } from './page.ts';

/** Two runs, side by side: each metric, each kind, and the queries that changed most. */
export function printComparison(comparison: Comparison, page: Page): string[] {
  const { bootstrap, by_kind, changed, queries } = comparison;
  const percent = bootstrap.confidence * 100;
  const resamples = `${bootstrap.resamples} resamples, seed ${bootstrap.seed}`;
  return [
    page.style.bold(`${count(queries, 'query', 'queries')} in both runs`),
    ...metricTable(comparison, page),
    page.style.dim(
      `* more than chance: 0 is outside the ${percent} % interval (paired bootstrap, ${resamples})`,
    ),
    ...kindTable(by_kind, page),
    ...changedTable(changed, page),
  ];
}

function metricTable(differences: Differences, { style, width }: Page): string[] {
  const rows = rowsOf(differences).flatMap(([name, difference]) => {
    if (!difference) return [];
    const { before, after, interval, better, worse, equal } = difference;
    return [
      [
        name,
        before.toFixed(3),
        after.toFixed(3),
        marked(difference),
        interval.map(signed).join(' … '),
        ...[better, worse, equal].map(String),
      ],
    ];
  });
  const headings = ['before', 'after', 'change', 'interval', 'better', 'worse', 'same'];
  return table(columnsOf('metric', headings, style.bold), rows, width, style.dim);
}

type MetricRow = readonly [name: string, difference: Difference | null];

function rowsOf(differences: Differences): MetricRow[] {
  const { recall, all, any, recall_at_tokens } = differences;
  return [
    ...at('recall', recall),
    ...at('all', all),
    ...at('any', any),
    ['MRR', differences.mrr],
    ['nDCG@10', differences.ndcg10],
    ...at('recall@tokens', recall_at_tokens),
    ['forbidden ahead', differences.forbidden_ahead],
    ['  unmarked', differences.forbidden_ahead_unmarked],
    ['answers to nothing', differences.no_answer_false_positive],
    ['  forbidden', differences.no_answer_forbidden_shown],
    ['leaks', differences.leak10],
  ];
}

function at(name: string, by: Differences['recall']): MetricRow[] {
  return Object.entries(by).map(([key, difference]) => [`${name}@${key}`, difference]);
}

function kindTable(kinds: Comparison['by_kind'], { style, width }: Page): string[] {
  const ks = Object.keys(Object.values(kinds)[0]?.recall ?? {});
  const k = ks.includes('10') ? '10' : (ks[0] ?? '');
  const rows = Object.entries(kinds).map(([kind, differences]) => {
    const { n, recall, mrr, ndcg10, forbidden_ahead } = differences;
    const shown = [recall[k] ?? null, mrr, ndcg10, forbidden_ahead];
    return [kind, String(n), ...shown.map((one) => (one ? marked(one) : '–'))];
  });
  const headings = ['queries', `recall@${k}`, 'MRR', 'nDCG@10', 'forbidden'];
  const lines = table(columnsOf('kind', headings, style.bold), rows, width, style.dim);
  return lines.length > 0 ? ['', ...lines] : [];
}

function changedTable(changed: readonly ChangedQuery[], { style, width }: Page): string[] {
  const columns: Column[] = [
    { heading: 'changed most', paint: style.bold },
    { heading: 'nDCG@10' },
    { heading: 'MRR' },
    { heading: 'query', grows: true },
  ];
  const rows = changed.map(({ id, ndcg10, mrr, query }) => [
    id,
    fromTo(ndcg10),
    fromTo(mrr),
    query.replace(/\s+/g, ' '),
  ]);
  const lines = table(columns, rows, width, style.dim);
  return lines.length > 0 ? ['', ...lines] : [];
}

function columnsOf(
  first: string,
  headings: readonly string[],
  paint: (cell: string) => string,
): Column[] {
  return [
    { heading: first, paint },
    ...headings.map((heading): Column => ({ heading, align: 'right' })),
  ];
}

/** The change, with a star where it is more than chance. */
function marked({ difference, interval: [low, high] }: Difference): string {
  return `${signed(difference)}${low > 0 || high < 0 ? '*' : ' '}`;
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}

function fromTo({ before, after }: Change<number | null>): string {
  return [before, after].map((score) => (score === null ? '–' : score.toFixed(3))).join(' → ');
}
