import {
  fingerprintOf,
  passagesKey,
  passagesOf,
  type EmbeddingModel,
} from '../../../domain/embedding.ts';
import { LociError } from '../../../domain/errors.ts';
import type { Memory } from '../../../domain/memory.ts';
import type { View } from '../../../domain/view.ts';
import type {
  NearestRequest,
  NearestResult,
  PendingText,
  VectorCounts,
  VectorRow,
} from '../../../ports/engine.ts';
import type { Database } from '../drivers/driver.ts';
import type { KeywordIndex } from '../keyword-index.ts';
import { inSnapshot } from '../lock.ts';
import { RowHit } from '../row-hit.ts';
import { quantise, vectorsFrom } from '../../shared/vector-codes.ts';
import { VectorMatrix } from './matrix.ts';
import {
  addModel,
  dropModel,
  dropOldPacks,
  dropPacks,
  modelNumber,
  readModels,
  readPack,
  readPackNumbers,
  readVectors,
  writePack,
  writeVectors,
  type Packable,
} from './tables.ts';
import { VectorDatabase, type VectorDatabaseOptions } from './vector-database.ts';

/** This many packs of one model are joined into one. */
const MANY_PACKS = 48;
/** Documents looked at for vectors that are there already, at a time. */
const PAGE = 512;

/** What is embedded of a document. */
interface Text extends PendingText {
  readonly doc: number;
}

interface Loaded {
  readonly model: number;
  readonly generation: number;
  readonly matrix: VectorMatrix;
  readonly packs: Set<number>;
  /** State of the index at which nothing was pending. */
  completeAt: number;
}

export interface VectorIndexOptions extends VectorDatabaseOptions {
  /** Where the memories are read from. */
  readonly index: Database;
  readonly keywords: KeywordIndex;
}

/**
 * Vectors by text in a database of their own, and by document in memory. They are derived: what is
 * lost is embedded again, and nobody who writes memories waits for them.
 */
export class VectorIndex {
  readonly #options: VectorIndexOptions;
  readonly #loaded = new Map<string, Loaded>();
  /** Documents that wait for the vectors of a text. */
  readonly #waiting = new Map<string, { readonly generation: number; readonly docs: number[] }>();
  readonly #vectors: VectorDatabase;

  constructor(options: VectorIndexOptions) {
    this.#options = options;
    this.#vectors = new VectorDatabase(options, () => this.#loaded.clear());
  }

  nearest(request: NearestRequest): NearestResult {
    return this.#vectors.sound(() => this.#nearest(request));
  }

