import { existsSync, rmSync, statSync } from 'node:fs';
import { sha256 } from '../../domain/hash.ts';
import type { StoredMemory } from '../../domain/memory.ts';
import { CREW_PAYS_FROM, FileCrew } from './file-crew.ts';
import { FileWork, type Placed } from './file-work.mjs';
import { dropFile, fileAt, fileOf, putFile, type FileRecord } from './files-table.ts';
import { inVault } from './layout.ts';
import { loadParser } from './markdown.ts';
import type { Vault } from './vault.ts';
import { placeOf, readDiskFile, render, storedById } from './work-files.ts';

export interface Filed {
  readonly written: string[];
  /** Ids whose files could not be written: that is done later. */
  readonly failed: string[];
  readonly warnings: string[];
}

/** A file that is to show a memory. */
interface Staged {
  readonly stored: StoredMemory;
  readonly record: FileRecord | undefined;
  /** Below the vault. */
  readonly path: string;
  readonly text: string;
  /** Where its text waits to be renamed into place; absent when the file shows it already. */
  readonly temporary?: string;
}

/** Files handed to the crew at a time. */
const CHUNK = 500;

/** Files on their way into their places. */
interface Moving {
  readonly staged: readonly Staged[];
  /** Of those that have a temporary file, in the same order. */
  readonly placed: Promise<readonly Placed[]>;
}

/**
 * Lets the files of memories follow the state, in two steps around the sync of the log: `stageAll`
 * writes texts under temporary names while the disk is busy, `place` renames them when the change
 * is durable; of a large change, that begins while the rest is still staged. Runs in the index
 * transaction. What somebody changed meanwhile is not written over but looked at later, unless it is
 * to be rewritten.
 */
export class Filing {
  readonly #vault: Vault;
  readonly #rewrite: ReadonlySet<string>;
  readonly #isForced: boolean;
  /** Places that files of other names are on their way to. */
  readonly #targets = new Set<string>();
  /** By id. */
  readonly #staged = new Map<string, Staged>();
  readonly #gone = new Set<string>();
  /** Ids of `#moving`. */
  readonly #early = new Set<string>();
  #moving: Moving[] = [];
  readonly #filed: Filed = { written: [], failed: [], warnings: [] };
  readonly #writing: Promise<void>[] = [];
  readonly #work = new FileWork();
  #crew: FileCrew | undefined;

  /**
   * @param rewrite ids whose files are written, though nothing of them changes
   * @param isForced whatever they hold by now
   */
  constructor(vault: Vault, rewrite: ReadonlySet<string>, isForced = true) {
    this.#vault = vault;
    this.#rewrite = rewrite;
    this.#isForced = isForced;
  }

  /**
   * Stages a change, a large one part by part; once it is durable, the files of a part go their way.
   * @param parts brings the index up to each part when it is asked for
   */
  async stageAll(
    parts: Iterable<ReadonlyMap<string, StoredMemory | undefined>>,
    isDurable: () => boolean,
  ): Promise<void> {
    let count = 0;
    for (const touched of parts) {
      // What the disk confirmed meanwhile is heard of only in another turn of the event loop.
      if (count++ > 0) await new Promise((resolve) => setImmediate(resolve));
      if (isDurable()) this.#placeSoon();
      await this.#stage(touched);
    }
    await this.#stageRewrites();
  }

