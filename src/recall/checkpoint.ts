import { checkpointOptions } from '../domain/options.ts';
import type { CheckpointOptions } from '../domain/inputs.ts';
import { parseInput } from '../domain/parse.ts';
import type { CheckpointPart, CheckpointResult } from '../domain/results.ts';
import type { Deps } from '../ports/deps.ts';
import { bundle, type FilledPart } from './bundle.ts';

const DEFAULT_TOKENS = 4000;

/** What one session hands over to the next: text within a budget, and the same in parts. */
export async function checkpoint(
  options: CheckpointOptions,
  deps: Deps,
): Promise<CheckpointResult> {
  const asked = parseInput(checkpointOptions, options, 'checkpoint');
  const { maxTokens = DEFAULT_TOKENS, sessionId: wanted } = asked;
  const { text, tokensUsed, parts, sessionId } = await bundle(
    { maxTokens, sessionId: wanted },
    deps,
  );
  return {
    text,
    ids: parts.flatMap(({ taken }) => taken.map(({ memory }) => memory.id)),
    tokens_used: tokensUsed,
    session_id: sessionId ?? null,
    parts: parts.map(partOf),
  };
}

function partOf({ part: { name, heading }, taken, leftOut }: FilledPart): CheckpointPart {
  const memories = taken.map(({ memory }) => {
    const { id, type, title, body, tags, created_at, signals } = memory;
    return { id, type, title, body, tags, created_at, signals };
  });
  return { name, heading, memories, left_out: leftOut };
}
