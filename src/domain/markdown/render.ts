import type { Memory } from '../memory.ts';
import { frontLines } from './front-keys.ts';

const RELATIONS_START = '<!-- loci:relations -->';
const RELATIONS_END = '<!-- /loci:relations -->';

/** What a file may end with: our own section, and S2's, which the next write replaces. */
export const SECTIONS = [
  [RELATIONS_START, RELATIONS_END],
  ['<!-- mk:relations -->', '<!-- /mk:relations -->'],
] as const;

/**
 * The file of a memory: front matter, body, one newline; relations as wikilinks between markers
 * after it, so that other tools show them as links.
 * @param front the front-matter block with its fences, when a person has a hand in it
 */
export function renderFile(memory: Memory, front?: string): string {
  const block = front ?? renderFront(memory);
  const eol = isCrlf(block) ? '\r\n' : '\n';
  const head = block.endsWith('\n') ? block : block + eol;
  if (eol === '\n') return `${head}${memory.body}\n${renderRelations(memory)}`;
  const rest = `${memory.body.replaceAll('\r\n', '\n')}\n${renderRelations(memory)}`;
  return head + rest.replaceAll('\n', '\r\n');
}

/** The block between the fences, fences included, as we write it. */
export function renderFront(memory: Memory): string {
  let block = '---\n';
  for (const [key, yaml] of frontLines(memory)) {
    block += yaml.startsWith('\n') ? `${key}:${yaml}\n` : `${key}: ${yaml}\n`;
  }
  return `${block}---\n`;
}

export function isCrlf(block: string): boolean {
  const end = block.indexOf('\n');
  return end > 0 && block[end - 1] === '\r';
}

/**
 * A body that itself holds a marker is always followed by a section of ours, empty if need be: the
 * reader takes the last one.
 */
function renderRelations(memory: Memory): string {
  const { relations, body } = memory;
  const needed = relations.length > 0 || SECTIONS.some(([start]) => body.includes(start));
  if (!needed) return '';
  const links = relations.map(({ type, target }) => `- ${type} [[${target}]]\n`).join('');
  return `\n${RELATIONS_START}\n## Relations\n\n${links}${RELATIONS_END}\n`;
}
