import type {
  AddedGolden,
  GoldenChange,
  GoldenDifference,
  GoldenResult,
} from '../../../domain/golden.ts';
import { count, facts, type Page, type Printer } from './page.ts';

export const printGolden: Printer<GoldenResult> = (result, page) => {
  const { queries, recall, mrr, worse, better, moved, same, baseline, updated } = result;
  const scores = [...Object.entries(recall).map(([k, r]) => [`recall@${k}`, r]), ['MRR', mrr]];
  return [
    ...result.differences.flatMap((difference) => [...differenceLines(difference, page), '']),
    ...facts(
      [
        [
          'queries',
          `${queries}: ${worse} worse, ${better} better, ${moved} moved, ${same} the same`,
        ],
        ...scores.map(([name, score]) => [String(name), share(score as number | null)] as const),
        ['baseline', baseline ?? 'none yet: each query is expected to bring all it names'],
      ],
      page,
    ),
    ...(updated ? ['The answers of today are the baseline now.'] : []),
    ...(!updated && worse + better + moved > 0
      ? [page.style.dim('If this is as it should be: loci golden --update')]
      : []),
  ];
};

function differenceLines(difference: GoldenDifference, { style }: Page): string[] {
  const { id, query, verdict, changes, ahead, unwanted } = difference;
  const paint = { worse: style.red, better: style.green, moved: style.dim }[verdict];
  return [
    `${paint(verdict.padEnd(6))}  ${style.bold(id)}  ${query.replace(/\s+/g, ' ')}`,
    ...changes.map((change) => `  ${changeLine(change)}`),
    ...ahead.map((forbidden) => `  ahead of the answer: ${forbidden}, which must not be`),
    ...(unwanted.length > 0
      ? [`  nothing should come back, and ${count(unwanted.length, 'memory', 'memories')} did`]
      : []),
  ];
}

function changeLine({ change, ids, was, now, why }: GoldenChange): string {
  const names = ids.join(' or ');
  if (change === 'found') return `found ${names}: ${ordinal(now)}`;
  if (change === 'moved') return `moved ${names}: ${ordinal(was)} → ${ordinal(now)}`;
  const before = was === null ? 'was expected' : `was ${ordinal(was)}`;
  return `lost ${names}: ${before}, ${now === null ? '' : `now ${ordinal(now)}: `}${why ?? ''}`;
}

export const printAddedGolden: Printer<AddedGolden> = ({ file, added, ranks }, { style }) => [
  `Kept ${style.bold(added.id)} in ${file}`,
  ...Object.keys(added.relevant).map((id, i) => {
    const rank = ranks[i] ?? null;
    return `  ${id}: ${rank === null ? 'not among the first 10 today' : `${ordinal(rank)} today`}`;
  }),
];

function share(score: number | null): string {
  return score === null ? '–' : score.toFixed(3);
}

/** `1st`, `2nd`, `13th`. */
function ordinal(rank: number | null): string {
  if (rank === null) return '–';
  const ending = /1\d$/.test(String(rank)) ? 'th' : (['th', 'st', 'nd', 'rd'][rank % 10] ?? 'th');
  return `${rank}${ending}`;
}
