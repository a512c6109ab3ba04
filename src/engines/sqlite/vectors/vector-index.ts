import {
  fingerprintOf,
  passagesKey,
  passagesOf,
  type EmbeddingModel,
} from '../../../domain/embedding.ts';
import { LociError } from '../../../domain/errors.ts';
import type { Memory } from '../../../domain/memory.ts';
import type {
  NearestRequest,
  NearestResult,
  PendingText,
  VectorCounts,
  VectorRow,
} from '../../../ports/engine.ts';
import { isDamage, type Database } from '../drivers/driver.ts';
import type { KeywordIndex } from '../keyword-index.ts';
import { inSnapshot, rollBack, tryBegin, untilFree } from '../lock.ts';
import { RowHit } from '../row-hit.ts';
import { quantise } from '../../shared/vector-codes.ts';
import { VectorMatrix } from './matrix.ts';
import {
  addModel,
  createVectorTables,
  dropModel,
  dropOldPacks,
  dropPacks,
  hasVectorTables,
  modelNumber,
  readModels,
  readPack,
  readPackNumbers,
  readVectors,
  writePack,
  writeVectors,
  type Packable,
} from './tables.ts';

/** Vectors can wait: a write gives up soon when somebody else holds the lock. */
const LOCK_DEADLINE_MS = 50;
/** This many packs of one model are joined into one. */
const MANY_PACKS = 48;
/** Documents looked at for vectors that are there already, at a time. */
const PAGE = 512;

interface Loaded {
  readonly model: number;
  readonly generation: number;
  readonly matrix: VectorMatrix;
  readonly packs: Set<number>;
  /** State of the index at which nothing was pending. */
  completeAt: number;
}

export interface VectorIndexOptions {
  /** Where the memories are read from. */
  readonly index: Database;
  readonly keywords: KeywordIndex;
  /** The database that vectors are kept in, and makes it when something is to be written. */
  readonly open: (forWriting: boolean) => Database | undefined;
  readonly location: string;
  /** Of a file of its own, which may be taken away while it is open. */
  readonly inode?: () => number | undefined;
  /** Removes a damaged file of its own. */
  readonly drop?: () => void;
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
  #database: Database | undefined;
  #hasTables = false;
  #inode: number | undefined;

  constructor(options: VectorIndexOptions) {
    this.#options = options;
  }

  nearest(request: NearestRequest): NearestResult {
    return this.#sound(() => this.#nearest(request));
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
    return this.#sound(() => this.#pending(model, limit));
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
      for (let from = 0; from < docs.length; from += PAGE) {
        const texts = this.#textsOf(docs.slice(from, from + PAGE));
        const known = this.#knownOf(model, texts);
        adopted += known.length;
        if (!this.#pack(model, generation, known)) return [];
        const missing = texts.filter(({ doc }) => !known.some((entry) => entry.doc === doc));
        if (missing.length > 0) return this.#remember(missing, generation).slice(0, limit);
      }
      if (adopted === 0) return [];
    }
  }

