import { passagesKey, passagesOf, type EmbeddingModel } from '../../../domain/embedding.ts';
import type { Finding } from '../../../domain/finding.ts';
import type { Memory } from '../../../domain/memory.ts';
import type { View } from '../../../domain/view.ts';
import type {
  HitAtHand,
  NearestRequest,
  NearestResult,
  PendingText,
  VectorCounts,
  VectorRow,
} from '../../../ports/engine.ts';
import type { Scored } from '../../shared/candidates.ts';
import { requireVector, requireVectors } from '../../shared/vectors/checks.ts';
import { encode, joined, split } from '../../shared/vectors/codes.ts';
import type { Database } from '../drivers/driver.ts';
import type { KeywordIndex } from '../keyword-index.ts';
import { inSnapshot } from '../lock.ts';
import { hitsOf } from '../hits.ts';
import { dropTexts, findDamage, removeDamage, type Damage } from './check.ts';
import { NearestRow } from '../../shared/nearest-row.ts';
import { PackedModel } from './packed-model.ts';
import { addPack, sweepPacks, type Packable, type PackKind } from './packs.ts';
import {
  addModel,
  dropModel,
  keepVectors,
  modelNumber,
  readDims,
  readExact,
  readModels,
  readVectors,
  textsOfKeys,
} from './tables.ts';
import { VectorDatabase, type VectorDatabaseOptions } from './vector-database.ts';

/** Documents looked at for vectors that are there already, at a time. */
const PAGE = 512;
/** Repairs wait for whoever writes vectors, milliseconds. */
const REPAIR_DEADLINE_MS = 10_000;

/** What is embedded of a document. */
interface Text extends PendingText {
  readonly doc: number;
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
  readonly #models = new Map<string, PackedModel>();
  /** Documents that wait for the vectors of a text. */
  readonly #waiting = new Map<string, { readonly generation: number; readonly docs: number[] }>();
  readonly #vectors: VectorDatabase;

  constructor(options: VectorIndexOptions) {
    this.#options = options;
    this.#vectors = new VectorDatabase(options, () => this.#models.clear());
  }

  nearest(request: NearestRequest): NearestResult {
    return this.#vectors.sound(() => this.#nearest(request));
  }

  #nearest({ view, filter, model, vector, k, also = [] }: NearestRequest): NearestResult {
    const { index, keywords } = this.#options;
    return inSnapshot(index, () => {
      const { generation, wants } = keywords.admission(view, filter);
      const packed = this.#packed(model, generation);
      const database = packed && this.#vectors.reader();
      if (!database) return { hits: [], mean: 0, deviation: 0, compared: 0 };
      requireVector(vector, packed.kind.dims);
      const read = (texts: readonly number[]) => readExact(database, texts);
      const matrix = packed.matrix(database);
      const { best, ...moments } = matrix.nearest(vector, k, wants, read);
      const cosines = new Map(this.#first(best, k).map(({ doc, raw }) => [doc, raw]));
      const known = this.#docsOf(also);
      const named = [...known.keys()].filter((doc) => wants(doc) && !cosines.has(doc));
      for (const [doc, cosine] of matrix.cosinesOf(named, vector, read)) cosines.set(doc, cosine);
      const atHand = [...cosines].filter(([doc]) => known.has(doc));
      const unread = [...cosines].filter(([doc]) => !known.has(doc));
      const hits = [
        ...atHand.map(([doc, cosine]) => new NearestRow(known.get(doc) as HitAtHand, cosine)),
        ...hitsOf(index, new Map(unread)).map((hit) => new NearestRow(hit, hit.raw)),
      ];
      hits.sort((a, b) => b.cosine - a.cosine || (a.id < b.id ? -1 : 1));
      return { hits, ...moments };
    });
  }

