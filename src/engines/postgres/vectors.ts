import { passagesOf, type EmbeddingModel } from '../../domain/embedding.ts';
import type { PendingText, VectorCounts, VectorRow } from '../../ports/engine.ts';
import { requireVectors } from '../shared/vectors/checks.ts';
import type { Finding } from '../../domain/finding.ts';
import { VIEW_ALL, type View } from '../../domain/view.ts';
import type { Row, Session } from './driver.ts';
import { Bindings, viewSql } from './filter-sql.ts';
import { list } from './parameters.ts';
import { memoryOf } from './rows.ts';
import { addModel, adoptVectors, readModel, writeVectors, type ModelRow } from './vector-tables.ts';

/** Memories looked at for missing vectors at a time. */
const PAGE = 512;

/** Where one way of searching gives way to the next. */
export interface VectorLimits {
  /** Up to so many numbers in all vectors of a view they are compared here, above that by the server. */
  readonly hereNumbers: number;
  /** Up to so many memories a scan of what the filter lets through is exact and fast enough. */
  readonly scanUpTo: number;
}

export const VECTOR_LIMITS: VectorLimits = {
  hereNumbers: 40_000_000,
  scanUpTo: 20_000,
};

/** Texts without vectors, newest first. What another project has embedded already is adopted. */
export async function readPending(
  session: Session,
  fingerprint: string,
  limit: number,
): Promise<readonly PendingText[]> {
  const [model, [store]] = await Promise.all([
    readModel(session, fingerprint),
    session.query('SELECT sequence FROM store'),
  ]);
  const pending = new Map<string, PendingText>();
  let before = Number.MAX_SAFE_INTEGER;
  while (pending.size < limit) {
    const rows = await readPage(session, model, before);
    if (rows.length === 0) break;
    before = Number(rows.at(-1)?.['sequence']);
    for (const row of await unadopted(session, model, rows)) {
      const key = row['text_key'] as string;
      pending.set(key, { key, passages: passagesOf(memoryOf(row)) });
    }
  }
  if (model && pending.size === 0) {
    const last = Number(store?.['sequence'] ?? 0);
    if (last > model.complete) {
      session.send(
        'UPDATE vector_models SET complete = $2::bigint WHERE model = $1::integer AND complete < $2::bigint',
        [model.model, last],
      );
    }
  }
  return [...pending.values()].slice(0, limit);
}

function lacksVectors(model = '$1::integer'): string {
  return `NOT EXISTS (SELECT 1 FROM vectors v WHERE v.project = m.project
    AND v.model = ${model} AND v.key = m.text_key)`;
}

function readPage(
  session: Session,
  model: ModelRow | undefined,
  before: number,
): Promise<readonly Row[]> {
  return session.query(
    `SELECT m.project, m.text_key, m.sequence, m.data FROM memories m
     WHERE m.sequence > $2::bigint AND m.sequence < $3::bigint AND ${lacksVectors()}
     ORDER BY m.sequence DESC LIMIT ${PAGE}`,
    [model?.model ?? 0, model?.complete ?? 0, before],
  );
}

async function unadopted(
  session: Session,
  model: ModelRow | undefined,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  if (!model) return rows;
  const texts = rows.map((row) => ({
    project: row['project'] as string,
    key: row['text_key'] as string,
  }));
  if (!(await adoptVectors(session, model.model, texts))) return rows;
  const still = await session.query(
    `SELECT m.sequence FROM memories m
     WHERE m.sequence = ANY($2::bigint[]) AND ${lacksVectors()}`,
    [model.model, list(rows.map((row) => Number(row['sequence'])))],
  );
  const lacking = new Set(still.map((row) => Number(row['sequence'])));
  return rows.filter((row) => lacking.has(Number(row['sequence'])));
}

export async function putVectorRows(
  session: Session,
  model: EmbeddingModel,
  rows: readonly VectorRow[],
): Promise<void> {
  requireVectors(model, rows);
  const { model: number } = await addModel(session, model);
  writeVectors(session, number, rows);
}

export async function countVectors(
  session: Session,
  fingerprint: string,
  view: View = VIEW_ALL,
): Promise<VectorCounts> {
  const model = await readModel(session, fingerprint);
  const count = (more: (bindings: Bindings) => string): Promise<readonly Row[]> => {
    const bindings = new Bindings();
    const wanted = more(bindings);
    return session.query(
      `SELECT count(*) AS n FROM memories m WHERE ${wanted} AND ${viewSql(view, bindings)}`,
      bindings.parameters,
    );
  };
  const [[all], [lacking]] = await Promise.all([
    count(() => 'true'),
    count((bindings) => {
      const lacks = lacksVectors(bindings.bind(model?.model ?? 0, 'integer'));
      return `m.sequence > ${bindings.bind(model?.complete ?? 0, 'bigint')} AND ${lacks}`;
    }),
  ]);
  const pending = Number(lacking?.['n']);
  return { stored: Number(all?.['n']) - pending, pending };
}

export async function dropModels(session: Session, fingerprints: readonly string[]): Promise<void> {
  session.send(
    'SELECT drop_vectors(model) FROM vector_models WHERE fingerprint = ANY($1::text[])',
    [list(fingerprints)],
  );
}

/** What pgvector can index: numbers a vector, in 16 bits each. */
const MOST_INDEXED = 4000;
/** From so many vectors on an index is worth its upkeep: fewer are compared here, or scanned. */
const INDEX_FROM = 100_000;

/**
 * Models whose vectors have no index and should, or can have none.
 * @param isOnServer whether there is a setup that could make one
 */
export async function vectorFindings(
  session: Session,
  isOnServer: boolean,
): Promise<readonly Finding[]> {
  const rows = await session.query(
    'SELECT info, passages, dimensions FROM vector_models WHERE NOT indexed ORDER BY model',
  );
  return rows.flatMap((row): Finding[] => {
    const { provider, model } = JSON.parse(row['info'] as string) as EmbeddingModel;
    const [dimensions, passages] = [Number(row['dimensions']), Number(row['passages'])];
    const finding = { check: 'vectors', severity: 'warning' } as const;
    if (dimensions > MOST_INDEXED) {
      const message = `vectors of ${provider}:${model} have ${dimensions} numbers: no index takes them, so a question to very many compares all`;
      const hint = `Ask the model for at most ${MOST_INDEXED} numbers (LOCI_EMBED_DIMENSIONS), then run loci re-embed.`;
      return [{ ...finding, message, hint }];
    }
    if (passages < INDEX_FROM || !isOnServer) return [];
    const message = `${passages} vectors of ${provider}:${model} have no index: a question to very many compares all`;
    const hint = 'Run loci setup as the owner of the tables; vectors wait until the index is made.';
    return [{ ...finding, message, hint }];
  });
}

/** Makes the indexes that are worth it; vectors are not written meanwhile. */
export async function indexVectors(session: Session): Promise<void> {
  await session.query(
    `SELECT index_vectors(model) FROM vector_models WHERE NOT indexed AND passages >= ${INDEX_FROM}`,
  );
}
