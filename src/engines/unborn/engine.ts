import type { CommitState, Decision } from '../../domain/change.ts';
import type { CommitRequest, Committed, Engine, EngineAbout, Stats } from '../../ports/engine.ts';
import type { View } from '../../domain/view.ts';

export interface UnbornOptions {
  readonly kind: string;
  readonly location: string;
  readonly isolated: boolean;
  /** An engine that holds nothing; it answers until there is a store. */
  readonly empty: Engine;
  /** Whether the store is there by now: another process may have made it. */
  readonly exists: () => boolean;
  /** Makes the store and opens it. */
  readonly open: () => Promise<Engine>;
  /** Name and version of the library that it would be opened with. */
  readonly driver: () => Promise<string>;
}

/**
 * A store that was named and is not there yet. Looking does not make it: reads answer as an empty
 * store does, and the first write makes the real one, which takes over.
 */
export function unbornEngine(options: UnbornOptions): Engine {
  const { kind, location, isolated, empty, exists, open, driver } = options;
  let real: Promise<Engine> | undefined;
  const born = (): Promise<Engine> => {
    real ??= open().catch((error: unknown) => {
      real = undefined;
      throw error;
    });
    return real;
  };
  const current = (): Promise<Engine> => {
    return real !== undefined || exists() ? born() : Promise.resolve(empty);
  };
  return {
    kind,
    location,
    isolated,
    async commit<T>(
      request: CommitRequest,
      decide: (state: CommitState) => Decision<T>,
    ): Promise<Committed<T>> {
      return (await born()).commit(request, decide);
    },
    get: async (refs, view) => (await current()).get(refs, view),
    select: async (request) => (await current()).select(request),
    keyword: async (request) => (await current()).keyword(request),
    nearest: async (request) => (await current()).nearest(request),
    pendingVectors: async (model, limit) => (await current()).pendingVectors(model, limit),
    putVectors: async (model, rows) => (await current()).putVectors(model, rows),
    vectorCounts: async (model, view) => (await current()).vectorCounts(model, view),
    vectorsOf: async (model, keys) => (await current()).vectorsOf(model, keys),
    vectorModels: async () => (await current()).vectorModels(),
    dropVectors: async (models) => (await current()).dropVectors(models),
    edges: async (ids, view) => (await current()).edges(ids, view),
    tagged: async (request) => (await current()).tagged(request),
    putCitations: async (view, citations) => (await current()).putCitations(view, citations),
    citationCounts: async (ids, view) => (await current()).citationCounts(ids, view),
    history: async (id) => (await current()).history(id),
    eventsNamed: async (ref) => (await current()).eventsNamed(ref),
    records: async (recordKind, view) => (await current()).records(recordKind, view),
    events: async (after, limit) => (await current()).events(after, limit),
    feed: async (after, limit) => (await current()).feed(after, limit),
    head: async () => (await current()).head(),
    async stats(view: View): Promise<Stats> {
      const engine = await current();
      const stats = await engine.stats(view);
      return engine === empty ? { ...stats, index: 'not made yet' } : stats;
    },
    async about(): Promise<EngineAbout> {
      const engine = await current();
      return engine === empty
        ? { driver: await driver(), schema: null, place: null }
        : engine.about();
    },
    projects: async () => (await current()).projects(),
    findings: async () => (await current()).findings(),
    putTokens: async (counts) => (await current()).putTokens(counts),
    putPage: async (name, text) => (await current()).putPage(name, text),
    note: async (name) => (await current()).note(name),
    putNote: async (name, text) => (await current()).putNote(name, text),
    verify: async () => (await current()).verify(),
    reindex: async (request) => (await current()).reindex(request),
    replay: async (request) => (await current()).replay(request),
    merge: async (events, request) =>
      (await (request?.dryRun ? current() : born())).merge(events, request),
    compact: async (actor) => (await current()).compact(actor),
    purge: async (ids, actor) => (await current()).purge(ids, actor),
    putEvidence: async (bytes) => (await born()).putEvidence(bytes),
    evidence: async (sha256) => (await current()).evidence(sha256),
    close: async () => (await (real ?? Promise.resolve(empty))).close(),
  };
}
