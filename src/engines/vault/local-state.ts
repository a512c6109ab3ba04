import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import { homeOf } from '../shared/home.ts';
import { LOCAL } from './layout.ts';

/** What a vault is on this machine; never in git. */
export interface LocalState {
  readonly replica: string;
  /** Changes whenever positions of the feed lose their meaning. */
  readonly epoch: string;
  /** Host and real path it belongs to. */
  readonly home: string;
}

interface Sources {
  readonly clock: Clock;
  readonly ids: Ids;
}

/** What was noted before; undefined for a copy that woke up somewhere else. */
export function knownLocalState(root: string): LocalState | undefined {
  const known = parse(join(root, LOCAL));
  return known?.home === homeOf(root) ? known : undefined;
}

/** Reads it, or makes a new one: for a new vault, and for a copy. */
export function readLocalState(root: string, sources: Sources): LocalState {
  return knownLocalState(root) ?? renewLocalState(root, sources);
}

/** Becomes a new replica: sequence numbers of the old one may have been given out already. */
export function renewLocalState(root: string, { clock, ids }: Sources): LocalState {
  const nowMs = clock.nowMs();
  return write(root, { replica: ids.ulid(nowMs), epoch: ids.ulid(nowMs), home: homeOf(root) });
}

/** Stays the same replica, whose feed begins anew: its events have other positions now. */
export function renewEpoch(root: string, sources: Sources): LocalState {
  const { clock, ids } = sources;
  return write(root, { ...readLocalState(root, sources), epoch: ids.ulid(clock.nowMs()) });
}

function write(root: string, state: LocalState): LocalState {
  const temporary = join(root, `.loci-tmp-${state.epoch}`);
  writeFileSync(temporary, `${JSON.stringify(state, null, 2)}\n`);
  renameSync(temporary, join(root, LOCAL));
  return state;
}

function parse(path: string): LocalState | undefined {
  try {
    const state = JSON.parse(readFileSync(path, 'utf8')) as Partial<LocalState>;
    const { replica, epoch, home } = state;
    if (typeof replica !== 'string' || typeof epoch !== 'string') return undefined;
    return typeof home === 'string' ? { replica, epoch, home } : undefined;
  } catch {
    return undefined;
  }
}
