import type { EntityLink, Memory } from '../../domain/memory.ts';
import { fold } from '../../domain/text/fold.ts';

/**
 * The entities that a question names, among those that a memory is linked to: by whole words, without
 * regard to case and accents.
 */
export function namedEntities(
  text: string,
): (memory: Pick<Memory, 'entities'>) => readonly EntityLink[] {
  const asked = ` ${plain(text)} `;
  return ({ entities }) => {
    return entities.filter(({ name }) => {
      const words = plain(name);
      return words !== '' && asked.includes(` ${words} `);
    });
  };
}

/** Words with one blank between them. */
function plain(text: string): string {
  return fold(text)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}
