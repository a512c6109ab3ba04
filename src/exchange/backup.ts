import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LociError } from '../domain/errors.ts';
import type { Finding } from '../domain/finding.ts';
import type {
  BackupOptions,
  BackupResult,
  RestoreBackupOptions,
  RestoreBackupResult,
} from '../domain/moving.ts';
import { backupOptions, restoreBackupOptions } from '../domain/moving-options.ts';
import { parseInput } from '../domain/parse.ts';
import { toIso } from '../domain/time.ts';
import { VIEW_ALL } from '../domain/view.ts';
import type { Deps } from '../ports/deps.ts';
import type { Engine } from '../ports/engine.ts';
import type { Progress } from '../ports/log-life.ts';
import { NO_ROWS, writeExport } from './export.ts';
import { importFile, readHeader } from './import.ts';
import { fileSink } from './sink.ts';

/** While others write, the hash is that of no position: it is looked at again this often. */
const LOOKS = 5;

/**
 * Writes everything into one file that holds the hash of the store, so that restoring it can be proved.
 * It is one state of the store, whoever writes meanwhile.
 * @throws LociError invalid_input, unavailable
 */
export async function backup(
  options: BackupOptions,
  deps: Deps,
  progress?: Progress,
): Promise<BackupResult> {
  const { out = '.' } = parseInput(backupOptions, options, 'backup');
  const path = fileFor(resolve(deps.documents.cwd, out), deps.clock.nowMs());
  const state = await settledState(deps.engine);
  const sink = fileSink(path);
  try {
    const inserted = await writeExport(sink, deps, { ...state, progress });
    await sink.finish();
    const { stateHash: state_hash, problems } = state;
    const bytes = statSync(path).size;
    return { file: path, bytes, state_hash, problems, inserted, skipped: NO_ROWS, errors: [] };
  } catch (error) {
    await sink.discard();
    throw error;
  }
}

/** In a folder each backup gets a name of its own, and names sort by time. */
function fileFor(path: string, nowMs: number): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  return join(path, `loci-backup-${toIso(nowMs).replace(/[-:.]/g, '')}.jsonl.gz`);
}

interface State {
  /** Of the first `count` events; null while somebody keeps writing. */
  readonly stateHash: string | null;
  readonly count: number;
  readonly problems: readonly Finding[];
}

async function settledState(engine: Engine): Promise<State> {
  for (let look = 1; ; look++) {
    const before = await engine.stats(VIEW_ALL);
    const { stateHash, problems } = await engine.verify();
    const { events: count } = await engine.stats(VIEW_ALL);
    if (count === before.events) return { stateHash, count, problems };
    if (look === LOOKS) return { stateHash: null, count, problems };
  }
}

/**
 * Makes a new store from a backup, or from any export of a whole store, and compares its hash with
 * the one that the file tells.
 * @throws LociError conflict where the store holds something, or is not what the file says; not_found,
 * invalid_input, unsupported, unavailable
 */
export async function restoreBackup(
  options: RestoreBackupOptions,
  deps: Deps,
  progress?: Progress,
): Promise<RestoreBackupResult> {
  const { file, to } = parseInput(restoreBackupOptions, options, 'restore-backup');
  const header = await readHeader(resolve(deps.documents.cwd, file));
  const engine = await deps.others.open(to, false);
  try {
    await requireEmpty(engine);
    const { documents } = deps;
    const taken = await importFile({ file }, { engine, documents }, progress);
    const { stateHash, problems } = await engine.verify();
    const expected = header.state_hash ?? null;
    if (expected !== null && taken.errors.length === 0 && expected !== stateHash) {
      throw new LociError(
        'conflict',
        `${engine.location} is not what ${file} says it was`,
        'Its rows are all there. Run loci verify on it, and restore an older backup beside it.',
      );
    }
    const { inserted, skipped, errors } = taken;
    const proved = expected !== null && expected === stateHash;
    const result = { to: engine.location, state_hash: stateHash, proved, problems };
    return { ...result, inserted, skipped, errors };
  } finally {
    await engine.close();
  }
}

async function requireEmpty(engine: Engine): Promise<void> {
  const { total, events } = await engine.stats(VIEW_ALL);
  if (total === 0 && events === 0) return;
  throw new LociError(
    'conflict',
    `${engine.location} holds ${total} memories already`,
    'Restore into a store that is not there yet; loci import adds a file to one that is.',
  );
}
