import { nameOfRepository } from '../domain/project.ts';
import type { Moment } from '../domain/time-expression.ts';
import { projectView, VIEW_ALL, type View } from '../domain/view.ts';
import { UTC } from '../domain/zone.ts';
import type { Deps } from './deps.ts';

/** The readable name of the current project; see `domain/project`. */
export async function currentProject({ engine, scope }: Deps): Promise<string> {
  if (!scope.repository) return scope.project;
  return nameOfRepository(scope.repository, await engine.projects());
}

/** The drawers that the current agent sees: its own and the shared one, when agents are isolated. */
export function visibleAgents({ engine, scope }: Deps): View['agents'] {
  if (!engine.isolated) return 'all';
  return scope.agent === undefined ? [''] : [scope.agent, ''];
}

/** What the caller may see. */
export async function currentView(deps: Deps, allProjects = false): Promise<View> {
  if (deps.scope.view) return deps.scope.view;
  const agents = visibleAgents(deps);
  if (allProjects) return { ...VIEW_ALL, agents };
  return projectView(await currentProject(deps), agents);
}

/** What upkeep may change on the caller's behalf: its own project only, never the global one beside it. */
export async function confinedView(deps: Deps): Promise<View> {
  return { projects: [await currentProject(deps)], agents: visibleAgents(deps) };
}

/** When and in which zone the caller speaks; a call may name another zone. */
export function momentOf({ clock, scope }: Pick<Deps, 'clock' | 'scope'>, zone?: string): Moment {
  return { nowMs: clock.nowMs(), zone: zone ?? scope.zone ?? UTC };
}
