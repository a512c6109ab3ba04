import type { Row, Session } from './driver.ts';

/** The one row about the store: what every commit reads and writes. */
export interface Header {
  readonly store: string;
  readonly replica: string;
  readonly epoch: string;
  readonly isolated: boolean;
  readonly home: string;
  generation: number;
  revision: number;
  position: number;
  hlc: number;
  sequence: number;
  spaces: number;
}

export async function readHeader(session: Session): Promise<Header | undefined> {
  const [row] = await session.query('SELECT * FROM store');
  return row && headerOf(row);
}

function headerOf(row: Row): Header {
  return {
    store: row['id'] as string,
    replica: row['replica'] as string,
    epoch: row['epoch'] as string,
    isolated: row['isolated'] === true,
    home: row['home'] as string,
    generation: Number(row['generation']),
    revision: Number(row['revision']),
    position: Number(row['position']),
    hlc: Number(row['hlc']),
    sequence: Number(row['sequence']),
    spaces: Number(row['spaces']),
  };
}

export function writeHeader(session: Session, header: Header): void {
  session.send(
    `UPDATE store SET generation = $1::bigint, revision = $2::bigint, position = $3::bigint,
       hlc = $4::bigint, sequence = $5::bigint, spaces = $6::integer`,
    [
      header.generation,
      header.revision,
      header.position,
      header.hlc,
      header.sequence,
      header.spaces,
    ],
  );
}
