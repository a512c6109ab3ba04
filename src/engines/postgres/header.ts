import type { Row, Session } from './driver.ts';

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
  const [row] = await session.query(
    'SELECT s.*, t.rseq, t.prev FROM store s LEFT JOIN tips t USING (replica)',
  );
  return row && headerOf(row);
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
