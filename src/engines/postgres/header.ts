import type { ProjectName } from '../../domain/event.ts';
import type { Row, Session } from './driver.ts';
import { list } from './parameters.ts';

/** The one row about the store: what every commit reads and writes. */
export interface Header {
  readonly store: string;
  readonly replica: string;
  readonly epoch: string;
  readonly isolated: boolean;
  readonly home: string;
  /** Where the chain of its own events has come to. */
  readonly tip: { readonly rseq: number; readonly prev: string };
  generation: number;
  revision: number;
  position: number;
  hlc: number;
  sequence: number;
  spaces: number;
}

export async function readHeader(session: Session): Promise<Header | undefined> {
  const [row] = await session.query(`SELECT ${HEADER}`);
  return row && headerOf(row);
}

const HEADER = 's.*, t.rseq, t.prev FROM store s LEFT JOIN tips t USING (replica)';

/** What every commit reads beside the memories that it has to do with. */
export interface Ground {
  readonly header: Header | undefined;
  readonly projects: readonly ProjectName[];
  /** Those asked for that are on the log. */
  readonly subjects: ReadonlySet<string>;
}

/** In one statement: each costs both sides more than what is read here. */
export async function readGround(session: Session, subjects: readonly string[]): Promise<Ground> {
  const [row] = await session.query(
    `SELECT (SELECT json_agg(json_build_array(p.key, p.name) ORDER BY p.key)::text FROM projects p)
         AS projects,
       (SELECT json_agg(k)::text FROM subjects_among($1) AS k) AS subjects, ${HEADER}`,
    [list(subjects)],
  );
  const parsed = <T>(column: string): readonly T[] =>
    JSON.parse((row?.[column] as string | null | undefined) ?? '[]') as T[];
  return {
    header: row && headerOf(row),
    projects: parsed<[string, string]>('projects').map(([key, name]) => ({ key, name })),
    subjects: new Set(parsed<string>('subjects')),
  };
}

function headerOf(row: Row): Header {
  return {
    store: row['id'] as string,
    replica: row['replica'] as string,
    epoch: row['epoch'] as string,
    isolated: row['isolated'] === true,
    home: row['home'] as string,
    tip: { rseq: Number(row['rseq'] ?? 0), prev: (row['prev'] as string | null) ?? '' },
    generation: Number(row['generation']),
    revision: Number(row['revision']),
    position: Number(row['position']),
    hlc: Number(row['hlc']),
    sequence: Number(row['sequence']),
    spaces: Number(row['spaces']),
  };
}

export function writeHeader(session: Session, header: Header): void {
  session.call('put_store', [
    header.generation,
    header.revision,
    header.position,
    header.hlc,
    header.sequence,
    header.spaces,
  ]);
}
