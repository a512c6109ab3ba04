import { CHUNK } from './doc-states.ts';
import type { Session } from './driver.ts';
import type { Header } from './header.ts';
import { list } from './parameters.ts';
import { spaceKey } from './sessions.ts';
import type { Space } from './settle.ts';

/** One project and drawer. */
export interface SpaceName {
  readonly project: string;
  readonly agent?: string;
}

/** Where the documents of a space end: the chunk of states that the next one falls into. */
export interface SpaceEnd {
  readonly chunk: number;
  /** Absent when it is not there yet. */
  readonly states?: Uint8Array;
}

/** The rows of the spaces that a transaction writes to. It holds the commit lock. */
export class SpaceRows {
  /** By `spaceKey`. */
  readonly byKey = new Map<string, Space>();
  /** By number of the space. */
  readonly ends = new Map<number, SpaceEnd>();
  readonly #session: Session;
  /** Keys that were asked for, whatever was found; each with its answer. */
  readonly #asked = new Map<string, Promise<void>>();

  constructor(session: Session) {
    this.#session = session;
  }

  /** Reads those that have not been read; asking ahead spares a round trip. */
  async read(names: Iterable<SpaceName>): Promise<void> {
    const wanted = new Map([...names].map((name) => [spaceKey(name), name]));
    const missing = [...wanted].filter(([key]) => !this.#asked.has(key));
    if (missing.length > 0) {
      const answer = this.#fetch(missing.map(([, name]) => name));
      for (const [key] of missing) this.#asked.set(key, answer);
    }
    await Promise.all([...wanted.keys()].map((key) => this.#asked.get(key)));
  }

  /** Makes a space that is not there. */
  make(name: SpaceName, header: Header): void {
    const key = spaceKey(name);
    if (this.byKey.has(key)) return;
    header.spaces += 1;
    const { project, agent = '' } = name;
    const counts = { nextDoc: 0, waiting: 0, documents: 0, totalLength: 0 };
    this.byKey.set(key, { project, agent, space: header.spaces, ...counts });
    this.ends.set(header.spaces, { chunk: 0 });
  }

  async #fetch(names: readonly SpaceName[]): Promise<void> {
    const rows = await this.#session.query('SELECT * FROM spaces_named($1, $2, $3)', [
      list(names.map(({ project }) => project)),
      list(names.map(({ agent }) => agent ?? '')),
      CHUNK,
    ]);
    for (const row of rows) {
      const space = {
        project: row['project'] as string,
        agent: row['agent'] as string,
        space: Number(row['space']),
        nextDoc: Number(row['next_doc']),
        waiting: Number(row['waiting']),
        documents: Number(row['documents']),
        totalLength: Number(row['total_length']),
      };
      this.byKey.set(spaceKey(space), space);
      const chunk = Math.floor(space.nextDoc / CHUNK);
      const states = row['states'];
      this.ends.set(space.space, {
        chunk,
        ...(states === null ? {} : { states: states as Uint8Array }),
      });
    }
  }
}

/** Spaces that are read before it is known whether a commit writes to them. */
const MOST_LIKELY = 8;

/** Whoever wrote to a space is likely to write to it next. A wrong guess costs a row that is read. */
export class LikelySpaces {
  names: readonly SpaceName[] = [];

  note({ byKey }: SpaceRows): void {
    this.names = [...byKey.values()].slice(-MOST_LIKELY);
  }
}

export function writeSpaces(session: Session, spaces: readonly Space[]): void {
  session.call('put_spaces', [
    list(spaces.map(({ project }) => project)),
    list(spaces.map(({ agent }) => agent)),
    list(spaces.map(({ space }) => space)),
    list(spaces.map(({ nextDoc }) => nextDoc)),
    list(spaces.map(({ waiting }) => waiting)),
    list(spaces.map(({ documents }) => documents)),
    list(spaces.map(({ totalLength }) => totalLength)),
  ]);
}
