import type { EvalResult, EvalScores } from '../../../domain/evaluation.ts';
import { table, type Column } from '../terminal/table.ts';
import { count, facts, type Page, type Printer } from './page.ts';

export const printEval: Printer<EvalResult> = (result, page) => {
  const { by_kind, latency_ms, ingest_ms_per_memory } = result;
  const kinds = Object.entries(by_kind).map(([kind, scores]) => row(kind, scores.n, scores));
  return [
    ...table(
      columnsOf(result, page),
      [...kinds, row('all', result.queries, result)],
      page.width,
      page.style.dim,
    ),
    '',
    ...facts(
      [
        ['memories', `${result.memories}, ${milliseconds(ingest_ms_per_memory)} each to store`],
        ['recall', `p50 ${milliseconds(latency_ms.p50)}, p95 ${milliseconds(latency_ms.p95)}`],
        ['all@k', perKey(result.all)],
        ['any@k', perKey(result.any)],
        ['recall within tokens', perKey(result.recall_at_tokens)],
        [
          'forbidden ahead',
          `${share(result.forbidden_ahead)}, unmarked ${share(result.forbidden_ahead_unmarked)}`,
        ],
        [
          'answers to nothing',
          `${share(result.no_answer_false_positive)}, forbidden ${share(result.no_answer_forbidden_shown)}`,
        ],
        ['leaks', share(result.leak10)],
        ['embedder', result.embedder],
      ],
      page,
    ),
    ...(result.warnings.length > 0 ? [count(result.warnings.length, 'warning')] : []),
  ];
};

function columnsOf({ recall }: EvalScores, { style }: Page): Column[] {
  const headings = [
    'queries',
    ...Object.keys(recall).map((k) => `recall@${k}`),
    'MRR',
    'nDCG@10',
    'forbidden',
  ];
  return [
    { heading: 'kind', paint: style.bold },
    ...headings.map((heading): Column => ({ heading, align: 'right' })),
  ];
}

function row(name: string, n: number, scores: EvalScores): string[] {
  const { recall, mrr, ndcg10, forbidden_ahead } = scores;
  return [name, String(n), ...[...Object.values(recall), mrr, ndcg10, forbidden_ahead].map(share)];
}

function perKey(scores: Readonly<Record<string, number | null>>): string {
  return Object.entries(scores)
    .map(([key, score]) => `${key}: ${share(score)}`)
    .join(', ');
}

function share(score: number | null): string {
  return score === null ? '–' : score.toFixed(3);
}

function milliseconds(ms: number | null): string {
  return ms === null ? '–' : `${ms.toFixed(2)} ms`;
}