  /** The first k of the best: where several are equal, ids decide. */
  #first(best: readonly Scored[], k: number): readonly Scored[] {
    if (best.length <= k) return best;
    const ids = new Map(
      this.#options.index
        .prepare('SELECT doc, id FROM memories WHERE doc IN (SELECT value FROM json_each(?))')
        .all(JSON.stringify(best.map(({ doc }) => doc)))
        .map((row) => [Number(row['doc']), row['id'] as string]),
    );
    const idOf = ({ doc }: Scored): string => ids.get(doc) ?? '';
    const order = best.toSorted((a, b) => b.raw - a.raw || (idOf(a) < idOf(b) ? -1 : 1));
    return order.slice(0, k);
  }

  /** @throws LociError unsupported when the vectors are of a newer program */
  pending(model: string, limit: number): readonly PendingText[] {
    this.#vectors.requireKnownFormat();
    return this.#vectors.sound(() => this.#pending(model, limit));
  }

  #pending(model: string, limit: number): readonly PendingText[] {
    const { index, keywords } = this.#options;
    for (;;) {
      const { generation, docs } = inSnapshot(index, () => {
        const living = keywords.living();
        const packed = this.#packed(model, living.generation);
        if (packed?.completeAt === living.freshness) return { ...living, docs: [] };
        const waiting = unpacked(living.states, packed);
        if (packed && waiting.length === 0) packed.completeAt = living.freshness;
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
        const found = new Set(known.map(({ doc }) => doc));
        missing.push(...texts.filter(({ doc }) => !found.has(doc)));
      }
      if (missing.length > 0) return this.#remember(missing, generation).slice(0, limit);
      if (adopted === 0) return [];
    }
  }

  async put(model: EmbeddingModel, rows: readonly VectorRow[]): Promise<void> {
    requireVectors(model, rows);
    const { dimensions: dims } = model;
    await this.#vectors.write((database) => {
      const number = addModel(database, model);
      const packable: Packable[] = [];
      let generation = -1;
      for (const { key, vectors } of rows) {
        const { text, numbers } = keepVectors(database, number, key, joined(vectors));
        const waiting = this.#waiting.get(key);
        if (!waiting) continue;
        this.#waiting.delete(key);
        generation = Math.max(generation, waiting.generation);
        if (waiting.generation !== generation) continue;
        const codes = encode(numbers, dims);
        for (const doc of waiting.docs) packable.push({ doc, text, ...codes });
      }
      if (packable.length > 0)
        this.#addPack(database, { model: number, generation, dims }, packable);
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
      const packed = this.#packed(model, generation);
      let stored = 0;
      let pending = 0;
      for (let doc = 0; doc < states.length; doc++) {
        if (states[doc] === 0 || !wants(doc)) continue;
        if (packed?.has(doc)) stored += 1;
        else pending += 1;
      }
      return { stored, pending };
    });
  }

  rowsOf(fingerprint: string, keys: readonly string[]): readonly VectorRow[] {
    return this.#vectors.sound(() => {
      const database = this.#vectors.reader();
      const model = database && modelNumber(database, fingerprint);
      if (!database || model === undefined) return [];
      const dims = readDims(database, model);
      return [...readVectors(database, model, keys)].map(([key, { numbers }]) => {
        return { key, vectors: split(numbers, dims) };
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
        this.#models.delete(fingerprint);
      }
    });
  }

  /**
   * Forgets the vectors of these texts (`passagesKey`), of every model, and what was made of them.
   * @throws LociError busy; unsupported when they are of a newer program
   */
  async forget(keys: readonly string[]): Promise<void> {
    for (const key of keys) this.#waiting.delete(key);
    this.#vectors.requireKnownFormat();
    if (!this.#vectors.reader()) return;
    await this.#vectors.write((database) => {
      dropTexts(database, new Set(textsOfKeys(database, keys)));
      this.#models.clear();
    }, REPAIR_DEADLINE_MS);
  }

  /** What is wrong with where the vectors are, as far as it was met. */
  findings(): Finding[] {
    return this.#vectors.findings();
  }

  /** Compares all vectors with what was made of them; changes nothing. */
  check(): Finding[] {
    const whole = this.#vectors.damage();
    if (whole) return [whole];
    const known = this.#vectors.findings();
    const { texts, packs } = this.#damage();
    if (texts.size + packs.length === 0) return known;
    const message = `the vectors of ${texts.size} texts and ${packs.length} packs are damaged`;
    const hint = 'Run: loci reindex. What is damaged is taken out then and made again.';
    return [...known, { check: 'vectors', severity: 'error', message, hint }];
  }

  /**
   * Takes out what is damaged, so that it is made again.
   * @throws LociError busy
   */
  async repair(): Promise<void> {
    if (this.#vectors.damage()) {
      this.#vectors.dropDamaged();
      return;
    }
    const damage = this.#damage();
    if (damage.texts.size + damage.packs.length === 0) return;
    await this.#vectors.write((database) => {
      removeDamage(database, damage);
      this.#models.clear();
    }, REPAIR_DEADLINE_MS);
  }

  /**
   * Takes the bytes of what was deleted out of the file.
   * @throws LociError busy
   */
  wipe(): Promise<void> {
    return this.#vectors.wipe();
  }

  close(): void {
    this.#vectors.close();
  }

  #damage(): Damage {
    const database = this.#vectors.reader();
    return database ? findDamage(database) : { texts: new Set(), packs: [] };
  }

  /** What is packed of a model, brought up to date; undefined if nothing ever was. */
  #packed(fingerprint: string, generation: number): PackedModel | undefined {
    const database = this.#vectors.reader();
    const model = database && modelNumber(database, fingerprint);
    if (!database || model === undefined) return undefined;
    let packed = this.#models.get(fingerprint);
    if (packed?.kind.model !== model || packed.kind.generation !== generation) {
      packed = new PackedModel(database, model, generation);
      this.#models.set(fingerprint, packed);
    }
    packed.refresh(database);
    return packed;
  }

  #docsOf(hits: readonly HitAtHand[]): Map<number, HitAtHand> {
    if (hits.length === 0) return new Map();
    const byId = new Map(hits.map((hit) => [hit.id, hit]));
    const rows = this.#options.index
      .prepare('SELECT doc, id FROM memories WHERE id IN (SELECT value FROM json_each(?))')
      .all(JSON.stringify([...byId.keys()]));
    return new Map(
      rows.map((row) => [Number(row['doc']), byId.get(row['id'] as string) as HitAtHand]),
    );
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
    const dims = readDims(database, model);
    const keys = texts.map(({ key }) => key);
    const known = readVectors(database, model, keys);
    return texts.flatMap(({ doc, key, passages }) => {
      const { text, numbers } = known.get(key) ?? {};
      if (text === undefined || numbers?.length !== passages.length * dims) return [];
      return [{ doc, text, ...encode(numbers, dims) }];
    });
  }

  /** Packs vectors that are there; false where the lock is not free: that is for the next look. */
  #pack(fingerprint: string, generation: number, entries: readonly Packable[]): boolean {
    if (entries.length === 0) return true;
    return this.#vectors.writeIfFree((database) => {
      const model = modelNumber(database, fingerprint) as number;
      this.#addPack(database, { model, generation, dims: readDims(database, model) }, entries);
    });
  }

  #addPack(database: Database, kind: PackKind, entries: readonly Packable[]): void {
    const { states } = this.#options.keywords.living();
    const isCurrent = (doc: number): boolean => (states[doc] ?? 0) !== 0;
    addPack(database, kind, entries, isCurrent);
    const living = states.reduce((count, state) => count + Number(state !== 0), 0);
    sweepPacks(database, kind, living, isCurrent);
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

function unpacked(states: Uint8Array, packed: PackedModel | undefined): number[] {
  const docs: number[] = [];
  for (let doc = states.length - 1; doc >= 0; doc--) {
    if (states[doc] !== 0 && !packed?.has(doc)) docs.push(doc);
  }
  return docs;
}
