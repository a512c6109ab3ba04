import { LogSurvey } from '../domain/exchange/log-survey.ts';
import { compareEvents, isMemoryEvent, type LogEvent, type MemoryEvent } from '../domain/event.ts';
import { sha256 } from '../domain/hash.ts';
import { contentKeyOf } from '../domain/identity.ts';
import { isLive } from '../domain/lifecycle.ts';
import { purgedSubject } from '../domain/purge.ts';
import type { Engine } from '../ports/engine.ts';

/** How events of elsewhere are to be taken into a store. */
export interface EventPlan {
  /** Ids of events that the store has. */
  readonly known: ReadonlySet<string>;
  /** Memories that the store has something of. */
  readonly present: ReadonlySet<string>;
  /** New memories whose text the store holds already, or has rejected: they stay out. */
  readonly leftOut: ReadonlySet<string>;
  /** Memories that were purged, here or there: nothing of them comes back. */
  readonly purged: ReadonlySet<string>;
  /** Blobs that memories name which are taken or here. */
  readonly evidence: ReadonlySet<string>;
  /** What `Rechain` needs to chain them anew; undefined = they stand as they are. */
  readonly chainOf: string | undefined;
}

/** Events looked up together. */
const BATCH = 2000;
const KEYS = 500;

/** What a memory comes to by the events that are new. */
interface Latest {
  readonly event: Pick<LogEvent, 'hlc' | 'replica' | 'rseq'>;
  /** Undefined where its text is not current. */
  readonly contentKey: string | undefined;
}

/**
 * Finds out how events go into a store, before any of them does. Of each event only its id is kept,
 * of each memory the key of its last content.
 */
export class EventPlanner {
  readonly #engine: Engine;
  readonly #isEmpty: boolean;
  readonly #survey = new LogSurvey();
  readonly #known = new Set<string>();
  readonly #present = new Set<string>();
  readonly #latest = new Map<string, Latest>();
  readonly #subjects = new Set<string>();
  readonly #tombstones = new Set<string>();
  /** By hash of a blob: the memories that name it. */
  readonly #evidence = new Map<string, Set<string>>();
  #batch: LogEvent[] = [];
  #fresh = '';
  #isMixed = false;

  /** @param isEmpty whether the store holds nothing, so that nothing has to be looked up */
  constructor(engine: Engine, isEmpty: boolean) {
    this.#engine = engine;
    this.#isEmpty = isEmpty;
  }

  async add(event: LogEvent): Promise<void> {
    this.#survey.add(event);
    if (event.kind === 'memory.purged') this.#tombstones.add(event.subject);
    if (isMemoryEvent(event)) this.#noteNames(event);
    this.#batch.push(event);
    if (this.#batch.length >= BATCH) await this.#look();
  }

  /**
   * @param isPart whether something of the source cannot be taken
   * @param keepsTwins whether a text that the store holds under another id is taken all the same
   */
  async finish({ isPart = false, keepsTwins = false }): Promise<EventPlan> {
    await this.#look();
    const leftOut = keepsTwins ? new Set<string>() : await this.#taken();
    const purged = await this.#purged();
    const evidence = new Set<string>();
    for (const [blob, subjects] of this.#evidence) {
      const isNamed = [...subjects].some((id) => !leftOut.has(id) && !purged.has(id));
      if (isNamed) evidence.add(blob);
    }
    const isWhole = this.#survey.isWhole && !this.#isMixed && !isPart && leftOut.size === 0;
    const chainOf = isWhole ? undefined : sha256(this.#fresh);
    return { known: this.#known, present: this.#present, leftOut, purged, evidence, chainOf };
  }

  #noteNames({ subject, data }: MemoryEvent): void {
    this.#subjects.add(subject);
    for (const blob of data.evidence) {
      const subjects = this.#evidence.get(blob);
      if (subjects) subjects.add(subject);
      else this.#evidence.set(blob, new Set([subject]));
    }
  }

  /** Of the memories that come, those that were purged. */
  async #purged(): Promise<Set<string>> {
    const here = this.#isEmpty ? new Set<string>() : await this.#purgedHere();
    return new Set(
      [...this.#subjects].filter((id) => here.has(id) || this.#tombstones.has(purgedSubject(id))),
    );
  }

  async #purgedHere(): Promise<ReadonlySet<string>> {
    const coming = [...this.#subjects].filter((id) => !this.#present.has(id));
    const purged = new Set<string>();
    for (let at = 0; at < coming.length; at += KEYS) {
      const ids = coming.slice(at, at + KEYS);
      // Nothing is changed: this is how an engine tells what was purged.
      const { result } = await this.#engine.commit(
        { ids, contentKeys: [], actor: 'import' },
        (state) => ({ changes: [], result: ids.filter((id) => state.purged(id)) }),
      );
      for (const id of result) purged.add(id);
    }
    return purged;
  }

  async #look(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    if (!this.#isEmpty) await this.#findKnown(batch);
    for (const event of batch) {
      if (this.#known.has(event.id)) continue;
      // The same events get the same chain, whichever store they are taken into.
      this.#fresh = sha256(this.#fresh + event.id);
      if (!this.#isEmpty && isMemoryEvent(event)) this.#note(event);
    }
  }

  async #findKnown(batch: readonly LogEvent[]): Promise<void> {
    const bySubject = new Map<string, LogEvent[]>();
    for (const event of batch) {
      const events = bySubject.get(event.subject);
      if (events) events.push(event);
      else bySubject.set(event.subject, [event]);
    }
    for (const [subject, events] of bySubject) {
      const history = await this.#engine.history(subject);
      if (history.length > 0) this.#present.add(subject);
      const replicas = new Map(history.map(({ id, replica }) => [id, replica]));
      const folded = new Set(history.flatMap(({ folds = [] }) => folds));
      for (const { id, replica } of events) {
        const known = replicas.get(id);
        if (known !== undefined || folded.has(id)) this.#known.add(id);
        if (known !== undefined && known !== replica) this.#isMixed = true;
      }
    }
  }

  #note(event: MemoryEvent): void {
    const { hlc, replica, rseq, subject, data } = event;
    const before = this.#latest.get(subject);
    if (before && compareEvents(before.event as LogEvent, event) > 0) return;
    const contentKey = isLive(data.status) ? contentKeyOf(data, this.#engine.isolated) : undefined;
    this.#latest.set(subject, { event: { hlc, replica, rseq }, contentKey });
  }

  /** The new memories whose text is there already. */
  async #taken(): Promise<Set<string>> {
    const taken = new Set<string>();
    const asked = [...this.#latest].filter(
      ([subject, { contentKey }]) => contentKey !== undefined && !this.#present.has(subject),
    );
    for (let at = 0; at < asked.length; at += KEYS) {
      const page = asked.slice(at, at + KEYS);
      const contentKeys = page.map(([, { contentKey }]) => contentKey as string);
      // Nothing is changed: this is how an engine tells who holds a content.
      const request = { ids: [], contentKeys, actor: 'import' };
      const { result } = await this.#engine.commit(request, (state) => ({
        changes: [],
        result: contentKeys.map((key) => {
          return state.byContent(key).some(({ memory: { id, status } }) => {
            // What comes may take the text away from who holds it now.
            const coming = this.#latest.get(id);
            if (coming) return coming.contentKey === key;
            return isLive(status) || status === 'rejected';
          });
        }),
      }));
      for (const [i, [subject]] of page.entries()) if (result[i]) taken.add(subject);
    }
    return taken;
  }
}
