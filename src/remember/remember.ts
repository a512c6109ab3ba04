import type { Change, CommitState } from '../domain/change.ts';
import type { Draft } from '../domain/decide/draft.ts';
import { decideRemember, type RememberContext } from '../domain/decide/remember.ts';
import { asLociError, LociError, quote } from '../domain/errors.ts';
import { contentKey, drawerOf } from '../domain/identity.ts';
import type { MemoryInput } from '../domain/inputs.ts';
import { GLOBAL_PROJECT } from '../domain/lifecycle.ts';
import { namingOf } from '../domain/project.ts';
import type { Receipt, RememberResult } from '../domain/results.ts';
import { toIso } from '../domain/time.ts';
import { projectView, VIEW_ALL, type View } from '../domain/view.ts';
import { UTC } from '../domain/zone.ts';
import type { Deps } from '../ports/deps.ts';
import type { Progress } from '../ports/engine.ts';
import { currentProject, visibleAgents } from '../ports/scope.ts';
import { counted, subjectsOf } from './counted.ts';
import { admit } from './gate.ts';
import { successorsOf } from './successors.ts';

/** From this many memories on, the tokeniser is loaded at once and counts them as they are written. */
const BATCH = 50;

/**
 * The write story: gate → identity and duplicates → decide → one commit → receipts. A batch is one
 * transaction; an item that cannot be stored is refused on its own.
 */
export async function remember(
  input: MemoryInput | readonly MemoryInput[],
  deps: Deps,
  progress?: Progress,
): Promise<RememberResult> {
  const project = await currentProject(deps);
  const { drafts, refused, notes } = admitAll(input, deps, project);
  const warnings = [...deps.notices, ...notes];
  if (drafts.length === 0) return { results: refused, warnings };

  const isBatch = drafts.length >= BATCH;
  if (isBatch) await deps.tokens.prepare();
  progress?.(0, drafts.length);
  const name = await projectNaming(drafts, deps, project);
  const context = contextOf(deps);
  const replaced = drafts.flatMap(({ ref, supersedes, relations }) => [
    ref,
    supersedes,
    ...relations.map(({ target }) => target),
  ]);
  const successors = await successorsOf(replaced, VIEW_ALL, deps.engine);
  const committed = await deps.engine.commit(requestOf(drafts, successors, deps), (state) => {
    const naming = name(state);
    const { changes, result } = decideRemember(state, drafts, context);
    const kept = isBatch ? changes.map((change) => counted(change, deps.tokens)) : changes;
    return { changes: naming && kept.length > 0 ? [naming, ...kept] : kept, result };
  });
  if (!isBatch) deps.backlog?.add(subjectsOf(committed.events));
  deps.vectors?.nudge();
  progress?.(drafts.length, drafts.length);
  const results = [...committed.result, ...refused].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  return { results, warnings: [...warnings, ...committed.warnings] };
}

interface Admitted {
  readonly drafts: Draft[];
  readonly refused: Receipt[];
  readonly notes: string[];
}

/** Lets each item through the gate. A bad one is refused; alone, it is an error. */
function admitAll(
  input: MemoryInput | readonly MemoryInput[],
  { engine, scope, clock, ids }: Deps,
  project: string,
): Admitted {
  const single = !Array.isArray(input);
  const inputs = (single ? [input] : input) as readonly MemoryInput[];
  const { agent, source } = scope;
  const zone = scope.zone ?? UTC;
  const gate = { clock, ids, project, source, zone, ...(agent === undefined ? {} : { agent }) };
  const admitted: Admitted = { drafts: [], refused: [], notes: [] };
  for (const [i, item] of inputs.entries()) {
    const line = single ? 0 : i + 1;
    try {
      const { draft, notes } = admit(item, line, gate);
      if (engine.isolated) refuseOtherDrawer(draft, agent);
      admitted.drafts.push(draft);
      admitted.notes.push(...notes.map((note) => (single ? note : `line ${line}: ${note}`)));
    } catch (thrown) {
      const error = asLociError(thrown);
      if (single || error.code === 'internal') throw error;
      const reason = error.hint ? `${error.message} (${error.hint})` : error.message;
      admitted.refused.push({ id: '', outcome: 'refused', reason, line });
    }
  }
  return admitted;
}

/** An agent writes into its own drawer: what another one holds must not show in its receipts. */
function refuseOtherDrawer(draft: Draft, agent: string | undefined): void {
  if (agent === undefined || draft.agent === agent) return;
  throw new LociError(
    'denied',
    `${quote(agent)} cannot write into the drawer of ${quote(draft.agent)}`,
    'Leave agent out. A memory is given to all agents with share.',
  );
}

function contextOf(deps: Deps): RememberContext {
  const agents = visibleAgents(deps);
  return {
    viewOf: (draft) => projectView(draft.project, agents),
    isolated: deps.engine.isolated,
    now: toIso(deps.clock.nowMs()),
    otherId: (draft) => `${draft.newId.slice(0, 80)}-${deps.ids.suffix(10)}`,
  };
}

/** Everything the drafts name: the commit reads it beforehand. */
function requestOf(drafts: readonly Draft[], successors: readonly string[], deps: Deps) {
  const { isolated } = deps.engine;
  const ids = new Set<string>(successors);
  const contentKeys: string[] = [];
  for (const draft of drafts) {
    const { newId, ref, externalId, supersedes, relations } = draft;
    for (const id of [newId, ref, externalId, supersedes]) if (id !== undefined) ids.add(id);
    for (const { target } of relations) ids.add(target);
    contentKeys.push(...keysOf(draft, visibleAgents(deps), isolated));
  }
  return { ids: [...ids], contentKeys, actor: deps.scope.actor };
}

/** The content in each place it may come to lie in: a known id may be that of a shared memory. */
function keysOf(draft: Draft, agents: View['agents'], isolated: boolean): string[] {
  const { project, ref } = draft;
  const { body } = draft.given;
  if (body === undefined) return [];
  const own = drawerOf(draft, isolated);
  if (ref === undefined) return [contentKey(project, own, body)];
  const drawers = isolated && agents !== 'all' ? new Set([own, ...agents]) : [own];
  return [...new Set([project, GLOBAL_PROJECT])].flatMap((name) =>
    [...drawers].map((drawer) => contentKey(name, drawer, body)),
  );
}

/** The first memory of a repository gives it its name in this store, in the same transaction. */
async function projectNaming(
  drafts: readonly Draft[],
  { scope }: Deps,
  project: string,
): Promise<(state: CommitState) => Change | undefined> {
  const { repository } = scope;
  if (!repository || !drafts.some((draft) => draft.project === project)) return () => undefined;
  const key = await repository.ensureKey();
  return (state) => {
    const naming = namingOf({ ...repository, key }, state.projects);
    if (!naming || naming.data.name === project) return naming;
    throw new LociError(
      'busy',
      `another repository was named ${project} in this store just now`,
      'Nothing was changed. Try again.',
    );
  };
}
