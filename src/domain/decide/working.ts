import type { Change, CommitState } from '../change.ts';
import { Compared } from '../hygiene/likeness.ts';
import { likenessKeysOf, MOST_ALIKE } from '../hygiene/likeness-keys.ts';
import { LociError, quote } from '../errors.ts';
import { contentKeyOf } from '../identity.ts';
import { isLive } from '../lifecycle.ts';
import type { Memory, StoredMemory } from '../memory.ts';
import { sees, type View } from '../view.ts';

/**
 * The state a decision works on: what the engine read, overlaid with what the decision has already
 * changed, so that later items of a batch see earlier ones.
 */
export class Working {
  readonly #state: CommitState;
  readonly #isolated: boolean;
  readonly #memories = new Map<string, Memory>();
  readonly #byExternalId = new Map<string, readonly string[]>();
  /** Those that are or were alive or rejected: whatever else holds a text, nobody asks. */
  readonly #byContent = new Map<string, readonly string[]>();
  /** The newest memories of this decision by key of likeness, newest first. */
  readonly #byLikeness = new Map<number, readonly Memory[]>();
  readonly #compared = new Map<string, Compared>();
  readonly changes: Change[] = [];
  #itemStart = 0;
  /** Takes back what the item has made visible, one step each. */
  #undo: (() => void)[] = [];

  constructor(state: CommitState, isolated: boolean) {
    this.#state = state;
    this.#isolated = isolated;
  }

  get(id: string): Memory | undefined {
    return this.#memories.get(id) ?? this.#state.get(id)?.memory;
  }

  /** Whether an id, in any case, was that of a memory that is gone for good. */
  isPurged(id: string): boolean {
    return this.#state.purged(id);
  }

  stored(id: string): StoredMemory | undefined {
    return this.#state.get(id);
  }

  /** The memory that a caller means by its id or by the id another system gave it. */
  find(ref: string, view: View, prefer?: { project: string; agent?: string }): Memory | undefined {
    const own = this.get(ref) ?? this.get(ref.toUpperCase());
    if (own && sees(view, own)) return own;
    const candidates = this.externals(ref).filter((memory) => sees(view, memory));
    const near = candidates.filter((memory) => memory.project === prefer?.project);
    return near.find((memory) => memory.agent === prefer?.agent) ?? near[0] ?? candidates[0];
  }

  /** @throws LociError not_found; conflict when the id is derived from concurrent edits */
  require(ref: string, view: View, prefer?: { project: string; agent?: string }): Memory {
    const found = this.find(ref, view, prefer);
    const subject = found && this.#state.conflictSubject(found.id);
    if (subject !== undefined) {
      throw new LociError(
        'conflict',
        `${ref} is derived from concurrent edits and cannot be changed itself`,
        `Update ${subject} to what holds; the conflict is then settled.`,
      );
    }
    if (found) return found;
    throw new LociError(
      'not_found',
      `there is no memory ${quote(ref)}`,
      'Look its id up with search or recall; other projects are not seen from here.',
    );
  }

