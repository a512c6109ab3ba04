import { linkNames, namesOf, type Entity } from '../../domain/entity.ts';
import type { EntityLink, Memory } from '../../domain/memory.ts';
import { fold } from '../../domain/text/fold.ts';

/**
 * The entities that a question names, among those that a memory is linked to: by whole words, without
 * regard to case and accents, under any of their names.
 */
export function namedEntities(
  text: string,
  known: readonly Entity[],
): (memory: Pick<Memory, 'entities'>) => readonly EntityLink[] {
  const asked = ` ${plain(text)} `;
  const named = (name: string): boolean => {
    const words = plain(name);
    return words !== '' && asked.includes(` ${words} `);
  };
  const called = new Set(known.filter((entity) => namesOf(entity).some(named)).flatMap(namesOf));
  return ({ entities }) => {
    return entities.filter(({ name }) => {
      return named(name) || (called.size > 0 && linkNames(name, []).some((own) => called.has(own)));
    });
  };
}

/** Words with one blank between them. */
function plain(text: string): string {
  return fold(text)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}
