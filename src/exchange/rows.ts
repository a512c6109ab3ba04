import {
  fingerprintOf,
  passagesKey,
  passagesOf,
  type EmbeddingModel,
} from '../domain/embedding.ts';
import { LociError } from '../domain/errors.ts';
import { isMemoryEvent, type LogEvent } from '../domain/event.ts';
import type { View } from '../domain/view.ts';
import type { Engine, VectorRow } from '../ports/engine.ts';

/** Events read at a time: enough that a transaction of that size stays whole in memory. */
const EVENTS = 2000;
/** Memories whose vectors are read at a time. */
const MEMORIES = 500;

/**
 * The first events of a log, some at a time. While a log is only added to, they are one state of the
 * store, whoever writes meanwhile.
 * @param count how many
 * @throws LociError conflict when history was dropped from it meanwhile
 */
export async function* eventPages(
  engine: Engine,
  count: number,
): AsyncIterable<readonly LogEvent[]> {
  let position = 0;
  for (let read = 0; read < count;) {
    const page = await engine.feed(position, Math.min(EVENTS, count - read));
    if (page.events.length === 0) {
      throw new LociError(
        'conflict',
        `the log of ${engine.location} was compacted while it was read`,
        'Do it again.',
      );
    }
    yield page.events;
    read += page.events.length;
    position = page.position;
  }
}

/** The blobs that events name, by hash. */
export function evidenceNamed(events: readonly LogEvent[]): readonly string[] {
  return events.filter(isMemoryEvent).flatMap(({ data }) => data.evidence);
}

export interface VectorPage {
  readonly model: EmbeddingModel;
  readonly rows: readonly VectorRow[];
}

/** The vectors of every model for the memories of a view, each text once. */
export async function* vectorPages(engine: Engine, view: View): AsyncIterable<VectorPage> {
  for (const model of await engine.vectorModels()) {
    const fingerprint = fingerprintOf(model);
    const seen = new Set<string>();
    for await (const page of keyPages(engine, view)) {
      const keys = page.filter((key) => !seen.has(key));
      for (const key of keys) seen.add(key);
      const rows = await engine.vectorsOf(fingerprint, keys);
      if (rows.length > 0) yield { model, rows };
    }
  }
}

async function* keyPages(engine: Engine, view: View): AsyncIterable<readonly string[]> {
  let after: { value: string; id: string } | undefined;
  const order = { sort: 'id', descending: false, limit: MEMORIES } as const;
  for (;;) {
    const { rows } = await engine.select({ view, filter: {}, ...order, ...(after && { after }) });
    yield [...new Set(rows.map(({ memory }) => passagesKey(passagesOf(memory))))];
    const last = rows.at(-1)?.memory.id;
    if (last === undefined || rows.length < MEMORIES) return;
    after = { value: last, id: last };
  }
}
