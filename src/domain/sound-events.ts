import { coversOf } from './compaction.ts';
import { digestOf, isMemoryEvent, type LogEvent } from './event.ts';
import { isNativeId } from './identity.ts';
import type { SetAside } from './log-verbs.ts';
import type { Memory } from './memory.ts';
import { isScrubbedBare } from './purge.ts';
import { recordKindOf } from './record.ts';

/**
 * Of the events of another log those that can be trusted to be what was written: their content fits
 * their digest, and their transactions are whole, but for what was dropped by `compact`.
 */
export function soundEvents(events: readonly LogEvent[]): {
  readonly sound: readonly LogEvent[];
  readonly setAside: readonly SetAside[];
} {
  const covers = coversOf(events);
  const distinct = [...new Map(events.map((event) => [event.id, event])).values()];
  const transactions = new Map<string, LogEvent[]>();
  for (const event of distinct) {
    const members = transactions.get(event.tx);
    if (members) members.push(event);
    else transactions.set(event.tx, [event]);
  }
  const refused = new Set<string>();
  const setAside: SetAside[] = [];
  for (const [tx, members] of transactions) {
    const problem = problemOf(members, covers);
    if (problem === undefined) continue;
    refused.add(tx);
    setAside.push({ reason: `transaction ${tx}: ${problem}`, events: members.map(({ id }) => id) });
  }
  return { sound: distinct.filter(({ tx }) => !refused.has(tx)), setAside };
}

function problemOf(
  members: readonly LogEvent[],
  covers: ReturnType<typeof coversOf>,
): string | undefined {
  for (const event of members) {
    if (!isWellFormed(event)) return `event ${event.id} is not of a form that this program knows`;
    if (!isScrubbedBare(event) && digestOf(event.salt, event.data) !== event.digest) {
      return `the content of event ${event.id} does not match its digest`;
    }
  }
  const mayHaveGaps = members.every(({ replica, rseq }) => rseq <= (covers[replica]?.rseq ?? 0));
  const { n } = members[0] as LogEvent;
  return members.length === n || mayHaveGaps
    ? undefined
    : `${members.length} of ${n} events are there`;
}

const TEXTS = ['id', 'tx', 'replica', 'prev', 'at', 'kind', 'actor', 'digest', 'salt'] as const;
const NUMBERS = ['i', 'n', 'rseq', 'hlc'] as const;
const MEMORY_TEXTS = [
  'type',
  'tier',
  'status',
  'body',
  'project',
  'classification',
  'source',
  'observed',
  'created_at',
  'updated_at',
] as const;
const LISTS = ['tags', 'paths', 'external_ids', 'evidence', 'entities', 'relations'] as const;

/** Whatever a fold leans on. Ids become names of files: they must be no more than ids. */
function isWellFormed(event: LogEvent): boolean {
  if (!TEXTS.every((key) => typeof event[key] === 'string')) return false;
  if (!NUMBERS.every((key) => Number.isSafeInteger(event[key]))) return false;
  if (!Array.isArray(event.base) || Number.isNaN(Date.parse(event.at))) return false;
  if (isMemoryEvent(event)) return isMemory(event.data, event.subject);
  if (recordKindOf(event)) return hasTexts(event.data, ['id', 'project']);
  return event.kind !== 'project.named' || hasTexts(event.data, ['key', 'name']);
}

function isMemory(data: Memory, subject: string): boolean {
  if (!hasTexts(data, MEMORY_TEXTS) || data.id !== subject || !isNativeId(subject)) return false;
  if (!LISTS.every((key) => Array.isArray(data[key]))) return false;
  return typeof data.confidence === 'number' && !Number.isNaN(Date.parse(data.created_at));
}

function hasTexts(data: unknown, keys: readonly string[]): boolean {
  if (typeof data !== 'object' || data === null) return false;
  return keys.every((key) => typeof (data as Record<string, unknown>)[key] === 'string');
}
