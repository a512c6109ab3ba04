import * as z from 'zod';
import { episodeOptions, episodesOptions } from '../domain/episode-options.ts';
import type { EpisodeOptions, EpisodesOptions } from '../domain/episodes.ts';
import type { Operation } from './operation.ts';

export const episode: Operation = {
  name: 'episode',
  title: 'Write an episode',
  description:
    'Keeps what a session did: one summary a session, which is replaced when it is written again. Call it before a session ends.',
  audience: 'full',
  input: episodeOptions,
  get output() {
    return z.looseObject({ id: z.string(), session_id: z.string(), outcome: z.string() });
  },
  annotations: { readOnly: false, destructive: false, idempotent: true },
  cli: {
    group: 'Remember',
    summary: 'Keep what a session did',
    positionals: [],
    examples: [
      {
        command: 'loci episode --session-id 2026-03-09-am --summary "Moved the API to cursors."',
        what: 'Sum up a session',
      },
    ],
  },
  run: (loci, input) => loci.episode(input as unknown as EpisodeOptions),
};

export const episodes: Operation = {
  name: 'episodes',
  title: 'List episodes',
  description: 'Lists what past sessions did, newest first.',
  audience: 'full',
  input: episodesOptions,
  get output() {
    return z.looseObject({
      episodes: z.array(z.looseObject({ id: z.string(), summary: z.string() })),
      total: z.number(),
    });
  },
  annotations: { readOnly: true, destructive: false, idempotent: true },
  cli: {
    group: 'Find',
    positionals: [],
    examples: [{ command: 'loci episodes --limit 3', what: 'What was done last' }],
  },
  run: (loci, input) => loci.episodes(input as EpisodesOptions),
};
