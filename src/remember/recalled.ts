import { isMemoryEvent } from '../domain/event.ts';
import {
  isTextOf,
  mayHoldRecalled,
  recalledParts,
  type RecalledBlock,
} from '../domain/hygiene/recalled-text.ts';
import type { MemoryInput } from '../domain/inputs.ts';
import type { Receipt } from '../domain/results.ts';
import { projectView } from '../domain/view.ts';
import type { Deps } from '../ports/deps.ts';
import { visibleAgents } from '../ports/scope.ts';

/** What is left to remember of an input, or the answer if nothing is. */
export interface WithoutRecalled {
  readonly input: MemoryInput;
  readonly receipt?: Receipt;
  readonly note?: string;
}

/**
 * Takes out of a text what recall has handed out and what comes back unchanged: it is remembered
 * already. A block that says something else than its memory, or whose memory is not to be seen from
 * here, is new text and loses only its wrapper.
 */
export async function withoutRecalled(
  input: MemoryInput,
  deps: Deps,
  project: string,
): Promise<WithoutRecalled> {
  const { body } = input;
  if (typeof body !== 'string' || !mayHoldRecalled(body)) return { input };
  const parts = recalledParts(body);
  // A text that only speaks of the wrapper holds nothing that was recalled.
  if (parts.every((part) => typeof part === 'string')) return { input };
  const known: string[] = [];
  const kept: string[] = [];
  for (const part of parts) {
    const id = typeof part === 'string' ? undefined : await originOf(part, input, deps, project);
    if (id === undefined) kept.push(typeof part === 'string' ? part : part.text);
    else if (!known.includes(id)) known.push(id);
  }
  const rest = kept.join('\n\n');
  if (known.length === 0) return rest === '' ? { input } : { input: { ...input, body: rest } };
  const recalled = `text that was recalled from ${known.join(', ')}`;
  if (rest !== '')
    return { input: { ...input, body: rest }, note: `body: ${recalled} was left out` };
  const reason = `it is ${recalled}, and nothing new`;
  return { input, receipt: { id: known[0] as string, outcome: 'unchanged', reason } };
}

/** The memory that a block was rendered from, if it says what that memory says or once said. */
async function originOf(
  block: RecalledBlock,
  { project: named }: MemoryInput,
  deps: Deps,
  project: string,
): Promise<string | undefined> {
  const { engine } = deps;
  const view = projectView(typeof named === 'string' ? named : project, visibleAgents(deps));
  const [stored] = await engine.get([block.id], view);
  if (!stored) return undefined;
  const { memory } = stored;
  if (isTextOf(block, memory)) return memory.id;
  const history = (await engine.history(memory.id)).filter(isMemoryEvent);
  return history.some(({ data }) => isTextOf(block, data)) ? memory.id : undefined;
}
