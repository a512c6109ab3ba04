import type { Memory } from './memory.ts';

type Shown = Pick<Memory, 'id' | 'type' | 'title' | 'body' | 'created_at' | 'speaker'>;

/**
 * A recalled memory as an agent reads it: data inside an element, with its id to cite. No text of the
 * memory can close the element or forge another.
 * Token budgets count exactly this text, so it says nothing twice: most ids hold the date.
 * @param markers what the reader must know about it: superseded, expired, draft …
 */
export function renderBlock(memory: Shown, markers: readonly string[] = []): string {
  const { id, type, speaker, created_at } = memory;
  const date = created_at.slice(0, 10);
  const attributes = [
    attribute('id', id),
    attribute('type', type),
    id.includes(date) ? '' : attribute('date', date),
    speaker === undefined ? '' : attribute('speaker', speaker),
    markers.length === 0 ? '' : attribute('note', markers.join('; ')),
  ];
  const title = memory.title ? `${escapeText(memory.title)}\n` : '';
  return `<memory${attributes.join('')}>\n${title}${escapeText(memory.body)}\n</memory>`;
}

function attribute(name: string, value: string): string {
  return ` ${name}="${escapeAttribute(value)}"`;
}

/** Elements that only Loci may open or close around recalled text. */
const OWN_ELEMENTS = /<(?=\s*(?:\/\s*)?(?:memory|loci))/gi;

/** Takes the meaning from our own elements; code such as `Map<string>` stays as it was written. */
export function escapeText(text: string): string {
  return text.replace(OWN_ELEMENTS, '&lt;');
}

function escapeAttribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replace(/\s+/g, ' ');
}
