import type { Filter } from '../domain/view.ts';

/** A part of what a new session is told. */
export interface BundlePart {
  readonly name: string;
  readonly heading: string;
  readonly filter: Filter;
  /** Its share of the first pass, next to those of the other parts that have something to say. */
  readonly share: number;
  /** Memories that it holds at most. */
  readonly most: number;
}

/** More than a session could use. */
const MANY = 100;

/** Types with a part of their own. */
const BOUND = ['constraint', 'decision', 'preference', 'open_question', 'conflict', 'episode'];

/** The most binding first: the order of the text, and of who takes what is left over. */
const PARTS: readonly BundlePart[] = [
  part('constraints', 'Constraints', 0.25, { types: ['constraint'] }),
  part('decisions', 'Decisions', 0.2, { types: ['decision'] }),
  part('preferences', 'Preferences', 0.1, { types: ['preference'] }),
  part('open_questions', 'Open questions', 0.1, { types: ['open_question'] }),
  part('conflicts', 'Conflicts', 0.05, { types: ['conflict'] }),
  part('episodes', 'Last episodes', 0.1, { types: ['episode'] }, 3),
];
const RECENT = part('recent', 'Recently learnt', 0.1, { notTypes: BOUND });

/**
 * The parts, with what the last session left among them where one is known.
 * @param sessionId the session that hands over
 */
export function partsFor(sessionId: string | undefined): readonly BundlePart[] {
  if (sessionId === undefined) return [...PARTS, RECENT];
  return [...PARTS, part('handoff', 'Hand-off', 0.1, { notTypes: BOUND, sessionId }), RECENT];
}

function part(
  name: string,
  heading: string,
  share: number,
  filter: Filter,
  most = MANY,
): BundlePart {
  return { name, heading, filter, share, most };
}
