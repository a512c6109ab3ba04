import type { RecordKind } from '../domain/record.ts';
import type { CommitState, Decision } from '../domain/change.ts';
import type { EmbeddingModel } from '../domain/embedding.ts';
import type { Citation } from '../domain/graph/citations.ts';
import type { View } from '../domain/view.ts';
import type {
  CommitRequest,
  Committed,
  Engine,
  KeywordRequest,
  NearestRequest,
  SelectRequest,
  TaggedRequest,
  TokenCount,
  VectorRow,
} from '../ports/engine.ts';
import type { ReindexOptions, ReplayOptions } from '../ports/log-life.ts';
import type { EngineHarness, EngineOptions } from './engine-harness.ts';

/**
 * The same stores, closed and opened again between every change and whatever is asked next: what
 * the contract promises must not live in the memory of a process.
 */
export function reopening(harness: EngineHarness): EngineHarness {
  return {
    ...harness,
    open: async (options) => new ReopeningEngine(await harness.open(options), harness, options),
    async reopen(engine, options) {
      const inner = await (engine as ReopeningEngine).settled();
      const opened = await requireReopen(harness)(inner, options);
      return new ReopeningEngine(opened, harness, options);
    },
  };
}

function requireReopen({ reopen }: EngineHarness): NonNullable<EngineHarness['reopen']> {
  if (!reopen) throw new Error('this store ends with its engine');
  return reopen;
}

class ReopeningEngine implements Engine {
  readonly #harness: EngineHarness;
  readonly #options: EngineOptions;
  readonly #changes = new Set<Promise<unknown>>();
  #inner: Engine;
  #reopened: Promise<void> | undefined;
  #changed = false;

  constructor(inner: Engine, harness: EngineHarness, options: EngineOptions) {
    this.#inner = inner;
    this.#harness = harness;
    this.#options = options;
  }

  get kind(): string {
    return this.#inner.kind;
  }

  get location(): string {
    return this.#inner.location;
  }

  get isolated(): boolean {
    return this.#inner.isolated;
  }

  /** The engine behind, when nothing is under way and the store has been opened anew. */
  async settled(): Promise<Engine> {
    await Promise.allSettled(this.#changes);
    if (this.#changed) this.#reopened ??= this.#reopen();
    await this.#reopened;
    return this.#inner;
  }

  async #reopen(): Promise<void> {
    this.#changed = false;
    this.#inner = await requireReopen(this.#harness)(this.#inner, this.#options);
    this.#reopened = undefined;
  }

  async #change<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
    await this.#reopened;
    this.#changed = true;
    const change = work(this.#inner);
    this.#changes.add(change);
    try {
      return await change;
    } finally {
      this.#changes.delete(change);
    }
  }

  commit<T>(
    request: CommitRequest,
    decide: (state: CommitState) => Decision<T>,
  ): Promise<Committed<T>> {
    return this.#change((engine) => engine.commit(request, decide));
  }

  putTokens(counts: readonly TokenCount[]): Promise<void> {
    return this.#change((engine) => engine.putTokens(counts));
  }

  putPage(name: string, text: string): ReturnType<Engine['putPage']> {
    return this.#change((engine) => engine.putPage(name, text));
  }

  async note(name: string): ReturnType<Engine['note']> {
    return (await this.settled()).note(name);
  }

  putNote(name: string, text: string): Promise<void> {
    return this.#change((engine) => engine.putNote(name, text));
  }

  reindex(options?: ReindexOptions): ReturnType<Engine['reindex']> {
    return this.#change((engine) => engine.reindex(options));
  }

  replay(options?: ReplayOptions): ReturnType<Engine['replay']> {
    return this.#change((engine) => engine.replay(options));
  }

  merge(...args: Parameters<Engine['merge']>): ReturnType<Engine['merge']> {
    return this.#change((engine) => engine.merge(...args));
  }

  compact(actor: string): ReturnType<Engine['compact']> {
    return this.#change((engine) => engine.compact(actor));
  }

  purge(ids: readonly string[], actor: string): ReturnType<Engine['purge']> {
    return this.#change((engine) => engine.purge(ids, actor));
  }

  putEvidence(bytes: Uint8Array): Promise<string> {
    return this.#change((engine) => engine.putEvidence(bytes));
  }

  async evidence(sha256: string): ReturnType<Engine['evidence']> {
    return (await this.settled()).evidence(sha256);
  }

  async get(refs: readonly string[], view: View): ReturnType<Engine['get']> {
    return (await this.settled()).get(refs, view);
  }

  async select(request: SelectRequest): ReturnType<Engine['select']> {
    return (await this.settled()).select(request);
  }

  async keyword(request: KeywordRequest): ReturnType<Engine['keyword']> {
    return (await this.settled()).keyword(request);
  }

  async nearest(request: NearestRequest): ReturnType<Engine['nearest']> {
    return (await this.settled()).nearest(request);
  }

  async pendingVectors(model: string, limit: number): ReturnType<Engine['pendingVectors']> {
    return (await this.settled()).pendingVectors(model, limit);
  }

  putVectors(model: EmbeddingModel, rows: readonly VectorRow[]): Promise<void> {
    return this.#change((engine) => engine.putVectors(model, rows));
  }

  async vectorCounts(model: string, view?: View): ReturnType<Engine['vectorCounts']> {
    return (await this.settled()).vectorCounts(model, view);
  }

  async vectorsOf(model: string, keys: readonly string[]): ReturnType<Engine['vectorsOf']> {
    return (await this.settled()).vectorsOf(model, keys);
  }

  async vectorModels(): ReturnType<Engine['vectorModels']> {
    return (await this.settled()).vectorModels();
  }

  dropVectors(models: readonly string[]): Promise<void> {
    return this.#change((engine) => engine.dropVectors(models));
  }

  async edges(ids: readonly string[], view: View): ReturnType<Engine['edges']> {
    return (await this.settled()).edges(ids, view);
  }

  async tagged(request: TaggedRequest): ReturnType<Engine['tagged']> {
    return (await this.settled()).tagged(request);
  }

  putCitations(view: View, citations: readonly Citation[]): Promise<void> {
    return this.#change((engine) => engine.putCitations(view, citations));
  }

  async citationCounts(ids: readonly string[], view: View): ReturnType<Engine['citationCounts']> {
    return (await this.settled()).citationCounts(ids, view);
  }

  async history(id: string): ReturnType<Engine['history']> {
    return (await this.settled()).history(id);
  }

  async eventsNamed(ref: string): ReturnType<Engine['eventsNamed']> {
    return (await this.settled()).eventsNamed(ref);
  }

  async records(kind: RecordKind, view: View): ReturnType<Engine['records']> {
    return (await this.settled()).records(kind, view);
  }

  async events(after: number, limit: number): ReturnType<Engine['events']> {
    return (await this.settled()).events(after, limit);
  }

  async feed(after: number, limit: number): ReturnType<Engine['feed']> {
    return (await this.settled()).feed(after, limit);
  }

  async head(): ReturnType<Engine['head']> {
    return (await this.settled()).head();
  }

  async stats(view: View): ReturnType<Engine['stats']> {
    return (await this.settled()).stats(view);
  }

  async about(): ReturnType<Engine['about']> {
    return (await this.settled()).about();
  }

  async projects(): ReturnType<Engine['projects']> {
    return (await this.settled()).projects();
  }

  async findings(): ReturnType<Engine['findings']> {
    return (await this.settled()).findings();
  }

  async verify(): ReturnType<Engine['verify']> {
    return (await this.settled()).verify();
  }

  async close(): Promise<void> {
    await (await this.settled()).close();
  }
}
