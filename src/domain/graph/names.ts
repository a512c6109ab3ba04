import { isLive } from '../lifecycle.ts';
import type { Memory } from '../memory.ts';
import { normalise } from '../text/fold.ts';

type Named = Pick<Memory, 'id' | 'title' | 'body' | 'external_ids' | 'status'>;

/** What a name leads to: one memory, several that bear it, or none. */
export type Resolved = readonly string[];

/** By which names memories can be linked: their ids, ids of other systems, and titles. */
export class Names {
  readonly #ids = new Set<string>();
  readonly #externals = new Map<string, string[]>();
  readonly #titles = new Map<string, string[]>();

  add(memory: Named): void {
    this.#ids.add(memory.id);
    for (const name of memory.external_ids) addTo(this.#externals, name, memory.id);
    const title = titleOf(memory);
    // History keeps its ids; its name belongs to what is current.
    if (title !== undefined && isLive(memory.status))
      addTo(this.#titles, titleKey(title), memory.id);
  }

  /** By id in any case, else by the id of another system, else by title; of a path its last part. */
  resolve(name: string): Resolved {
    const whole = this.#named(name);
    const slash = name.lastIndexOf('/');
    return whole.length > 0 || slash < 0 ? whole : this.#named(name.slice(slash + 1));
  }

  byId(id: string): Resolved {
    return this.#ids.has(id) ? [id] : [];
  }

  #named(name: string): Resolved {
    const id = name.toUpperCase();
    if (this.#ids.has(id)) return [id];
    return this.#externals.get(name) ?? this.#titles.get(titleKey(name)) ?? [];
  }
}

/** The title of a memory, or the heading that its body begins with. */
export function titleOf({ title, body }: Pick<Memory, 'title' | 'body'>): string | undefined {
  if (title !== undefined) return title;
  return /^\s*#{1,6}[ \t]+(.+)/.exec(body)?.[1]?.trim();
}

/** The form in which titles are compared: case, composition and the width of blanks do not count. */
export function titleKey(title: string): string {
  return normalise(title).toLowerCase().replace(/\s+/g, ' ').trim();
}

function addTo(index: Map<string, string[]>, name: string, id: string): void {
  const ids = index.get(name);
  if (!ids) index.set(name, [id]);
  else if (!ids.includes(id)) ids.push(id);
}
