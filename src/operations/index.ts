import { conflicts, resolve } from './conflicts.ts';
import { bootstrap } from './bootstrap.ts';
import { compact } from './compact.ts';
import { citations } from './citations.ts';
import { closure } from './closure.ts';
import { doctor } from './doctor.ts';
import { entities, entity } from './entities.ts';
import { evidence } from './evidence.ts';
import { checkpoint, context } from './context.ts';
import { episode, episodes } from './episodes.ts';
import { gc } from './gc.ts';
import { get } from './get.ts';
import { meditate } from './meditate.ts';
import { diff, history } from './history.ts';
import { lint } from './lint.ts';
import { merge } from './merge.ts';
import { backup, copy, exportVerb, importVerb, restoreBackup } from './moving.ts';
import type { Audience, Operation } from './operation.ts';
import { purge } from './purge.ts';
import { recallDocs } from './recall-docs.ts';
import { recall } from './recall.ts';
import { reEmbed, reindex, replay, verify } from './rebuild.ts';
import { reindexDocs } from './reindex-docs.ts';
import { relate, relations, unrelate } from './relations.ts';
import { migrateRelations, relink } from './relink.ts';
import { reflect } from './reflect.ts';
import { remember } from './remember.ts';
import { review } from './review.ts';
import { runs, undo } from './runs.ts';
import { search } from './search.ts';
import { share, unshare } from './sharing.ts';
import { status } from './status.ts';
import { archive, forget, reject, restore } from './status-changes.ts';
import { wander } from './wander.ts';
import { update } from './update.ts';
import { view } from './view.ts';

/** Every verb, in the order in which surfaces list them. */
export const OPERATIONS: readonly Operation[] = [
  recall,
  remember,
  search,
  get,
  relate,
  forget,
  context,
  update,
  archive,
  restore,
  reject,
  relations,
  unrelate,
  relink,
  migrateRelations,
  citations,
  wander,
  closure,
  episode,
  episodes,
  checkpoint,
  share,
  unshare,
  entity,
  entities,
  history,
  diff,
  evidence,
  recallDocs,
  view,
  reflect,
  meditate,
  gc,
  conflicts,
  resolve,
  review,
  runs,
  undo,
  lint,
  status,
  doctor,
  verify,
  reindex,
  reEmbed,
  replay,
  merge,
  compact,
  purge,
  bootstrap,
  reindexDocs,
  exportVerb,
  importVerb,
  copy,
  backup,
  restoreBackup,
];

/** The verbs of an agent's surface: `full` holds `core`. */
export function operationsFor(surface: Exclude<Audience, 'cli'>): readonly Operation[] {
  return OPERATIONS.filter(
    ({ audience }) => audience === 'core' || (surface === 'full' && audience === 'full'),
  );
}
