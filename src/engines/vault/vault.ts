import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LociError } from '../../domain/errors.ts';
import type { Finding } from '../../domain/finding.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Progress } from '../../ports/log-life.ts';
import type { Ids } from '../../ports/ids.ts';
import { Turns } from '../shared/turns.ts';
import { isDamage, type Driver } from '../sqlite/drivers/driver.ts';
import { beginImmediate, rollBack } from '../sqlite/lock.ts';
import { readPositions } from '../sqlite/reader.ts';
import { catchUp } from './catch-up.ts';
import { changedFiles } from './changed-files.ts';
import { readCleanLog } from './clean-log.ts';
import { Filing } from './filing.ts';
import { allFiles, dropUnwritten, putUnwritten, type FileRecord } from './files-table.ts';
import { gitGuard, type GitGuard } from './git-guard.ts';
import { FOLDERS, INITIAL_FILES, LOCK, LOG, SHARED, TORN } from './layout.ts';
import {
  knownLocalState,
  readLocalState,
  renewEpoch,
  renewLocalState,
  type LocalState,
} from './local-state.ts';
import { LogFile, NOTHING_READ, type LogMark, type LogPart } from './log-file.ts';
import { noteBoot, unsyncedSince } from './power-loss.ts';
import { reconcile, type Reconciled } from './reconcile.ts';
import { Survey } from './survey.ts';
import { takeUpFiles } from './take-up.ts';
import { Transaction } from './transaction.ts';
import { INDEX_DAMAGED, VaultIndex, type IndexOptions } from './vault-index.ts';
import { VaultLock } from './vault-lock.ts';

export interface VaultOptions {
  /** Absolute. */
  readonly path: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly isolated?: boolean;
  /** Milliseconds a write waits for other processes. */
  readonly lockDeadlineMs?: number;
  readonly driver?: Driver;
  /** Notice edits while open: for long-running processes. */
  readonly watch?: boolean;
  /** Called after each step of a commit, or of a log written anew; a test may die or throw here. */
  readonly onStep?: (step: CommitStep) => void;
}

export const COMMIT_STEPS = ['locked', 'decided', 'appended', 'filed', 'indexed'] as const;
/** Steps of writing the log anew: it is in its place, and what lies beside it follows. */
export const REWRITE_STEPS = ['rewritten', 'cleared'] as const;
export type CommitStep = (typeof COMMIT_STEPS | typeof REWRITE_STEPS)[number];

/**
 * A vault on disk: its lock, log, index and files, and the steps that keep them in line. Every
 * method that writes runs inside `locked`.
 */
export class Vault {
  readonly root: string;
  readonly options: VaultOptions;
  readonly log: LogFile;
  readonly git: GitGuard | undefined;
  /** By path of the file, '' for the vault as a whole. */
  readonly findings = new Map<string, Finding>();
  /** Files that could not be read, with the time of their last change. */
  readonly problems = new Map<string, number>();
  /** What could not be removed of memories that were purged. */
  readonly purgeWarnings: string[] = [];
  /** After the machine went down: files written since may not be as they were left. */
  unsyncedSinceMs: number | undefined;
  readonly #lock: VaultLock;
  readonly #turns = new Turns();
  readonly #indexOptions: IndexOptions;
  #index: VaultIndex | undefined;
  #local: LocalState | undefined;

  constructor(options: VaultOptions, driver: Driver) {
    this.root = options.path;
    this.options = options;
    this.log = new LogFile(join(this.root, LOG));
    this.git = existsSync(this.root) ? gitGuard(this.root) : undefined;
    this.#lock = new VaultLock(driver, join(this.root, LOCK), this.root);
    const { isolated = false, clock } = options;
    const nowMs = (): number => clock.nowMs();
    const onDamage = (): void => void this.findings.set('index', INDEX_DAMAGED);
    this.#indexOptions = { driver, root: this.root, isolated, nowMs, onDamage };
  }

  get index(): VaultIndex {
    return this.#index as VaultIndex;
  }

  /** Whether there is an index to read from. */
  get isOpen(): boolean {
    return this.#index !== undefined;
  }

  /** Whether each agent has a drawer of its own. */
  get isolated(): boolean {
    return this.options.isolated ?? false;
  }

  get local(): LocalState {
    return this.#local as LocalState;
  }

