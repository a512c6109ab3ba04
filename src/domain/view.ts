import { GLOBAL_PROJECT, type Status, type Tier } from './lifecycle.ts';
import { endsAtMs, startsAtMs, type Memory } from './memory.ts';
import { matchesGlob } from './glob.ts';

/**
 * What a caller may see: a set of projects and of drawers. `'all'` sees every one; a drawer is an
 * agent's id, '' the shared one. Applied inside the engine, before anything is counted or cut.
 */
export interface View {
  readonly projects: readonly string[] | 'all';
  readonly agents: readonly string[] | 'all';
}

export const VIEW_ALL: View = { projects: 'all', agents: 'all' };

/** A project sees its own memories and the global ones. */
export function projectView(project: string, agents: View['agents'] = 'all'): View {
  const projects = project === GLOBAL_PROJECT ? [GLOBAL_PROJECT] : [project, GLOBAL_PROJECT];
  return { projects, agents };
}

export function sees(view: View, memory: Pick<Memory, 'project' | 'agent'>): boolean {
  if (view.projects !== 'all' && !view.projects.includes(memory.project)) return false;
  return view.agents === 'all' || view.agents.includes(memory.agent ?? '');
}

/** Which memories of a view a read wants; every criterion given must hold. */
export interface Filter {
  readonly ids?: readonly string[];
  readonly types?: readonly string[];
  /** Types that are left out. */
  readonly notTypes?: readonly string[];
  readonly tiers?: readonly Tier[];
  readonly statuses?: readonly Status[];
  /** All of them must be there. */
  readonly tags?: readonly string[];
  /** A glob that one of the memory's paths must match. */
  readonly paths?: string;
  readonly sources?: readonly string[];
  readonly sessionId?: string;
  /** Lower-case names of an entity: linked to it under any of them. */
  readonly entityNames?: readonly string[];
  readonly minConfidence?: number;
  /** Created at or after this instant (ms). */
  readonly sinceMs?: number;
  /** Created before this instant (ms): windows are half-open. */
  readonly untilMs?: number;
  /** Holds at this instant (ms): validity interval and time to live. Absent = do not ask. */
  readonly validAtMs?: number;
  /** Has stopped holding at or before this instant (ms): by its validity interval or time to live. */
  readonly endedByMs?: number;
  /**
   * What was believed at this instant (ms): created by then and valid then; `statuses` are asked of
   * the status of then (`statusAt`).
   */
  readonly asOfMs?: number;
}

/** The pure meaning of a filter; every engine answers as if it had asked this of each memory. */
export function passes(filter: Filter, memory: Memory): boolean {
  const { ids, types, notTypes, tiers, statuses, sources } = filter;
  if (ids && !ids.includes(memory.id)) return false;
  if (types && !types.includes(memory.type)) return false;
  if (notTypes?.includes(memory.type)) return false;
  if (tiers && !tiers.includes(memory.tier)) return false;
  if (sources && !sources.includes(memory.source)) return false;
  if (filter.sessionId !== undefined && memory.session_id !== filter.sessionId) return false;
  if (filter.minConfidence !== undefined && memory.confidence < filter.minConfidence) return false;
  if (filter.tags && !filter.tags.every((tag) => memory.tags.includes(tag))) return false;
  const { paths, entityNames } = filter;
  if (paths !== undefined && !memory.paths.some((path) => matchesGlob(paths, path))) return false;
  if (entityNames && !memory.entities.some((e) => entityNames.includes(e.name.toLowerCase()))) {
    return false;
  }
  const { asOfMs } = filter;
  const status = asOfMs === undefined ? memory.status : statusAt(memory, asOfMs);
  if (statuses && !statuses.includes(status)) return false;
  return passesTime(filter, memory);
}

function passesTime(filter: Filter, memory: Memory): boolean {
  const { sinceMs, untilMs, validAtMs, endedByMs, asOfMs } = filter;
  if (endedByMs !== undefined && endsAtMs(memory) > endedByMs) return false;
  if (sinceMs !== undefined || untilMs !== undefined || asOfMs !== undefined) {
    const created = Date.parse(memory.created_at);
    if (sinceMs !== undefined && created < sinceMs) return false;
    if (untilMs !== undefined && created >= untilMs) return false;
    if (asOfMs !== undefined && (created > asOfMs || !holdsAt(memory, asOfMs))) return false;
  }
  return validAtMs === undefined || holdsAt(memory, validAtMs);
}

/** Half-open: from `valid_from` on, until just before the end. */
function holdsAt(memory: Memory, instantMs: number): boolean {
  return startsAtMs(memory) <= instantMs && instantMs < endsAtMs(memory);
}

/**
 * The status of a memory at an instant, as far as its fields tell. It was current until its
 * successor came, and until the change that archived it, which is at the latest its last one. What
 * was rejected was wrong before somebody said so. A draft that was accepted later counts as active.
 */
function statusAt(
  { status, superseded_at, updated_at }: Pick<Memory, 'status' | 'superseded_at' | 'updated_at'>,
  instantMs: number,
): Status {
  if (status === 'rejected') return status;
  if (status === 'archived' && Date.parse(updated_at) <= instantMs) return status;
  if (superseded_at !== undefined && Date.parse(superseded_at) <= instantMs) return 'superseded';
  if (status === 'archived') return 'active';
  return status === 'superseded' && superseded_at !== undefined ? 'active' : status;
}
