import type { Classification } from '../lifecycle.ts';
import { headline, type Memory } from '../memory.ts';

/** What pages tell: they are read, pasted and sent around more easily than single memories. */
const TOLD: ReadonlySet<Classification> = new Set(['PUBLIC', 'TEAM']);

export function isTold({ classification }: Pick<Memory, 'classification'>): boolean {
  return TOLD.has(classification);
}

/** Characters of a body that a page shows. */
const MOST_SHOWN = 300;

/** One memory as an item of a list: what it is called, where it is, and how its text begins. */
export function entryLines(memory: Memory): readonly string[] {
  const { id, created_at, body, title } = memory;
  const name = oneLine(headline(memory));
  const text = oneLine(body);
  const rest = title === undefined && text === name ? [] : [`  ${shortened(text)}`];
  return [`- **${name}** [[${id}]] (${[day(created_at), ...marksOf(memory)].join(', ')})`, ...rest];
}

/** The same in one line, with the day of its last change. */
export function changeLine(memory: Memory): string {
  const { id, type, status, status_reason, updated_at } = memory;
  const what = status === 'active' ? type : `${type}, ${status}`;
  const reason = status_reason === undefined ? '' : `: ${shortened(oneLine(status_reason))}`;
  return `- ${day(updated_at)} **${oneLine(headline(memory))}** [[${id}]] (${what})${reason}`;
}

function marksOf({ confidence, tags, valid_to, ttl_days, created_at }: Memory): string[] {
  const ends =
    valid_to ??
    (ttl_days === undefined
      ? undefined
      : new Date(Date.parse(created_at) + ttl_days * 86_400_000).toISOString());
  return [
    `confidence ${confidence}`,
    ...(ends === undefined ? [] : [`until ${day(ends)}`]),
    ...tags.map((tag) => `#${oneLine(tag)}`),
  ];
}

function day(iso: string): string {
  return iso.slice(0, 10);
}

/** Text of a memory is data: it opens no heading, list, comment or block of a page. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().replaceAll('<!--', '&lt;!--').replaceAll('`', "'");
}

function shortened(text: string): string {
  const characters = Array.from(text.slice(0, 2 * MOST_SHOWN));
  return characters.length > MOST_SHOWN ? `${characters.slice(0, MOST_SHOWN - 1).join('')}…` : text;
}
