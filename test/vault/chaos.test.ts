import { appendFileSync, copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMIT_STEPS, type CommitStep } from '../../src/engines/vault/vault.ts';
import type { Engine } from '../../src/ports/engine.ts';
import { seededRandom } from '../../src/domain/random.ts';
import { figure, rounds, SOAK_TIMEOUT_MS } from './soak.ts';
import {
  change,
  close,
  complaints,
  expectSound,
  fact,
  freshRoot,
  INDEX,
  LOCK,
  LOG,
  memories,
  memory,
  open,
  put,
  read,
  write,
} from './support.ts';

const FOLDERS = ['ENTITIES', 'ARCHIVE'] as const;

/** Three processes, a person in an editor, and accidents, in a random order. */
class Story {
  readonly #random: () => number;
  readonly #root = freshRoot();
  readonly #engines: Engine[] = [];
  /** Bodies and statuses as they have to be, by id. */
  readonly #model = new Map<string, { body: string; status: string }>();
  /** What has happened so far. */
  readonly told: string[] = [];
  #count = 0;
  /** The step at which the next commit fails. */
  #failsAt: CommitStep | undefined;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  async run(steps: number): Promise<void> {
    for (let i = 0; i < 3; i++) this.#engines.push(await this.#open());
    for (let i = 0; i < steps; i++) await this.#step();
    await this.#settle();
  }

  #open(): Promise<Engine> {
    return open(this.#root, {
      onStep: (step) => {
        if (step !== this.#failsAt) return;
        this.#failsAt = undefined;
        throw new Error('failed on purpose');
      },
    });
  }

  async #step(): Promise<void> {
    const actions: [string, () => Promise<void> | void][] = [
      ['store', () => this.#store()],
      ['store', () => this.#store()],
      ['change', () => this.#change()],
      ['change', () => this.#change()],
      ['archive', () => this.#archive()],
      ['stumble', () => this.#stumble()],
      ['stumble', () => this.#stumble()],
      ['edit', () => this.#edit()],
      ['rename', () => this.#rename()],
      ['remove', () => this.#remove()],
      ['reopen', () => this.#reopen()],
      ['index', () => this.#lose(INDEX)],
      ['index and journal', () => this.#lose(INDEX, `${INDEX}-wal`, `${INDEX}-shm`)],
      ['journal', () => this.#lose(`${INDEX}-wal`)],
      ['lock', () => this.#lose(LOCK)],
      ['local', () => this.#lose('.loci-local.json')],
      ['torn', () => appendFileSync(join(this.#root, LOG), '{"v":3,"id":"0')],
      ['log copied', () => this.#copyLog()],
      ['reindex', async () => void (await this.#engine().reindex())],
      ['settle', () => this.#settle()],
    ];
    const [name, action] = this.#pick(actions);
    this.told.push(name);
    await action();
  }

  async #store(): Promise<void> {
    this.#count += 1;
    const id = `FACT-NUMBER-${this.#count}`;
    const body = `Text ${this.#count}`;
    await put(this.#engine(), fact(`NUMBER-${this.#count}`, { body }));
    this.#model.set(id, { body, status: 'active' });
  }

  async #change(): Promise<void> {
    const id = this.#anyId();
    if (!id) return;
    this.#count += 1;
    const body = `Text ${this.#count}`;
    await change(this.#engine(), id, { body });
    this.#model.set(id, { ...this.#known(id), body });
  }

  async #archive(): Promise<void> {
    const id = this.#anyId();
    if (!id) return;
    const status = this.#known(id).status === 'active' ? 'archived' : 'active';
    await change(this.#engine(), id, { status });
    this.#model.set(id, { ...this.#known(id), status });
  }

  /** A change that fails at some step: it is made or it is not. */
  async #stumble(): Promise<void> {
    const id = this.#anyId();
    if (!id) return;
    this.#count += 1;
    const body = `Text ${this.#count}`;
    const before = this.#known(id).body;
    const engine = this.#engine();
    this.#failsAt = this.#pick(COMMIT_STEPS);
    await expectToFail(change(engine, id, { body }));
    await engine.reindex();
    const after = (await memory(engine, id)).body;
    if (after !== before && after !== body) throw new Error(`${id} is neither: ${after}`);
    this.#model.set(id, { ...this.#known(id), body: after });
  }

  #edit(): void {
    const id = this.#anyId();
    const path = id && this.#pathOf(id);
    if (!path) return;
    this.#count += 1;
    const body = `Text ${this.#count}`;
    const { body: before } = this.#known(id);
    const text = read(this.#root, path);
    if (!text.includes(`\n${before}\n`)) return;
    write(this.#root, path, text.replace(`\n${before}\n`, `\n${body}\n`));
    this.#model.set(id, { ...this.#known(id), body });
  }

  #rename(): void {
    const id = this.#anyId();
    const path = id && this.#pathOf(id);
    if (!path) return;
    renameSync(join(this.#root, path), join(this.#root, path.replace('.md', '-x.md')));
  }

  async #remove(): Promise<void> {
    // What is removed while nobody knows of it yet says nothing.
    await this.#settle();
    const id = this.#anyId();
    const path = id && this.#pathOf(id);
    if (!path || path.startsWith('ARCHIVE')) return;
    rmSync(join(this.#root, path));
    this.#model.set(id, { ...this.#known(id), status: 'archived' });
    await this.#engine().reindex();
  }

  async #reopen(): Promise<void> {
    const i = Math.floor(this.#random() * this.#engines.length);
    await close(this.#engines[i] as Engine);
    this.#engines[i] = await this.#open();
  }

  #lose(...names: string[]): void {
    for (const name of names) rmSync(join(this.#root, name), { force: true });
  }

  #copyLog(): void {
    copyFileSync(join(this.#root, LOG), join(this.#root, 'copy'));
    renameSync(join(this.#root, 'copy'), join(this.#root, LOG));
  }

  /** All that people did is taken up: every engine has to say the same, and the right thing. */
  async #settle(): Promise<void> {
    await this.#engine().reindex();
    const right = [...this.#model].map(([id, fields]) => ({ id, ...fields }));
    for (const engine of [...this.#engines, await open(this.#root)])
      await expectHeld(engine, right);
  }

  #engine(): Engine {
    return this.#pick(this.#engines);
  }

  #anyId(): string {
    return this.#model.size === 0 ? '' : this.#pick([...this.#model.keys()]);
  }

  #known(id: string): { body: string; status: string } {
    return this.#model.get(id) as { body: string; status: string };
  }

  #pathOf(id: string): string | undefined {
    const names = ['', '-x', '-x-x', '-x-x-x'].map((ending) => `${id}${ending}.md`);
    const paths = FOLDERS.flatMap((folder) => names.map((name) => `${folder}/${name}`));
    return paths.find((path) => existsSync(join(this.#root, path)));
  }

  #pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.#random() * items.length)] as T;
  }
}

interface Held {
  readonly id: string;
  readonly body: string;
  readonly status: string;
}

async function expectHeld(engine: Engine, right: readonly Held[]): Promise<void> {
  const held = (await memories(engine)).map(({ id, body, status }) => ({ id, body, status }));
  expect(held.sort(byId)).toEqual([...right].sort(byId));
  expect(await complaints(engine)).toEqual([]);
  await expectSound(engine);
}

async function expectToFail(attempt: Promise<unknown>): Promise<void> {
  await expect(attempt).rejects.toThrow('failed on purpose');
}

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1;
}

test(
  '[B11] [B12] whatever happens in whatever order, what was acknowledged or typed is there',
  async () => {
    const stories = rounds(6, 150);
    for (let seed = 1; seed <= stories; seed++) {
      const story = new Story(seed);
      await story.run(40).catch((error: unknown) => {
        throw new Error(`story ${seed}: ${story.told.join(', ')}`, { cause: error });
      });
    }
    figure(`${stories} random stories of 40 steps`, 'nothing lost');
  },
  SOAK_TIMEOUT_MS,
);
