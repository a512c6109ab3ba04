import type { Association } from '../domain/graph/spread.ts';
import type { Memory } from '../domain/memory.ts';
import type { Edge } from '../domain/relation.ts';
import { passes, type Filter, type View } from '../domain/view.ts';
import type { Engine, TaggedMemory } from '../ports/engine.ts';

/** A tag that more memories bear connects nothing: at the default threshold 80 of them do already. */
const MOST_BEARERS = 200;
/** Edges of one memory that are followed, the surest first. */
const MOST_EDGES = 50;

/** What a walk has read of the graph: the part around the memories that fire, and nothing else. */
export class Associations {
  readonly #engine: Engine;
  readonly #view: View;
  readonly #filter: Filter;
  readonly #relationWeight: number;
  readonly #memories = new Map<string, Memory>();
  readonly #created = new Map<string, string>();
  readonly #bearers = new Map<string, readonly TaggedMemory[]>();

  /** @param scope which memories there are, and the weight of an edge where a tag's is at most 1 */
  constructor(
    engine: Engine,
    { view, filter, relationWeight }: { view: View; filter: Filter; relationWeight: number },
  ) {
    this.#engine = engine;
    this.#view = view;
    this.#filter = filter;
    this.#relationWeight = relationWeight;
  }

  add(memories: readonly Memory[]): void {
    for (const memory of memories) {
      this.#memories.set(memory.id, memory);
      this.#created.set(memory.id, memory.created_at);
    }
  }

  memory(id: string): Memory {
    return this.#memories.get(id) as Memory;
  }

  /** ISO time at which a memory that was met came to be known. */
  createdAt(id: string): string {
    return this.#created.get(id) as string;
  }

  async load(ids: readonly string[]): Promise<void> {
    const missing = ids.filter((id) => !this.#memories.has(id));
    if (missing.length === 0) return;
    const stored = await this.#engine.get(missing, this.#view);
    this.add(stored.map(({ memory }) => memory));
  }

  /**
   * What connects these memories with others. A tag weighs less the more bear it, and an edge the more
   * edges a memory has: each by the root of their number, as attention is divided among associates (the
   * fan effect, Anderson 1974).
   */
  async of(ids: readonly string[]): Promise<Association[]> {
    await this.load(ids);
    const weights = new Map<string, Map<string, number>>(ids.map((id) => [id, new Map()]));
    const add = (from: string, to: string, weight: number): void => {
      const own = weights.get(from);
      if (own && from !== to) own.set(to, (own.get(to) ?? 0) + weight);
    };
    await this.#readTags(ids);
    for (const id of ids) {
      for (const tag of this.memory(id).tags) {
        const bearers = this.#bearers.get(tag) ?? [];
        const others = bearers.length - (bearers.some((bearer) => bearer.id === id) ? 1 : 0);
        for (const { id: other } of bearers) add(id, other, others ** -0.5);
      }
    }
    for (const { id, edges } of await this.#edgesOf(ids)) {
      for (const { source, target, confidence } of edges.slice(0, MOST_EDGES)) {
        const weight = this.#relationWeight * confidence * edges.length ** -0.5;
        add(id, source === id ? target : source, weight);
      }
    }
    return [...weights].flatMap(([from, own]) =>
      [...own].map(([to, weight]) => ({ from, to, weight })),
    );
  }

  async #readTags(ids: readonly string[]): Promise<void> {
    const all = new Set(ids.flatMap((id) => this.memory(id).tags));
    const tags = [...all].filter((tag) => !this.#bearers.has(tag));
    if (tags.length === 0) return;
    const request = { view: this.#view, filter: this.#filter, tags, most: MOST_BEARERS };
    const found = await this.#engine.tagged(request);
    for (const tag of tags) {
      const bearers = found.get(tag) ?? [];
      this.#bearers.set(tag, bearers);
      for (const { id, created_at } of bearers) this.#created.set(id, created_at);
    }
  }

  /** The edges of each memory whose other end counts, the surest first. */
  async #edgesOf(ids: readonly string[]): Promise<{ id: string; edges: Edge[] }[]> {
    const all = await this.#engine.edges(ids, this.#view);
    const own = new Map<string, Edge[]>(ids.map((id) => [id, []]));
    for (const edge of all) {
      if (edge.source === edge.target) continue;
      own.get(edge.source)?.push(edge);
      own.get(edge.target)?.push(edge);
    }
    const sorted = [...own].map(([id, edges]) => {
      return { id, edges: edges.sort((a, b) => b.confidence - a.confidence) };
    });
    await this.load(sorted.flatMap(({ edges }) => edges.slice(0, MOST_EDGES).flatMap(endsOf)));
    return sorted.map(({ id, edges }) => {
      return { id, edges: edges.filter((edge) => endsOf(edge).every((end) => this.#counts(end))) };
    });
  }

  /** A seed that was named counts, whatever it is; of what was not read nobody knows, nor has to. */
  #counts(id: string): boolean {
    const memory = this.#memories.get(id);
    return memory !== undefined && passes(this.#filter, memory);
  }
}

function endsOf({ source, target }: Edge): string[] {
  return [source, target];
}
