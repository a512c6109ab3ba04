import { decideShare, decideUnshare } from '../domain/decide/share.ts';
import { LociError, quote } from '../domain/errors.ts';
import { contentKey, memoryId } from '../domain/identity.ts';
import { headline } from '../domain/memory.ts';
import { parseInput } from '../domain/parse.ts';
import type {
  ShareOptions,
  ShareResult,
  UnshareOptions,
  UnshareResult,
} from '../domain/sharing.ts';
import { shareOptions, unshareOptions } from '../domain/sharing-options.ts';
import { toIso } from '../domain/time.ts';
import type { View } from '../domain/view.ts';
import type { Deps } from '../ports/deps.ts';
import { currentView } from '../ports/scope.ts';
import { subjectsOf } from './counted.ts';

const SUFFIX_LENGTH = 4;

/** Copies a memory of an agent into the drawer that all of them see; again: brings the copy up to it. */
export async function share(options: ShareOptions, deps: Deps): Promise<ShareResult> {
  const { id, from = deps.scope.agent } = parseInput(shareOptions, options, 'share');
  requireDrawers(deps);
  const view = { ...(await currentView(deps)), agents: [ownDrawer(from, deps)] };
  const { engine, clock, ids, scope } = deps;
  const [found] = await engine.get([id], view);
  const now = toIso(clock.nowMs());
  const { body = '', project = '', type = '', created_at: createdAt = now } = found?.memory ?? {};
  const heading = found ? headline(found.memory) : '';
  const newId = memoryId({ type, createdAt, heading, suffix: ids.suffix(SUFFIX_LENGTH) });
  const request = { id, from: from as string, body, newId };
  const named = found?.memory.id ?? id;
  const contentKeys = [contentKey(project, '', body)];
  const { result, events } = await engine.commit(
    { ids: [id, named], contentKeys, actor: scope.actor },
    (state) => decideShare(state, request, { view, now }),
  );
  deps.backlog?.add(subjectsOf(events));
  deps.vectors?.nudge();
  return result;
}

/** Takes a copy out of the shared drawer. */
export async function unshare(options: UnshareOptions, deps: Deps): Promise<UnshareResult> {
  const { id } = parseInput(unshareOptions, options, 'unshare');
  requireDrawers(deps);
  const view: View = { ...(await currentView(deps)), agents: [''] };
  const { engine, clock, scope } = deps;
  const now = toIso(clock.nowMs());
  const { result } = await engine.commit(
    { ids: [id], contentKeys: [], actor: scope.actor },
    (state) => decideUnshare(state, id, { view, now }),
  );
  return result;
}

/** @throws LociError unsupported where agents have no drawers */
function requireDrawers({ engine }: Deps): void {
  if (engine.isolated) return;
  throw new LociError(
    'unsupported',
    'agents are not kept apart in this store: every memory is shared',
    'Keep them apart with: loci migrate-isolation --strategy partition',
  );
}

/** An agent opens its own drawer only; who works for none may name any. */
function ownDrawer(from: string | undefined, { scope }: Deps): string {
  if (from === undefined) {
    throw new LociError('invalid_input', 'share is given no agent', 'Name one with --from AGENT.');
  }
  if (scope.agent === undefined || scope.agent === from) return from;
  throw new LociError(
    'denied',
    `${quote(scope.agent)} cannot share from the drawer of ${quote(from)}`,
    'An agent shares its own memories.',
  );
}
