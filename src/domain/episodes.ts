import type { Memory } from './memory.ts';
import type { Outcome } from './results.ts';

/** What the verbs about episodes accept and answer: what a session did, one summary a session. */

export interface EpisodeOptions {
  readonly sessionId: string;
  /** What was done and learnt, as Markdown. Written again, it replaces the one before. */
  readonly summary: string;
  readonly title?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** A time: ISO 8601, or words such as `2 hours ago`. */
  readonly startedAt?: string | undefined;
  readonly endedAt?: string | undefined;
}

export interface EpisodeResult {
  readonly id: string;
  readonly session_id: string;
  readonly outcome: Outcome;
  readonly warnings: readonly string[];
}

export interface EpisodesOptions {
  /** Number of episodes; default 10. */
  readonly limit?: number | undefined;
}

export interface EpisodeShown {
  readonly id: string;
  readonly session_id: string | null;
  readonly title: string | null;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly status: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface EpisodesResult {
  /** Newest first. */
  readonly episodes: readonly EpisodeShown[];
  /** How many there are. */
  readonly total: number;
}

/** The id under which a store knows the episode of a session, so that there is one. */
export function episodeKey(sessionId: string): string {
  return `session:${sessionId}`;
}

/**
 * The text of an episode. It names its session: equal texts are one memory, and two sessions that are
 * summed up alike are two.
 */
export function episodeBody(summary: string, sessionId: string): string {
  return `${summary.trim()}${trailer(sessionId)}`;
}

function trailer(sessionId: string): string {
  return `\n\nSession: ${sessionId}`;
}

export function episodeShown(memory: Memory): EpisodeShown {
  const { id, session_id, title, body, tags, status, details, created_at, updated_at } = memory;
  const end = session_id === undefined ? '' : trailer(session_id);
  const summary = end !== '' && body.endsWith(end) ? body.slice(0, -end.length) : body;
  return {
    id,
    session_id: session_id ?? null,
    title: title ?? null,
    summary,
    tags,
    status,
    started_at: textOf(details?.['started_at']),
    ended_at: textOf(details?.['ended_at']),
    created_at,
    updated_at,
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