  /** Makes what is missing of a vault, takes up what the log says, and is ready. */
  async open(): Promise<void> {
    if (this.#openAsItIs()) {
      if (!this.isFresh()) await this.lockedIfFree(() => this.catchUp());
      return;
    }
    mkdirSync(this.root, { recursive: true });
    await this.locked(async () => {
      this.#create();
      this.#local = knownLocalState(this.root);
      this.openIndex();
      this.unsyncedSinceMs = unsyncedSince(this.index.store);
      await this.catchUp();
      if (this.unsyncedSinceMs !== undefined) {
        await this.takeUp(changedFiles(this));
        this.unsyncedSinceMs = undefined;
      }
      noteBoot(this.index.store);
    });
  }

  /** A vault that has everything it needs is opened without its lock: somebody may be writing. */
  #openAsItIs(): boolean {
    if (!existsSync(join(this.root, LOCK)) || !this.log.stat()) return false;
    this.#local = knownLocalState(this.root);
    if (!this.#local) return false;
    this.#index = VaultIndex.openIfUsable(this.#indexOptions);
    return this.#index !== undefined && unsyncedSince(this.#index.store) === undefined;
  }

  /** Runs work while no other process, and nothing else of this one, writes. */
  locked<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.take(async () => {
      await this.git?.untilFree();
      await this.#lock.acquire(this.options.lockDeadlineMs);
      return this.#whileHeld(work);
    });
  }

  /** Like `locked`, but gives up at once when somebody else is writing. */
  async lockedIfFree<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (!this.#turns.idle || this.git?.busy()) return undefined;
    return this.#turns.take(async () => {
      return this.#lock.tryAcquire() ? this.#whileHeld(work) : undefined;
    });
  }

  async #whileHeld<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      this.#lock.release();
    }
  }

  /** Whether index and log are where they were left, as far as a look at the files tells. */
  isFresh(): boolean {
    return this.#index?.isCurrent() === true && this.log.endsAt(this.index.mark);
  }

  /** Brings index and files up to the log, whoever wrote it. */
  catchUp(): Promise<void> {
    return catchUp(this);
  }

  /** Looks at files and takes up what people did to them. Returns the number of events. */
  takeUp(paths: readonly string[], options?: { acceptDeletions?: boolean }): Promise<number> {
    return takeUpFiles(this, paths, options);
  }

  /**
   * Applies changes in one transaction: index, one append with its sync, files. After the append
   * it is durable; what fails from there on is a warning, and whoever comes next finishes it.
   * While the disk confirms the append, the index is brought up to it and files are staged.
   * @param work decides inside the index transaction; what it throws changes nothing
   * @param rewrite ids whose files are written, though nothing of them changes
   * @param isForced whatever they hold by now
   */
  async transact<T>(
    work: (transaction: Transaction) => Promise<T>,
    rewrite: ReadonlySet<string> = new Set(),
    isForced = true,
  ): Promise<{ result: T; warnings: readonly string[] }> {
    const { store } = this.index;
    const { database } = store;
    const transaction = new Transaction(this);
    await beginImmediate(database, this.root, this.options.lockDeadlineMs);
    const filing = new Filing(this, rewrite, isForced);
    try {
      const result = await work(transaction);
      this.step('decided');
      let isDurable = false;
      const appended = this.#append(transaction.lines).then((mark) => {
        isDurable = mark !== undefined;
        return mark;
      });
      const staged = filing.stageAll(transaction.apply(), () => isDurable);
      const [mark, ready] = await Promise.allSettled([appended, staged]);
      if (mark.status === 'rejected') throw mark.reason;
      if (ready.status === 'rejected') {
        // Durable, but not in the index: with nothing appended that is a plain failure.
        if (mark.value === undefined) throw ready.reason;
        rollBack(database);
        await filing.discard();
        return { result, warnings: [lagging(ready.reason)] };
      }
      if (mark.value) this.index.mark = mark.value;
      this.step('appended');
      return { result, warnings: await this.#finish(filing) };
    } catch (error) {
      rollBack(database);
      await filing.discard();
      throw error;
    }
  }

  async #append(lines: readonly string[]): Promise<LogMark | undefined> {
    if (lines.length === 0) return undefined;
    this.requireLog();
    return this.log.append(lines, this.index.mark);
  }

  /** Files, then the index; the change is durable already. */
  async #finish(filing: Filing): Promise<string[]> {
    const { database } = this.index.store;
    const { written, failed, warnings } = await filing.place();
    dropUnwritten(database, written);
    putUnwritten(database, failed);
    this.step('filed');
    try {
      database.exec('COMMIT');
    } catch (error) {
      rollBack(database);
      warnings.push(lagging(error));
    }
    this.step('indexed');
    return warnings;
  }

  /** Writes the files of these memories, but for those that somebody changed. Returns how many. */
  async writeFiles(ids: Iterable<string>): Promise<number> {
    const wanted = new Set(ids);
    if (wanted.size > 0) await this.transact(async () => undefined, wanted, false);
    return wanted.size;
  }

  /** Opens the index anew if it is not the file that was opened, and builds it if need be. */
  openIndex(): void {
    const before = this.#index;
    if (before?.isCurrent()) return;
    // Two journals of one database contradict each other: only the log is to be trusted then.
    const contradictory = before?.lostItsJournal() === true && this.log.stat() !== undefined;
    this.#closeIndex();
    this.#index = contradictory ? undefined : VaultIndex.openIfUsable(this.#indexOptions);
    if (this.#index) {
      // Whoever replaced it may have begun a new replica.
      if (before || !this.#local) this.#local = readLocalState(this.root, this.options);
      return;
    }
    this.#buildIndex();
    // Nobody knows whether later numbers of this replica were in a log that is not there any more.
    this.renew();
  }

  /** Builds the index again from the log, and learns anew what the files show. */
  async rebuildIndex(
    progress?: Progress,
    options?: { readonly restore?: boolean },
  ): Promise<Reconciled> {
    this.#local ??= readLocalState(this.root, this.options);
    const known = this.#knownFiles();
    const positions = this.#positions();
    this.#closeIndex();
    const survey = new Survey(this.root, this.isolated);
    try {
      this.#buildIndex(progress);
      if (!this.#keepsPositions(positions)) this.#local = renewEpoch(this.root, this.options);
      return await reconcile(this, { ...options, known, survey });
    } finally {
      await survey.close();
    }
  }

  /** What the index knows of the files, as far as it can be read. */
  #knownFiles(): FileRecord[] {
    try {
      return this.#index ? allFiles(this.#index.store.database) : [];
    } catch {
      return [];
    }
  }

  /** Where events stand in the feed, as far as the index can be read. */
  #positions(): ReadonlyMap<number, string> {
    try {
      return this.#index ? readPositions(this.#index.store.database) : new Map();
    } catch {
      return new Map();
    }
  }

  /** Whether a reader of the feed can go on from where it was. */
  #keepsPositions(before: ReadonlyMap<number, string>): boolean {
    const now = readPositions(this.index.store.database);
    return [...before].every(([position, id]) => now.get(position) === id);
  }

  #buildIndex(progress?: Progress): void {
    const part = readCleanLog(this);
    const mark = this.log.stat() ? this.mend(part) : NOTHING_READ;
    this.#index = VaultIndex.build(this.#indexOptions, { ...part, mark }, progress);
    noteBoot(this.#index.store);
  }

  #closeIndex(): void {
    this.#index?.close();
    this.#index = undefined;
  }

  /** Becomes a new replica. */
  renew(): void {
    this.#local = renewLocalState(this.root, this.options);
  }

  /** @throws LociError corrupt when the log is gone: the index is the only record then */
  requireLog(): void {
    const finding = this.findings.get(LOG);
    if (finding) throw new LociError('corrupt', finding.message, finding.hint);
  }

  /** Puts the events that the index knows back into a log that is gone. */
  async restoreLog(): Promise<void> {
    const pages = [...this.index.store.eventPages(2000)];
    await this.log.restore(pages.flat().map((event) => JSON.stringify(event)));
    this.findings.delete(LOG);
  }

  /** Mends the end of the log after it was read. Returns the mark of its end. */
  mend({ mark, torn, foreign }: LogPart): LogMark {
    if (foreign > 0) {
      this.findings.set('foreign lines', {
        check: 'log',
        severity: 'info',
        message: `${LOG} holds ${foreign} lines that are no events of this version; they are kept`,
      });
    }
    return this.log.mend(mark, torn, join(this.root, TORN));
  }

  async close(): Promise<void> {
    await this.#turns.take(async () => undefined);
    this.#closeIndex();
    this.#lock.close();
    this.log.close();
  }

  step(step: CommitStep): void {
    this.options.onStep?.(step);
  }

  #create(): void {
    // Folders of a vault that is there are not made again: that one is missing says something.
    if (!this.log.stat()) {
      const drawer = this.isolated ? SHARED : '';
      for (const folder of FOLDERS) mkdirSync(join(this.root, drawer, folder), { recursive: true });
    }
    for (const [name, text] of Object.entries(INITIAL_FILES)) {
      const path = join(this.root, name);
      if (!existsSync(path)) writeFileSync(path, text);
    }
  }
}

function lagging(error: unknown): string {
  return `stored, but the index lags behind: ${(error as Error).message}`;
}

/** Whether an error says that the index cannot be trusted any more. */
export function isIndexDamage(error: unknown): boolean {
  return isDamage(error) || isDamage((error as { cause?: unknown }).cause ?? {});
}
