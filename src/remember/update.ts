import { decideUpdate } from '../domain/decide/update.ts';
import { contentKey, drawerOf } from '../domain/identity.ts';
import type { Memory } from '../domain/memory.ts';
import type { UpdateOptions } from '../domain/inputs.ts';
import { updateOptions } from '../domain/options.ts';
import type { ChangeResult } from '../domain/results.ts';
import { toIso } from '../domain/time.ts';
import type { Deps } from '../ports/deps.ts';
import { currentCode, currentProject, currentView, momentOf } from '../ports/scope.ts';
import { citesOf } from './cites.ts';
import { subjectsOf } from './counted.ts';
import { definite } from './definite.ts';
import { fieldsOf, relationsOf } from './gate.ts';
import { keepEvidence } from './keep-evidence.ts';
import { parseClean } from '../domain/parse-clean.ts';
import { successorsOf } from './successors.ts';

/** Changes fields of one memory: gate → decide → commit. */
export async function update(options: UpdateOptions, deps: Deps): Promise<ChangeResult> {
  const kept = await keepEvidence(options, deps);
  const { fields, redacted } = parseClean(updateOptions, kept, 'update', deps.secrets);
  const parsed = definite(fields, momentOf(deps));
  const given = fieldsOf(parsed);
  const view = await currentView(deps);
  const relations = relationsOf(parsed.relations);
  const request = {
    id: options.id,
    given,
    by: deps.scope.source,
    relations,
    ...(parsed.supersedes === undefined ? {} : { supersedes: parsed.supersedes }),
    ...(parsed.externalId === undefined ? {} : { externalId: parsed.externalId }),
    ...(parsed.expectVersion === undefined ? {} : { expectVersion: parsed.expectVersion }),
    ...(parsed.reason ? { reason: parsed.reason } : {}),
  };
  const { engine, clock } = deps;
  const [target] = await engine.get([options.id], view);
  const cited = await citesOf({ body: given.body, named: parsed.cites }, async () => {
    const isOwn = target?.memory.project === (await currentProject(deps));
    return isOwn ? currentCode(deps) : undefined;
  });
  const keys = target && given.body !== undefined ? [given.body] : [];
  const replaced = [options.id, parsed.supersedes, ...relations.map((r) => r.target)];
  const successors = await successorsOf(replaced, view, engine);
  const context = { view, isolated: engine.isolated, now: toIso(clock.nowMs()) };
  const { result, events } = await engine.commit(
    {
      ids: [
        options.id,
        parsed.supersedes ?? target?.memory.supersedes ?? options.id,
        ...relations.map((r) => r.target),
        ...successors,
      ],
      contentKeys: keys.flatMap((body) => keysFor(target?.memory, body, engine.isolated)),
      actor: deps.scope.actor,
    },
    (state) =>
      decideUpdate(state, { ...request, ...(cited.given ? { cites: cited.given } : {}) }, context),
  );
  deps.backlog?.add(subjectsOf(events));
  deps.vectors?.nudge();
  return {
    ...result,
    ...(redacted.length > 0 ? { redacted } : {}),
    ...(cited.notes.length > 0 ? { warnings: cited.notes } : {}),
  };
}

/** The content the memory would hold afterwards: in its project, in its drawer. */
function keysFor(memory: Memory | undefined, body: string, isolated: boolean): string[] {
  if (!memory) return [];
  return [contentKey(memory.project, drawerOf(memory, isolated), body)];
}