  #nearest({ view, filter, model, vector, k, also = [] }: NearestRequest): NearestResult {
    const { index, keywords } = this.#options;
    return inSnapshot(index, () => {
      const { generation, wants } = keywords.admission(view, filter);
      const loaded = this.#load(model, generation);
      if (!loaded) return { hits: [], mean: 0, deviation: 0, compared: 0 };
      const { matrix } = loaded;
      if (matrix.dims !== vector.length) throw wrongLength(vector.length, matrix.dims);
      const { best, ...moments } = matrix.nearest(vector, k, wants);
      const cosines = new Map(best.map(({ doc, raw }) => [doc, raw]));
      const named = this.#docsOf(also).filter((doc) => wants(doc) && !cosines.has(doc));
      const extra = new Set<number>();
      for (const doc of named) {
        const cosine = matrix.cosineOf(doc, vector);
        if (cosine === undefined) continue;
        cosines.set(doc, cosine);
        extra.add(doc);
      }
      const rows = index
        .prepare('SELECT * FROM memories WHERE doc IN (SELECT value FROM json_each(?))')
        .all(JSON.stringify([...cosines.keys()]));
      const hits = rows
        .map((row) => new RowHit(row, cosines.get(Number(row['doc'])) as number))
        .sort((a, b) => b.raw - a.raw || (a.id < b.id ? -1 : 1));
      let room = k;
      const kept = hits.filter(({ doc }) => extra.has(doc) || room-- > 0);
      return { hits: kept.map(asNearest), ...moments };
    });
  }

  pending(model: string, limit: number): readonly PendingText[] {
    return this.#vectors.sound(() => this.#pending(model, limit));
  }

  #pending(model: string, limit: number): readonly PendingText[] {
    const { index, keywords } = this.#options;
    for (;;) {
      const { generation, docs } = inSnapshot(index, () => {
        const living = keywords.living();
        const loaded = this.#load(model, living.generation);
        if (loaded && loaded.completeAt === living.freshness) return { ...living, docs: [] };
        const waiting = unpacked(living.states, loaded?.matrix);
        if (loaded && waiting.length === 0) loaded.completeAt = living.freshness;
        return { ...living, docs: waiting };
      });
      if (docs.length === 0) return [];
      let adopted = 0;
      const missing: Text[] = [];
      for (let from = 0; from < docs.length && missing.length < limit; from += PAGE) {
        const texts = this.#textsOf(docs.slice(from, from + PAGE));
        const known = this.#knownOf(model, texts);
        adopted += known.length;
        if (!this.#pack(model, generation, known)) return [];
        const packed = new Set(known.map(({ doc }) => doc));
        missing.push(...texts.filter(({ doc }) => !packed.has(doc)));
      }
      if (missing.length > 0) return this.#remember(missing, generation).slice(0, limit);
      if (adopted === 0) return [];
    }
  }

  async put(model: EmbeddingModel, rows: readonly VectorRow[]): Promise<void> {
    for (const { vectors } of rows) {
      for (const { length } of vectors) {
        if (length !== model.dimensions) throw wrongLength(length, model.dimensions);
      }
    }
    await this.#vectors.write((database) => {
      const number = addModel(database, model);
      const packable: Packable[] = [];
      let generation = -1;
      for (const { key, vectors } of rows) {
        const codes = quantise(vectors);
        writeVectors(database, number, key, codes);
        const waiting = this.#waiting.get(key);
        if (!waiting) continue;
        this.#waiting.delete(key);
        generation = Math.max(generation, waiting.generation);
        if (waiting.generation !== generation) continue;
        for (const doc of waiting.docs) packable.push({ doc, codes });
      }
      const kind = { model: number, generation, dims: model.dimensions };
      if (packable.length > 0) this.#writePack(database, kind, packable);
    });
  }

  counts(model: string, view?: View): VectorCounts {
    return this.#vectors.sound(() => this.#counts(model, view));
  }

  #counts(model: string, view: View | undefined): VectorCounts {
    const { index, keywords } = this.#options;
    return inSnapshot(index, () => {
      const { generation, states } = keywords.living();
      const wants = view ? keywords.admission(view, {}).wants : (): boolean => true;
      const matrix = this.#load(model, generation)?.matrix;
      let stored = 0;
      let pending = 0;
      for (let doc = 0; doc < states.length; doc++) {
        if (states[doc] === 0 || !wants(doc)) continue;
        if (matrix?.has(doc)) stored += 1;
        else pending += 1;
      }
      return { stored, pending };
    });
  }

  rowsOf(model: string, keys: readonly string[]): readonly VectorRow[] {
    return this.#vectors.sound(() => {
      const database = this.#vectors.reader();
      const number = database && modelNumber(database, model);
      if (!database || number === undefined) return [];
      const { dimensions } = readModel(database, model);
      return [...readVectors(database, number, keys)].map(([key, codes]) => {
        return { key, vectors: vectorsFrom(codes, dimensions) };
      });
    });
  }

  models(): readonly EmbeddingModel[] {
    return this.#vectors.sound(() => {
      const database = this.#vectors.reader();
      return database ? readModels(database) : [];
    });
  }

  async drop(models: readonly string[]): Promise<void> {
    if (!this.#vectors.reader()) return;
    await this.#vectors.write((database) => {
      for (const fingerprint of models) {
        const number = modelNumber(database, fingerprint);
        if (number !== undefined) dropModel(database, number);
        this.#loaded.delete(fingerprint);
      }
    });
  }

  close(): void {
    this.#vectors.close();
  }

  /** The packs of a model, brought up to date; undefined if there are none. */
  #load(fingerprint: string, generation: number): Loaded | undefined {
    const database = this.#vectors.reader();
    const model = database && modelNumber(database, fingerprint);
    if (!database || model === undefined) return undefined;
    const numbers = readPackNumbers(database, model, generation);
    let loaded = this.#loaded.get(fingerprint);
    const current = new Set(numbers);
    const goesOn =
      loaded !== undefined &&
      loaded.generation === generation &&
      loaded.model === model &&
      [...loaded.packs].every((pack) => current.has(pack));
    if (!loaded || !goesOn) {
      const matrix = new VectorMatrix(readModel(database, fingerprint).dimensions);
      loaded = { model, generation, matrix, packs: new Set(), completeAt: -1 };
      this.#loaded.set(fingerprint, loaded);
    }
    for (const pack of numbers) {
      if (loaded.packs.has(pack)) continue;
      loaded.matrix.add(readPack(database, pack));
      loaded.packs.add(pack);
    }
    return loaded;
  }

  #docsOf(ids: readonly string[]): number[] {
    if (ids.length === 0) return [];
    return this.#options.index
      .prepare('SELECT doc FROM memories WHERE id IN (SELECT value FROM json_each(?))')
      .all(JSON.stringify(ids))
      .map((row) => Number(row['doc']));
  }

  #textsOf(docs: readonly number[]): Text[] {
    return this.#options.index
      .prepare(
        `SELECT doc, data FROM memories WHERE doc IN (SELECT value FROM json_each(?))
         ORDER BY doc DESC`,
      )
      .all(JSON.stringify(docs))
      .map((row) => {
        const passages = passagesOf(JSON.parse(row['data'] as string) as Memory);
        return { doc: Number(row['doc']), key: passagesKey(passages), passages };
      });
  }

  /** Those of these texts that were embedded before, under whatever document. */
  #knownOf(fingerprint: string, texts: readonly Text[]): Packable[] {
    const database = this.#vectors.reader();
    const model = database && modelNumber(database, fingerprint);
    if (!database || model === undefined) return [];
    const known = readVectors(
      database,
      model,
      texts.map(({ key }) => key),
    );
    return texts.flatMap(({ doc, key }) => {
      const codes = known.get(key);
      return codes ? [{ doc, codes }] : [];
    });
  }

  /** Packs vectors that are there; false where the lock is not free: that is for the next look. */
  #pack(fingerprint: string, generation: number, entries: readonly Packable[]): boolean {
    if (entries.length === 0) return true;
    return this.#vectors.writeIfFree((database) => {
      const model = modelNumber(database, fingerprint) as number;
      const { dimensions: dims } = readModel(database, fingerprint);
      this.#writePack(database, { model, generation, dims }, entries);
    });
  }

  #writePack(
    database: Database,
    kind: { readonly model: number; readonly generation: number; readonly dims: number },
    entries: readonly Packable[],
  ): void {
    const { model, generation, dims } = kind;
    dropOldPacks(database, model, generation);
    const numbers = readPackNumbers(database, model, generation);
    if (numbers.length < MANY_PACKS) {
      writePack(database, kind, entries);
      return;
    }
    // Joined without the documents that are replaced by now.
    const { states } = this.#options.keywords.living();
    const all = new Map<number, Packable>();
    for (const number of numbers) {
      const { docs, passages, codes } = readPack(database, number);
      let at = 0;
      for (let i = 0; i < docs.length; i++) {
        const doc = docs[i] as number;
        const end = at + (passages[i] as number) * dims;
        if (states[doc]) all.set(doc, { doc, codes: codes.subarray(at, end) });
        at = end;
      }
    }
    for (const entry of entries) all.set(entry.doc, entry);
    dropPacks(database, numbers);
    writePack(database, kind, [...all.values()]);
  }

  #remember(texts: readonly Text[], generation: number): PendingText[] {
    const pending = new Map<string, PendingText>();
    for (const { key } of texts) this.#waiting.delete(key);
    for (const { doc, key, passages } of texts) {
      const waiting = this.#waiting.get(key) ?? { generation, docs: [] };
      waiting.docs.push(doc);
      this.#waiting.set(key, waiting);
      pending.set(key, { key, passages });
    }
    return [...pending.values()];
  }
}

function readModel(database: Database, fingerprint: string): EmbeddingModel {
  const found = readModels(database).find((one) => fingerprintOf(one) === fingerprint);
  return found as EmbeddingModel;
}

function unpacked(states: Uint8Array, matrix: VectorMatrix | undefined): number[] {
  const docs: number[] = [];
  for (let doc = states.length - 1; doc >= 0; doc--) {
    if (states[doc] !== 0 && !matrix?.has(doc)) docs.push(doc);
  }
  return docs;
}

function asNearest(hit: RowHit) {
  return new NearestRow(hit);
}

/** Looks at the memory only when it is asked for. */
class NearestRow {
  readonly id: string;
  readonly session: string | undefined;
  readonly cosine: number;
  readonly length: number;
  readonly #hit: RowHit;

  constructor(hit: RowHit) {
    this.#hit = hit;
    this.id = hit.id;
    this.session = hit.session;
    this.cosine = hit.raw;
    this.length = hit.length;
  }

  get stored() {
    return this.#hit.stored;
  }
}

function wrongLength(length: number, dims: number): LociError {
  return new LociError(
    'invalid_input',
    `a vector has ${length} numbers, and its model ${dims}`,
    'Vectors of two models are never compared: run loci re-embed.',
  );
}