  externals(externalId: string): Memory[] {
    const found = new Map<string, Memory>();
    for (const { memory } of this.#state.byExternalId(externalId)) found.set(memory.id, memory);
    for (const id of this.#byExternalId.get(externalId) ?? []) found.set(id, this.#current(id));
    return this.#currentOf(found.keys());
  }

  key(memory: Pick<Memory, 'project' | 'agent' | 'body'>): string {
    return contentKeyOf(memory, this.#isolated);
  }

  /** Who holds this content now, alive or rejected, other than `exceptId`. */
  holders(key: string, exceptId?: string): Memory[] {
    const stored = this.#state.byContent(key).map(({ memory }) => memory.id);
    const ids = new Set([...stored, ...(this.#byContent.get(key) ?? [])]);
    ids.delete(exceptId ?? '');
    return this.#currentOf(ids).filter((memory) => isHolder(memory) && this.key(memory) === key);
  }

  /** The newest living memories that share a key of likeness with one, once for each such key. */
  alike(memory: Memory): Memory[] {
    return likenessKeysOf(memory, this.#isolated).flatMap((key) => {
      const stored = this.#state.alike(key).map((found) => this.#current(found.memory.id));
      const own = this.#byLikeness.get(key) ?? [];
      const ids = new Set([...own, ...stored].map(({ id }) => id));
      return newest([...ids].map((id) => this.#current(id)));
    });
  }

  /** A text ready to be compared; those that were compared last are kept. */
  compared(body: string): Compared {
    let compared = this.#compared.get(body);
    if (compared) return compared;
    if (this.#compared.size >= MOST_COMPARED_KEPT) this.#compared.clear();
    compared = new Compared(body);
    this.#compared.set(body, compared);
    return compared;
  }

  /**
   * @param twins ids that may hold the same content nevertheless
   * @throws LociError conflict when live content would be there twice
   */
  requireFreeContent(memory: Memory, twins: ReadonlySet<string> = new Set()): void {
    if (!isLive(memory.status)) return;
    const twin = this.holders(this.key(memory), memory.id).find(
      (other) => isLive(other.status) && !twins.has(other.id),
    );
    if (!twin) return;
    throw new LociError(
      'conflict',
      `${twin.id} already holds this text`,
      `Change ${twin.id} instead, or archive it first.`,
    );
  }

  /** @throws LociError conflict when live content would be what was rejected before */
  requireUnrejected(memory: Memory): void {
    if (!isLive(memory.status)) return;
    const rejected = this.rejectedTwin(memory);
    if (!rejected) return;
    throw new LociError(
      'conflict',
      rejectionOf(rejected),
      `Restore ${rejected.id} if it holds after all.`,
    );
  }

  /** The rejected memory that holds the same content. */
  rejectedTwin(memory: Memory): Memory | undefined {
    const holders = this.holders(this.key(memory), memory.id);
    return holders.find((other) => other.status === 'rejected');
  }

  /** Marks where an item of a batch begins; `rollBack` goes back to here. */
  begin(): void {
    this.#itemStart = this.changes.length;
    this.#undo = [];
  }

  /**
   * Puts a change on the list and makes later reads see it. Within one item a subject changes
   * once: what comes later completes the snapshot, because nothing can be seen in between.
   */
  put(change: Change & { data: Memory }): void {
    const { changes } = this;
    let at = this.#itemStart;
    while (at < changes.length && changes[at]?.subject !== change.subject) at += 1;
    const first = changes[at] ?? change;
    changes[at] = { ...first, data: change.data, ...this.#carried(change.data) };
    this.#show(change.data);
  }

  /** What a change leaves as it is: the front matter, and the count of what recall renders. */
  #carried(memory: Memory): { tokens?: number; front?: string } {
    const stored = this.#state.get(memory.id);
    if (!stored) return {};
    const { type, title, body, created_at } = stored.memory;
    const same =
      type === memory.type &&
      title === memory.title &&
      body === memory.body &&
      created_at === memory.created_at;
    return {
      ...(same && stored.tokens !== undefined ? { tokens: stored.tokens } : {}),
      ...(stored.front === undefined ? {} : { front: stored.front }),
    };
  }

  #show(memory: Memory): void {
    const isNewText = this.get(memory.id)?.body !== memory.body;
    this.#set(this.#memories, memory.id, memory);
    if (isNewText) {
      for (const key of likenessKeysOf(memory, this.#isolated)) {
        const alike = this.#byLikeness.get(key) ?? [];
        this.#set(this.#byLikeness, key, newest([memory, ...alike]));
      }
    }
    if (isHolder(memory)) this.#add(this.#byContent, this.key(memory), memory.id);
    for (const externalId of memory.external_ids) {
      this.#add(this.#byExternalId, externalId, memory.id);
    }
  }

  #add(index: Map<string, readonly string[]>, key: string, id: string): void {
    const ids = index.get(key) ?? [];
    if (!ids.includes(id)) this.#set(index, key, [...ids, id]);
  }

  #set<K, V>(map: Map<K, V>, key: K, value: V): void {
    const before = map.get(key);
    map.set(key, value);
    this.#undo.push(() => (before === undefined ? map.delete(key) : map.set(key, before)));
  }

  /** Forgets the changes of the item that was begun last: it was refused. */
  rollBack(): void {
    this.changes.length = this.#itemStart;
    for (const undo of this.#undo.toReversed()) undo();
    this.#undo = [];
  }

  #current(id: string): Memory {
    return this.get(id) as Memory;
  }

  /** In order of id: engines read in orders of their own, and decisions must not depend on it. */
  #currentOf(ids: Iterable<string>): Memory[] {
    return [...ids].sort().map((id) => this.#current(id));
  }
}

const MOST_COMPARED_KEPT = 256;

/** Whether a memory keeps others from holding the same text. */
function isHolder({ status }: Memory): boolean {
  return isLive(status) || status === 'rejected';
}

/** The newest living ones of some memories, newest first, as engines answer. */
function newest(memories: readonly Memory[]): Memory[] {
  return memories
    .filter(({ status }) => isLive(status))
    .sort((a, b) => {
      if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1;
      return a.id < b.id ? 1 : -1;
    })
    .slice(0, MOST_ALIKE);
}

/** Why a text that was rejected is not taken. */
export function rejectionOf({ id, status_reason }: Memory): string {
  return `the same text was rejected before as ${id}${status_reason ? `: ${status_reason}` : ''}`;
}
