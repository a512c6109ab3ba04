import { singleSteps, type Step } from '../domain/decide/steps.ts';
import { isLive } from '../domain/lifecycle.ts';
import type { Memory } from '../domain/memory.ts';

/** Memories as they were read, and as the steps planned so far leave them. */
export class Plan {
  readonly steps: Step[] = [];
  readonly #memories: Map<string, Memory>;

  constructor(memories: Iterable<Memory>) {
    this.#memories = new Map([...memories].map((memory) => [memory.id, memory]));
  }

  get(id: string): Memory | undefined {
    return this.#memories.get(id);
  }

  /** Takes in what was read later, unless it is known already. */
  know(memories: Iterable<Memory>): void {
    for (const memory of memories) {
      if (!this.#memories.has(memory.id)) this.#memories.set(memory.id, memory);
    }
  }

  take(step: Step): void {
    this.steps.push(step);
    for (const { after } of singleSteps([step])) this.#memories.set(after.id, after);
  }

  /** Everything that is live by now, in order of id. */
  live(): readonly Memory[] {
    const live = [...this.#memories.values()].filter(({ status }) => isLive(status));
    return live.sort((a, b) => (a.id < b.id ? -1 : 1));
  }
}
