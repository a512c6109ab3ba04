import type { Change, CommitState } from '../domain/change.ts';
import type { Draft } from '../domain/decide/draft.ts';
import { isComparable } from '../domain/decide/near-duplicate.ts';
import { decideRemember, type RememberContext } from '../domain/decide/remember.ts';
import { asLociError, LociError, quote } from '../domain/errors.ts';
import { likenessKeysOf } from '../domain/hygiene/likeness-keys.ts';
import { unquoted } from '../domain/hygiene/recalled-text.ts';
import { contentKey, drawerOf } from '../domain/identity.ts';
import type { MemoryInput } from '../domain/inputs.ts';
import { GLOBAL_PROJECT } from '../domain/lifecycle.ts';
import { namingOf } from '../domain/project.ts';
import type { Receipt, RememberResult } from '../domain/results.ts';
import { toIso } from '../domain/time.ts';
import { projectView, VIEW_ALL, type View } from '../domain/view.ts';
import { UTC } from '../domain/zone.ts';
import type { Deps } from '../ports/deps.ts';
import type { Progress } from '../ports/log-life.ts';
import { currentCode, currentProject, visibleAgents } from '../ports/scope.ts';
import { citesOf } from './cites.ts';
import { counted, subjectsOf } from './counted.ts';
import { admit } from './gate.ts';
import { keepEvidence } from './keep-evidence.ts';
import { withoutRecalled } from './recalled.ts';
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
  const { drafts, settled, notes } = await admitAll(input, deps, project);
  const warnings = [...deps.notices, ...notes];
  if (drafts.length === 0) return { results: settled, warnings };

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
  const results = [...committed.result, ...settled].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  return { results, warnings: [...warnings, ...committed.warnings] };
}

interface Admitted {
  readonly drafts: Draft[];
  /** Receipts of what goes no further: it was refused, or is known already. */
  readonly settled: Receipt[];
  readonly notes: string[];
}

/** Lets each item through the gate. A bad one is refused; alone, it is an error. */
async function admitAll(
  input: MemoryInput | readonly MemoryInput[],
  deps: Deps,
  project: string,
): Promise<Admitted> {
  const { engine, scope, clock, ids, secrets = 'redact' } = deps;
  const code = once(() => currentCode(deps));
  const single = !Array.isArray(input);
  const inputs = (single ? [input] : input) as readonly MemoryInput[];
  const { agent, source } = scope;
  const zone = scope.zone ?? UTC;
  const by = { source, ...(agent === undefined ? {} : { agent }) };
  const gate = { clock, ids, project, zone, secrets, ...by };
  const admitted: Admitted = { drafts: [], settled: [], notes: [] };
  for (const [i, given] of inputs.entries()) {
    const line = single ? 0 : i + 1;
    try {
      const { input: item, receipt, note: leftOut } = await withoutRecalled(given, deps, project);
      const about = leftOut === undefined ? [] : [leftOut];
      if (receipt) {
        admitted.settled.push(single ? receipt : { ...receipt, line });
        continue;
      }
      // Only where there is any: a batch of thousands would wait at each item.
      const kept = item?.evidence ? await keepEvidence(item, deps) : item;
      const { draft, notes, cites: named } = admit(kept, line, gate);
      if (engine.isolated) refuseOtherDrawer(draft, agent);
      const { body } = draft.given;
      const own = draft.project === project ? code : nowhere;
      const cited = await citesOf({ body, named }, own);
      admitted.drafts.push(cited.given ? { ...draft, cites: cited.given } : draft);
      const all = [...about, ...notes, ...cited.notes];
      admitted.notes.push(...all.map((note) => (single ? note : `line ${line}: ${note}`)));
    } catch (thrown) {
      const error = asLociError(thrown);
      if (single || error.code === 'internal') throw error;
      const reason = error.hint ? `${error.message} (${error.hint})` : error.message;
      admitted.settled.push({ id: '', outcome: 'refused', reason, line });
    }
  }
  return admitted;
}

/** A batch asks for it once. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => (answer ??= ask());
}

const nowhere = async (): Promise<undefined> => undefined;

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
  const likeness = new Set<number>();
  for (const draft of drafts) {
    const { newId, ref, externalId, supersedes, relations } = draft;
    for (const id of [newId, ref, externalId, supersedes]) if (id !== undefined) ids.add(id);
    for (const { target } of relations) ids.add(target);
    contentKeys.push(...keysOf(draft, visibleAgents(deps), isolated));
    for (const key of likenessOf(draft, isolated)) likeness.add(key);
  }
  const likenessKeys = [...likeness];
  return { ids: [...ids], contentKeys, likenessKeys, actor: deps.scope.actor };
}

/** Keys of what the text is much like; none for text that is not compared. */
function likenessOf({ project, agent, given }: Draft, isolated: boolean): readonly number[] {
  const { body } = given;
  if (body === undefined || !isComparable(given)) return [];
  return likenessKeysOf({ project, body, ...(agent === undefined ? {} : { agent }) }, isolated);
}

/** The content in each place it may come to lie in: a known id may be that of a shared memory. */
function keysOf(draft: Draft, agents: View['agents'], isolated: boolean): string[] {
  const { project, ref } = draft;
  const { body } = draft.given;
  if (body === undefined) return [];
  const own = drawerOf(draft, isolated);
  if (ref === undefined) {
    const texts = [body, unquoted(body)].filter((text) => text !== undefined);
    return texts.map((text) => contentKey(project, own, text));
  }
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
