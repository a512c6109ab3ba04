import { chainHash, digestOf, isMemoryEvent, type LogEvent } from './event.ts';
import { passagesKey, passagesOf } from './embedding.ts';
import { sha256 } from './hash.ts';
import type { Memory } from './memory.ts';

const PREFIX = 'purged:';

/** Subject of everything that is left of a memory in the log: its id may spell out its title. */
export function purgedSubject(id: string): string {
  return PREFIX + sha256(id.toUpperCase());
}

/** Subjects of the memories that these events say were purged. */
export function purgedAmong(events: Iterable<LogEvent>): Set<string> {
  const purged = new Set<string>();
  for (const { kind, subject } of events) if (kind === 'memory.purged') purged.add(subject);
  return purged;
}

/** Whatever may be an id inside of a text, and as a whole: most words are not, and need no hash. */
const ID = /(?<![A-Za-z0-9])[A-Za-z0-9]+(?:-[A-Za-z0-9]+)+|[A-Z0-9]{8,96}/g;
const WHOLE_ID = new RegExp(`^(?:${ID.source})$`);
/** What stands where a text named the id of a memory that was purged. */
const PLACEHOLDER = '[purged]';

/**
 * An event without what was purged: of the memory itself nothing but the envelope is left, of others
 * the places go that name it. The same event when it holds nothing of the kind.
 * @param purged subjects as `purgedSubject` makes them
 */
export function scrub(event: LogEvent, purged: ReadonlySet<string>): LogEvent {
  if (purged.size === 0) return event;
  const names = (id: string): boolean => purged.has(purgedSubject(id));
  const { reason: _, front: __, tokens: ___, ...kept } = event;
  if (isMemoryEvent(event) && names(event.subject)) {
    const subject = purgedSubject(event.subject);
    return { ...kept, subject, salt: '', data: null, scrubbed: chainHash(event) };
  }
  const reason = event.reason === undefined ? undefined : withoutIds(event.reason, names);
  const front = event.front === undefined ? undefined : withoutIds(event.front, names);
  const data = withoutTraces(withoutProposed(event, names), names);
  const isClean = reason === event.reason && front === event.front && data === event.data;
  if (isClean) return event;
  return {
    ...kept,
    ...(reason === undefined ? {} : { reason }),
    digest: digestOf(event.salt, data),
    data,
    ...(front === undefined ? {} : { front }),
    scrubbed: chainHash(event),
  };
}

/** A proposal that is about a purged memory would hand what that said to another: nothing stays of it. */
function withoutProposed({ kind, data }: LogEvent, names: Names): unknown {
  if (kind !== 'proposal.recorded') return data;
  const { changes = [] } = data as unknown as { changes?: readonly unknown[] };
  return changes.some((change) => isAbout(change, names))
    ? { ...(data as object), changes: [] }
    : data;
}

/** A value, such as a memory, without what names purged memories; the same one when nothing does. */
export function withoutPurged<T>(value: T, purged: ReadonlySet<string>): T {
  if (purged.size === 0) return value;
  return withoutTraces(value, (id) => purged.has(purgedSubject(id))) as T;
}

/** Whether a text names a memory that was purged. */
export function namesPurged(text: string, purged: ReadonlySet<string>): boolean {
  if (purged.size === 0) return false;
  return [...text.matchAll(ID)].some(([id]) => purged.has(purgedSubject(id)));
}

/** Whether an event says nothing any more because its memory was purged. */
export function isScrubbedBare({ scrubbed, data }: LogEvent): boolean {
  return scrubbed !== undefined && data === null;
}

/** What lies beside the log of events that were scrubbed, and that nothing left in it speaks of. */
export interface Remains {
  /** Nothing was scrubbed. */
  readonly isEmpty: boolean;
  /** Hashes of evidence. */
  readonly blobs: readonly string[];
  /** Keys of texts that vectors are kept of. */
  readonly texts: readonly string[];
}

/** @param left the log as it is now, if anything was scrubbed */
export function remainsOf(said: readonly LogEvent[], left: Iterable<LogEvent>): Remains {
  const memories = said.filter(isMemoryEvent).map(({ data }) => data);
  const blobs = new Set(memories.flatMap(({ evidence }) => evidence));
  const texts = new Set(memories.map(textKeyOf));
  for (const event of left) {
    if (!isMemoryEvent(event)) continue;
    for (const blob of event.data.evidence) blobs.delete(blob);
    texts.delete(textKeyOf(event.data));
  }
  return { isEmpty: said.length === 0, blobs: [...blobs], texts: [...texts] };
}

function textKeyOf(memory: Pick<Memory, 'title' | 'body'>): string {
  return passagesKey(passagesOf(memory));
}

type Names = (id: string) => boolean;

/**
 * A value without what names a purged memory: keys and list items that are its id, and objects of a
 * list that are about it, go; in other text the id gives way. The same value when nothing does.
 */
function withoutTraces(value: unknown, names: Names): unknown {
  if (typeof value === 'string') return withoutIds(value, names);
  if (Array.isArray(value)) {
    const items = value
      .filter((item) => !(isExactly(item, names) || isAbout(item, names)))
      .map((item) => withoutTraces(item, names));
    return isSame(items, value) ? value : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key, item]) => !isExactly(key, names) && !isExactly(item, names))
    .map(([key, item]) => [key, withoutTraces(item, names)] as const);
  const before = Object.values(value);
  return isSame(
    entries.map(([, item]) => item),
    before,
  )
    ? value
    : Object.fromEntries(entries);
}

function isSame(after: readonly unknown[], before: readonly unknown[]): boolean {
  return after.length === before.length && after.every((item, i) => item === before[i]);
}

function isExactly(value: unknown, names: Names): boolean {
  return typeof value === 'string' && WHOLE_ID.test(value) && names(value);
}

/** An item of a list that is about a memory says so in a key of its own. */
function isAbout(item: unknown, names: Names): boolean {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return false;
  return Object.values(item).some((value) => isExactly(value, names));
}

function withoutIds(text: string, names: Names): string {
  return text.replace(ID, (word) => (names(word) ? PLACEHOLDER : word));
}
