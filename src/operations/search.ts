import * as z from 'zod';
import type { SearchOptions } from '../domain/inputs.ts';
import { searchOptions } from '../domain/options.ts';
import type { Operation } from './operation.ts';
import { recalled } from './outputs.ts';

export const search: Operation = {
  name: 'search',
  title: 'Search',
  description:
    'Lists memories by keywords or filters, page by page, with shortened bodies. For browsing and counting; recall answers questions.',
  audience: 'core',
  input: searchOptions,
  published: ['query', 'type', 'tags', 'since', 'limit', 'cursor'],
  get output() {
    return z.looseObject({ results: z.array(recalled), total: z.number() });
  },
  annotations: { readOnly: true, destructive: false, idempotent: true },
  cli: {
    group: 'Find',
    summary: 'Lists memories by keywords or filters, page by page',
    positionals: ['query…'],
    examples: [
      { command: 'loci search postgres --type decision', what: 'Keywords and a filter' },
      { command: 'loci search --tags release --sort created_at', what: 'A plain listing' },
      { command: 'loci search --status draft --all-projects', what: 'What waits for review' },
    ],
  },
  run: (loci, input) => loci.search(input as SearchOptions),
};
