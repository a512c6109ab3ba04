import type { Decision } from '../../src/domain/change.ts';
import { decideStatus } from '../../src/domain/decide/change-status.ts';
import type { Draft } from '../../src/domain/decide/draft.ts';
import { decideRelate } from '../../src/domain/decide/relate.ts';
import { decideRemember } from '../../src/domain/decide/remember.ts';
import { decideUpdate, type UpdateRequest } from '../../src/domain/decide/update.ts';
import { likenessKeysOf } from '../../src/domain/hygiene/likeness-keys.ts';
import { contentKey, drawerOf } from '../../src/domain/identity.ts';
import { isLive } from '../../src/domain/lifecycle.ts';
import type { Memory, StoredMemory } from '../../src/domain/memory.ts';
import type { ChangeResult, Receipt } from '../../src/domain/results.ts';
import type { Edge } from '../../src/domain/relation.ts';
import { projectView, type View } from '../../src/domain/view.ts';
import { memoryOf } from '../../src/testing/memories.ts';

/** A store as decisions see it, in a few lines: it holds memories and applies what is decided. */
export class Board {
  readonly memories = new Map<string, Memory>();
  readonly conflicts = new Map<string, string>();
  readonly isolated: boolean;
  #drafts = 0;

  constructor(memories: readonly (Partial<Memory> & { id: string })[] = [], isolated = false) {
    this.isolated = isolated;
    for (const memory of memories) this.memories.set(memory.id, memoryOf(memory));
  }

  /** Status and body by id, in order of id. */
  get shown(): Record<string, string> {
    const sorted = [...this.memories.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    return Object.fromEntries(sorted.map(({ id, status, body }) => [id, `${status}: ${body}`]));
  }

  memory(id: string): Memory {
    return this.memories.get(id) as Memory;
  }

  draft(body: string | undefined, more: Partial<Draft> = {}): Draft {
    this.#drafts += 1;
    return {
      line: 0,
      project: 'global',
      newId: `FACT-NEW-${this.#drafts}`,
      relations: [],
      redacted: [],
      ...more,
      given: { ...(body === undefined ? {} : { body }), ...more.given },
      defaults: {
        type: 'fact',
        tier: 'project-context',
        status: 'active',
        confidence: 0.8,
        classification: 'TEAM',
        source: 'owner',
        observed: 'stated',
        created_at: '2026-03-10T00:00:00.000Z',
        ...more.defaults,
      },
    };
  }

  remember(...drafts: readonly Draft[]): readonly Receipt[] {
    return this.#apply(
      decideRemember(this.#state(), drafts, {
        viewOf: ({ project }) => projectView(project),
        isolated: this.isolated,
        now: '2026-03-10T00:00:00.000Z',
        otherId: ({ newId }) => `${newId}-OTHER`,
      }),
    );
  }

  update(id: string, request: Partial<UpdateRequest>, view?: View): ChangeResult {
    const full = { id, given: {}, relations: [], ...request };
    return this.#apply(decideUpdate(this.#state(), full, this.#context(view)));
  }

  status(id: string, to: 'archived' | 'active' | 'rejected', reason?: string): ChangeResult {
    const request = { id, to, ...(reason ? { reason } : {}) };
    return this.#apply(decideStatus(this.#state(), request, this.#context()));
  }

  relate(source: string, type: string, target: string, confidence = 1): readonly Edge[] {
    const request = { source, type, target, confidence };
    return this.#apply(decideRelate(this.#state(), request, this.#context()));
  }

  #context(view: View = projectView('global')) {
    return { view, isolated: this.isolated, now: '2026-03-10T00:00:00.000Z' };
  }

  #apply<T>({ changes, result }: Decision<T>): T {
    for (const { data } of changes) this.memories.set((data as Memory).id, data as Memory);
    return result;
  }

  #state() {
    const all = [...this.memories.values()];
    const keyOf = (memory: Memory): string =>
      contentKey(memory.project, drawerOf(memory, this.isolated), memory.body);
    return {
      get: (id: string) => {
        const memory = this.memories.get(id);
        return memory && stored(memory);
      },
      byExternalId: (id: string) =>
        all.filter((memory) => memory.external_ids.includes(id)).map(stored),
      byContent: (key: string) => all.filter((memory) => keyOf(memory) === key).map(stored),
      alike: (key: number) =>
        all
          .filter((memory) => isLive(memory.status))
          .filter((memory) => likenessKeysOf(memory, this.isolated).includes(key))
          .map(stored),
      projects: [],
      record: () => undefined,
      purged: () => false,
      conflictSubject: (id: string) => this.conflicts.get(id),
    };
  }
}

function stored(memory: Memory): StoredMemory {
  return { memory, version: 1, heads: [`E-${memory.id}`] };
}

/** The code, message and hint of what is thrown. */
export function errorOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    const { code, message, hint } = error as { code: string; message: string; hint?: string };
    return `${code}: ${message}${hint ? ` (${hint})` : ''}`;
  }
  return 'nothing was thrown';
}
