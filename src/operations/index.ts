import { context } from './context.ts';
import { entities, entity } from './entities.ts';
import { gc } from './gc.ts';
import { get } from './get.ts';
import { backup, copy, exportVerb, importVerb, restoreBackup } from './moving.ts';
import type { Audience, Operation } from './operation.ts';
import { recallDocs } from './recall-docs.ts';
import { recall } from './recall.ts';
import { reEmbed, reindex, replay, verify } from './rebuild.ts';
import { reindexDocs } from './reindex-docs.ts';
import { relate, relations } from './relations.ts';
import { remember } from './remember.ts';
import { search } from './search.ts';
import { share, unshare } from './sharing.ts';
import { status } from './status.ts';
import { archive, forget, reject, restore } from './status-changes.ts';
import { update } from './update.ts';

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
  share,
  unshare,
  entity,
  entities,
  recallDocs,
  gc,
  status,
  verify,
  reindex,
  reEmbed,
  replay,
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