  async put(model: EmbeddingModel, rows: readonly VectorRow[]): Promise<void> {
    for (const { vectors } of rows) {
      for (const { length } of vectors) {
        if (length !== model.dimensions) throw wrongLength(length, model.dimensions);
      }
    }
    const database = this.#open(true);
    await this.#write(database, () => {
      createVectorTables(database);
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
      if (packable.length > 0) this.#writePack(number, generation, model.dimensions, packable);
    });
  }

  counts(model: string): VectorCounts {
    return this.#sound(() => this.#counts(model));
  }

  #counts(model: string): VectorCounts {
    const { index, keywords } = this.#options;
    return inSnapshot(index, () => {
      const { generation, states } = keywords.living();
      const matrix = this.#load(model, generation)?.matrix;
      let stored = 0;
      let pending = 0;
      for (let doc = 0; doc < states.length; doc++) {
        if (states[doc] === 0) continue;
        if (matrix?.has(doc)) stored += 1;
        else pending += 1;
      }
      return { stored, pending };
    });
  }

  models(): readonly EmbeddingModel[] {
    return this.#sound(() => {
      const database = this.#reader();
      return database ? readModels(database) : [];
    });
  }

  async drop(models: readonly string[]): Promise<void> {
    const database = this.#reader();
    if (!database) return;
    await this.#write(database, () => {
      for (const fingerprint of models) {
        const number = modelNumber(database, fingerprint);
        if (number !== undefined) dropModel(database, number);
        this.#loaded.delete(fingerprint);
      }
    });
  }

  close(): void {
    this.#database?.close();
    this.#database = undefined;
    this.#hasTables = false;
    this.#loaded.clear();
  }

  /** What is damaged is dropped, and the work done on what is left. */
  #sound<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!isDamage(error) || !this.#options.drop) throw error;
      this.close();
      this.#options.drop();
      return work();
    }
  }

  #open(forWriting: true): Database;
  #open(forWriting: boolean): Database | undefined;
  #open(forWriting: boolean): Database | undefined {
    const inode = this.#options.inode?.();
    if (this.#database && inode !== this.#inode) this.close();
    const database = this.#openedOr(forWriting);
    this.#inode = this.#options.inode?.();
    return database;
  }

  #openedOr(forWriting: boolean): Database | undefined {
    return (this.#database ??= this.#options.open(forWriting));
  }

  /** Undefined as long as nothing was ever written: reading makes nothing. */
  #reader(): Database | undefined {
    const database = this.#open(false);
    if (!database) return undefined;
    this.#hasTables ||= hasVectorTables(database);
    return this.#hasTables ? database : undefined;
  }

  /**
   * One transaction from begin to end without a pause: this connection serves several callers.
   * @throws LociError busy
   */
  #write(database: Database, work: () => void): Promise<void> {
    const once = (): void => {
      database.prepare('BEGIN IMMEDIATE').run();
      try {
        work();
        database.exec('COMMIT');
      } catch (error) {
        rollBack(database);
        throw error;
      }
    };
    return untilFree(once, this.#options.location, LOCK_DEADLINE_MS);
  }

  /** The packs of a model, brought up to date; undefined if there are none. */
  #load(fingerprint: string, generation: number): Loaded | undefined {
    const database = this.#reader();
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
      const info = readModels(database).find((one) => fingerprintOf(one) === fingerprint);
      const matrix = new VectorMatrix((info as EmbeddingModel).dimensions);
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

  #textsOf(docs: readonly number[]): { doc: number; key: string; passages: readonly string[] }[] {
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
  #knownOf(
    fingerprint: string,
    texts: readonly { readonly doc: number; readonly key: string }[],
  ): Packable[] {
    const database = this.#reader();
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
    const database = this.#open(true);
    const model = modelNumber(database, fingerprint) as number;
    const loaded = this.#loaded.get(fingerprint) as Loaded | undefined;
    const dims =
      loaded?.matrix.dims ??
      (readModels(database).find((one) => fingerprintOf(one) === fingerprint) as EmbeddingModel)
        .dimensions;
    if (!tryBegin(database)) return false;
    try {
      this.#writePack(model, generation, dims, entries);
      database.exec('COMMIT');
      return true;
    } catch (error) {
      rollBack(database);
      throw error;
    }
  }

  #writePack(model: number, generation: number, dims: number, entries: readonly Packable[]): void {
    const database = this.#open(true);
    dropOldPacks(database, model, generation);
    const numbers = readPackNumbers(database, model, generation);
    if (numbers.length < MANY_PACKS) {
      writePack(database, { model, generation, dims }, entries);
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
    writePack(database, { model, generation, dims }, [...all.values()]);
  }

  #remember(
    texts: readonly { doc: number; key: string; passages: readonly string[] }[],
    generation: number,
  ): PendingText[] {
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
