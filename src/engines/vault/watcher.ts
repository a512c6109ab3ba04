import { watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';
import { AGENTS, FOLDERS, SHARED } from './layout.ts';
import { drawersOf } from './work-files.ts';

const POLL_MS = 5000;

/**
 * Tells which files of a vault may have changed, while a process stays open. Where the system
 * cannot watch (no more watches, a network file system), everything is looked at now and then.
 */
export class VaultWatcher {
  readonly #root: string;
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #paths = new Set<string>();
  readonly #onChange: () => void;
  readonly #quietMs: number;
  #all = false;
  #timer: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  #lastMs = -Infinity;

  /**
   * @param onChange called when nothing has changed for `quietMs`
   */
  constructor(root: string, quietMs: number, isolated: boolean, onChange: () => void) {
    this.#root = root;
    this.#quietMs = quietMs;
    this.#onChange = onChange;
    // A folder that was removed and made again is another one.
    this.#watch('', (name) => {
      if (isolated && (name === AGENTS || name === SHARED)) this.#watchDrawers();
      else if ((FOLDERS as readonly string[]).includes(name)) this.#watchFolder(name);
      else return;
      this.#missedSome();
    });
    for (const folder of FOLDERS) this.#watchFolder(folder);
    if (isolated) this.#watchDrawers();
  }

  /**
   * The paths that may have changed, once, or `all` when nothing is known of which; undefined until
   * they have been quiet long enough.
   */
  take(): readonly string[] | 'all' | undefined {
    if (performance.now() - this.#lastMs < this.#quietMs) return undefined;
    const paths = this.#all ? 'all' : [...this.#paths];
    this.#all = false;
    this.#paths.clear();
    return paths.length === 0 ? undefined : paths;
  }

  /** Gives paths back that could not be looked at: they are taken again a little later. */
  putBack(paths: readonly string[] | 'all'): void {
    if (paths === 'all') this.#all = true;
    else for (const path of paths) this.#paths.add(path);
    this.#wait();
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    clearTimeout(this.#timer);
    clearInterval(this.#poll);
  }

  /** What happened before a folder was watched is not told. */
  #missedSome(): void {
    this.#all = true;
    this.#wait();
  }

  /** The folders of every drawer, and what tells of new ones. */
  #watchDrawers(): void {
    this.#watch(AGENTS, () => {
      this.#watchDrawers();
      this.#missedSome();
    });
    for (const drawer of drawersOf(this.#root)) {
      this.#watch(drawer.slice(0, -1), (name) => {
        if (!(FOLDERS as readonly string[]).includes(name)) return;
        this.#watchFolder(drawer + name);
        this.#missedSome();
      });
      for (const folder of FOLDERS) this.#watchFolder(drawer + folder);
    }
  }

  #watchFolder(folder: string): void {
    this.#watch(folder, (name) => {
      if (!name.endsWith('.md')) return;
      this.#paths.add(`${folder}/${name}`);
      this.#wait();
    });
  }

  #watch(folder: string, notice: (name: string) => void): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
    try {
      const watcher = watch(join(this.#root, folder), { persistent: false }, (_event, name) => {
        if (name !== null) notice(name);
      });
      watcher.on('error', () => this.#fallBack());
      this.#watchers.set(folder, watcher);
    } catch (error) {
      // One that is not there is told of by the folder above when it is made.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#fallBack();
    }
  }

  #wait(): void {
    this.#lastMs = performance.now();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onChange, this.#quietMs + 5);
    this.#timer.unref();
  }

  #fallBack(): void {
    this.#poll ??= setInterval(() => {
      this.#all = true;
      this.#onChange();
    }, POLL_MS).unref();
  }
}
