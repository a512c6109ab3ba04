import { episodesOptions } from '../domain/episode-options.ts';
import { episodeShown, type EpisodesOptions, type EpisodesResult } from '../domain/episodes.ts';
import { parseInput } from '../domain/parse.ts';
import type { Deps } from '../ports/deps.ts';
import { currentView } from '../ports/scope.ts';

const DEFAULT_LIMIT = 10;

/** What past sessions did, newest first. */
export async function episodes(options: EpisodesOptions, deps: Deps): Promise<EpisodesResult> {
  const { limit = DEFAULT_LIMIT } = parseInput(episodesOptions, options, 'episodes');
  const { rows, total } = await deps.engine.select({
    view: await currentView(deps),
    filter: { types: ['episode'], statuses: ['active', 'draft'] },
    sort: 'created_at',
    descending: true,
    limit,
  });
  return { episodes: rows.map(({ memory }) => episodeShown(memory)), total };
}
