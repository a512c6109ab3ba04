import { mkdtempSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

type Item = Readonly<Record<string, unknown>>;

/** Writes an eval set into the home folder of the test. */
export function writeSet(memories: readonly Item[], queries: readonly Item[]): string {
  const dir = mkdtempSync(join(homedir(), 'set-'));
  const lines = (items: readonly Item[]): string =>
    items.map((item) => `${JSON.stringify(item)}\n`).join('');
  writeFileSync(join(dir, 'memories.jsonl'), lines(memories));
  writeFileSync(join(dir, 'queries.jsonl'), lines(queries));
  return dir;
}

/** Two projects, a replaced memory and one that stands there twice. */
export const MEMORIES: readonly Item[] = [
  {
    id: 'm1',
    project: 'boat',
    body: 'The harbour office opens at nine.',
    created_at: '2025-01-10T08:00:00Z',
  },
  {
    id: 'm2',
    project: 'boat',
    body: 'The harbour office opens at eight.',
    created_at: '2025-03-10T08:00:00Z',
    supersedes: 'm1',
  },
  { id: 'm3', project: 'boat', body: 'Diesel is paid by card.', created_at: '2025-02-01' },
  { id: 'm4', project: 'boat', body: 'Diesel is paid by card.', created_at: '2025-02-02' },
  { id: 'm5', project: 'shed', body: 'The harbour paint is green.', created_at: '2025-02-03' },
  { id: 'm6', project: 'global', body: 'Invoices are due in March.', created_at: '2025-02-04' },
];

export const QUERIES: readonly Item[] = [
  {
    id: 'q1',
    project: 'boat',
    query: 'when does the harbour office open?',
    relevant: { m2: 2 },
    forbidden: ['m1', 'm5'],
    forbidden_why: { m1: 'superseded', m5: 'other_project' },
    kind: 'superseded_current',
  },
  {
    id: 'q2',
    project: 'boat',
    query: 'when does the harbour office open?',
    relevant: { m1: 2 },
    as_of: '2025-02-01T00:00:00Z',
    kind: 'temporal',
  },
  {
    id: 'q3',
    project: 'boat',
    query: 'how is diesel paid',
    relevant: { m3: 2, m4: 2 },
    kind: 'merged',
  },
  { id: 'q4', project: 'shed', query: 'invoices', relevant: { m6: 2 }, kind: 'global' },
  { id: 'q5', project: 'shed', query: 'diesel card', relevant: {}, kind: 'no_answer' },
  { id: 'q6', project: 'boat', query: 'zebra', relevant: { m3: 1 }, kind: 'adversarial' },
];
