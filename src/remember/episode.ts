import {
  episodeBody,
  episodeKey,
  type EpisodeOptions,
  type EpisodeResult,
} from '../domain/episodes.ts';
import { episodeOptions } from '../domain/episode-options.ts';
import { LociError } from '../domain/errors.ts';
import { isLive } from '../domain/lifecycle.ts';
import type { StoredMemory } from '../domain/memory.ts';
import type { TimeExpression } from '../domain/time-expression.ts';
import { toIso } from '../domain/time.ts';
import type { Deps } from '../ports/deps.ts';
import { confinedView, momentOf } from '../ports/scope.ts';
import { parseClean } from '../domain/parse-clean.ts';
import { remember } from './remember.ts';

/** Writes what a session did: one memory a session, which is updated when it is written again. */
export async function episode(options: EpisodeOptions, deps: Deps): Promise<EpisodeResult> {
  const { fields } = parseClean(episodeOptions, options, 'episode');
  const { sessionId, summary, title, tags } = fields;
  if (summary.trim() === '') {
    throw new LociError('invalid_input', 'episode: summary is empty', 'Say what the session did.');
  }
  const times = timesOf(fields, deps);
  const known = await episodeOf(sessionId, deps);
  const createdAt = times.ended_at ?? times.started_at;
  const { results, warnings } = await remember(
    {
      ...(known ? { id: known.memory.id } : {}),
      type: 'episode',
      body: episodeBody(summary, sessionId),
      sessionId,
      externalId: episodeKey(sessionId),
      title,
      tags,
      createdAt,
      ...(createdAt === undefined ? {} : { details: { ...known?.memory.details, ...times } }),
    },
    deps,
  );
  const [receipt] = results;
  if (!receipt || receipt.outcome === 'refused') {
    throw new LociError('conflict', `episode: ${receipt?.reason ?? 'nothing was stored'}`);
  }
  const { id, outcome } = receipt;
  const isShown = !known || isLive(known.memory.status);
  const hidden = `${id} is ${known?.memory.status ?? ''}: restore it to see it listed`;
  return {
    id,
    session_id: sessionId,
    outcome,
    warnings: isShown ? warnings : [...warnings, hidden],
  };
}

/** The episode of a session, however it was written. */
async function episodeOf(sessionId: string, deps: Deps): Promise<StoredMemory | undefined> {
  const { rows } = await deps.engine.select({
    view: await confinedView(deps),
    filter: { types: ['episode'], sessionId },
    sort: 'updated_at',
    descending: true,
    limit: 100,
  });
  return rows.find(({ memory }) => isLive(memory.status)) ?? rows[0];
}

interface SessionTimes {
  readonly started_at?: string;
  readonly ended_at?: string;
}

function timesOf(
  { startedAt, endedAt }: { startedAt?: TimeExpression; endedAt?: TimeExpression },
  deps: Deps,
): SessionTimes {
  const moment = momentOf(deps);
  const startMs = startedAt?.(moment).startMs;
  const endMs = endedAt?.(moment).startMs;
  if (startMs !== undefined && endMs !== undefined && endMs < startMs) {
    throw new LociError(
      'invalid_input',
      `episode: ended_at ${toIso(endMs)} lies before started_at ${toIso(startMs)}`,
      'Give the two the other way round.',
    );
  }
  return {
    ...(startMs === undefined ? {} : { started_at: toIso(startMs) }),
    ...(endMs === undefined ? {} : { ended_at: toIso(endMs) }),
  };
}
