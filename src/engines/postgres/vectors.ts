import type { EmbeddingModel } from '../../domain/embedding.ts';
import type { VectorCounts, VectorRow } from '../../ports/engine.ts';
import { requireVectors } from '../shared/vectors/checks.ts';
import type { Finding } from '../../domain/finding.ts';
import { VIEW_ALL, type View } from '../../domain/view.ts';
import type { Row, Session } from './driver.ts';
import { Bindings, viewSql } from './filter-sql.ts';
import { list } from './parameters.ts';
import { addModel, readModel, writeVectors } from './vector-tables.ts';

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

/** Whether a memory `m` has no vectors of a model, as a condition. */
export function lacksVectors(model = '$1::integer'): string {
  return `NOT EXISTS (SELECT 1 FROM vectors v WHERE v.project = m.project
    AND v.model = ${model} AND v.key = m.text_key)`;
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