  async #stage(touched: ReadonlyMap<string, StoredMemory | undefined>): Promise<void> {
    if (touched.size >= CREW_PAYS_FROM && !this.#crew) this.#callCrew();
    let chunk: { path: string; text: string }[] = [];
    for (const [id, stored] of touched) {
      // What is known of its file has to be right before it is compared with it again.
      if (this.#early.has(id)) await this.#settle();
      this.#staged.delete(id);
      this.#gone.delete(id);
      if (!stored) {
        this.#gone.add(id);
        continue;
      }
      if (stored.front !== undefined) await loadParser();
      try {
        const file = this.#prepare(stored);
        if (!file.temporary || !this.#crew) continue;
        chunk.push({ path: file.temporary, text: file.text });
        if (chunk.length < CHUNK) continue;
        this.#hand(chunk);
        chunk = [];
      } catch (error) {
        this.#fail(id, error);
      }
    }
    if (chunk.length > 0) this.#hand(chunk);
  }

  /** It places only what it wrote: what was staged without it is written once more. */
  #callCrew(): void {
    this.#crew = new FileCrew();
    const files = [...this.#staged.values()].flatMap(({ temporary, text }) =>
      temporary === undefined ? [] : [{ path: temporary, text }],
    );
    if (files.length > 0) this.#hand(files);
  }

  /** Stages the files of memories that do not change. */
  async #stageRewrites(): Promise<void> {
    const { database } = this.#vault.index.store;
    const wanted = new Map<string, StoredMemory | undefined>();
    for (const id of this.#rewrite) {
      if (!this.#staged.has(id)) wanted.set(id, storedById(database, id));
    }
    await this.#stage(wanted);
  }

  #hand(files: readonly { path: string; text: string }[]): void {
    const writing = (this.#crew as FileCrew).write(files);
    // Whether they could be written is looked at in `place`.
    writing.catch(() => undefined);
    this.#writing.push(writing);
  }

  /** Lets the crew place what has been staged so far. The change must be durable. */
  #placeSoon(): void {
    if (!this.#crew || this.#staged.size === 0) return;
    for (const id of this.#staged.keys()) this.#early.add(id);
    this.#move();
    this.#staged.clear();
  }

  async place(): Promise<Filed> {
    try {
      this.#move();
      await this.#settle();
      for (const id of this.#gone) this.#remove(id);
    } catch (error) {
      for (const { stored } of this.#staged.values()) this.#fail(stored.memory.id, error);
    } finally {
      await this.#crew?.close();
    }
    return this.#filed;
  }

  /** Renames what is staged into place; a crew goes on with it by itself. */
  #move(): void {
    const staged = [...this.#staged.values()].filter((one) => this.#isUntouched(one));
    const moves = staged.flatMap(({ stored, record, temporary, path }) => {
      if (temporary === undefined) return [];
      const { root } = this.#vault;
      const isForced = this.#isForcedFor(stored.memory.id);
      const isNew = record ? record.path !== path : !isForced;
      const known =
        record && !isForced ? { ...record, path: inVault(root, record.path) } : undefined;
      return [{ from: temporary, to: inVault(root, path), isNew, known }];
    });
    const placed = this.#crew?.place(moves) ?? Promise.resolve(this.#work.place(moves));
    // Whether it failed is looked at in `settle`.
    placed.catch(() => undefined);
    this.#moving.push({ staged, placed });
  }

  /** Waits for what is on its way, and notes what became of it. */
  async #settle(): Promise<void> {
    const moving = this.#moving;
    this.#moving = [];
    this.#early.clear();
    for (const { staged, placed } of moving) {
      try {
        const facts = await placed;
        let next = 0;
        for (const one of staged) {
          this.#note(one, one.temporary === undefined ? undefined : facts[next++]);
        }
      } catch (error) {
        for (const { stored } of staged) this.#fail(stored.memory.id, error);
      }
    }
  }

  /** Takes back what was staged: the change did not become durable. */
  async discard(): Promise<void> {
    await Promise.allSettled([...this.#writing, ...this.#moving.map(({ placed }) => placed)]);
    await this.#crew?.close();
    for (const { temporary } of this.#staged.values())
      if (temporary) rmSync(temporary, { force: true });
  }

  #prepare(stored: StoredMemory): Staged {
    const { root, index } = this.#vault;
    const { id } = stored.memory;
    const record = fileOf(index.store.database, id);
    const text = render(stored);
    const wanted = placeOf(stored, record, this.#vault.isolated);
    const path = this.#freePlace(wanted, { id, record, text });
    const shows = record !== undefined && readDiskFile(root, path)?.text === text;
    const temporary = shows ? {} : { temporary: inVault(root, `.loci-tmp-${id}`) };
    const staged = { stored, record, path, text, ...temporary };
    if (staged.temporary !== undefined && !this.#crew) {
      this.#work.write([{ path: staged.temporary, text }]);
    }
    this.#staged.set(id, staged);
    return staged;
  }

  /**
   * A file that goes to another folder goes where none lies, since people give several one name; or where
   * it lies already, because whoever brought it there died.
   */
  #freePlace(
    wanted: string,
    { id, record, text }: { id: string; record: FileRecord | undefined; text: string },
  ): string {
    if (!record || record.path === wanted) return wanted;
    const { root, index } = this.#vault;
    const folder = wanted.slice(0, wanted.lastIndexOf('/'));
    for (let n = 0; ; n++) {
      const path = n === 0 ? wanted : `${folder}/${id}${n === 1 ? '' : `-${n}`}.md`;
      const holder = fileAt(index.store.database, path);
      if ((holder && holder.id !== id) || this.#targets.has(path)) continue;
      if (existsSync(inVault(root, path)) && readDiskFile(root, path)?.text !== text) continue;
      this.#targets.add(path);
      return path;
    }
  }

  #isForcedFor(id: string): boolean {
    return this.#isForced && this.#rewrite.has(id);
  }

  /** What somebody changed while the disk was busy is left as it is: it is looked at later. */
  #isUntouched({ stored, record, temporary }: Staged): boolean {
    const { id } = stored.memory;
    if (!record || this.#isForcedFor(id)) return true;
    if (!wasTouched(this.#vault.root, record)) return true;
    if (temporary !== undefined) rmSync(temporary, { force: true });
    this.#filed.written.push(id);
    return false;
  }

  #note({ stored, record, path, text }: Staged, placed: Placed | undefined): void {
    const { root, index } = this.#vault;
    const { memory, heads } = stored;
    if (placed && 'error' in placed) return this.#fail(memory.id, placed.error);
    if (placed && 'isTaken' in placed) {
      // One that has to go elsewhere is tried again; else what lies there is looked at.
      const isMove = record !== undefined && record.path !== path;
      this.#filed[isMove ? 'failed' : 'written'].push(memory.id);
      return;
    }
    this.#filed.written.push(memory.id);
    const { database } = index.store;
    if (record && record.path !== path) {
      rmSync(inVault(root, record.path), { force: true });
      dropFile(database, record.path);
    }
    const { size, mtimeMs } = placed ?? statSync(inVault(root, path));
    const hash = placed?.hash ?? sha256(text);
    putFile(database, { path, id: memory.id, hash, heads, size, mtimeMs });
  }

  /** The file of a memory that is no more, such as a conflict that was settled. */
  #remove(id: string): void {
    const { root, index } = this.#vault;
    const { database } = index.store;
    const record = fileOf(database, id);
    this.#filed.written.push(id);
    if (!record) return;
    if (readDiskFile(root, record.path)?.hash === record.hash) {
      rmSync(inVault(root, record.path), { force: true });
    }
    dropFile(database, record.path);
  }

  #fail(id: string, error: unknown): void {
    this.#filed.failed.push(id);
    if (this.#filed.warnings.length > 0) return;
    const reason = error instanceof Error ? error.message : String(error);
    this.#filed.warnings.push(`stored, but a file could not be written yet: ${reason}`);
  }
}

function wasTouched(root: string, record: FileRecord): boolean {
  const stat = statSync(inVault(root, record.path), { throwIfNoEntry: false });
  if (!stat) return false;
  if (stat.size === record.size && stat.mtimeMs === record.mtimeMs) return false;
  return readDiskFile(root, record.path)?.hash !== record.hash;
}
