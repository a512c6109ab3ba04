import { encode } from '../../shared/vectors/codes.ts';
import type { Database } from '../drivers/driver.ts';
import { bytesOf } from './blobs.ts';
import { allPacks, deletePacks, readPack, unpack, unpackTexts, type Packable } from './packs.ts';
import { deleteTexts, readDims, readExact } from './tables.ts';

/** Vectors compared at a time. */
const PAGE = 512;

export interface Damage {
  /** Texts whose vectors cannot be right. */
  readonly texts: ReadonlySet<number>;
  /** Packs whose parts do not fit together. */
  readonly packs: readonly number[];
}

/** Whether every text has whole vectors, and every pack the codes that those give. */
export function findDamage(database: Database): Damage {
  const texts = new Set(unevenTexts(database));
  const packs: number[] = [];
  for (const { pack, model } of allPacks(database)) {
    const dims = readDims(database, model);
    const found = readPack(database, pack, dims);
    if (!found) packs.push(pack);
    const entries = [...unpack(found, dims)];
    for (let from = 0; from < entries.length; from += PAGE) {
      for (const text of unlike(database, entries.slice(from, from + PAGE), dims)) texts.add(text);
    }
  }
  return { texts, packs };
}

/** Takes out what is damaged, in the transaction of the caller: then it is pending. */
export function removeDamage(database: Database, { texts, packs }: Damage): void {
  deletePacks(database, packs);
  dropTexts(database, texts);
}

/** Forgets the vectors of texts, and all that was made of them. */
export function dropTexts(database: Database, texts: ReadonlySet<number>): void {
  unpackTexts(database, texts, (model) => readDims(database, model));
  deleteTexts(database, [...texts]);
}

/** Texts with a rest that is no whole vector, or with none. */
function unevenTexts(database: Database): number[] {
  return database
    .prepare(
      `SELECT v.text AS text FROM vectors v JOIN vector_models m ON m.model = v.model
       WHERE length(v.numbers) = 0
         OR length(v.numbers) % (4 * json_extract(m.info, '$.dimensions')) <> 0`,
    )
    .all()
    .map(({ text }) => Number(text));
}

/** Texts whose vectors give other codes than these, or are not there. */
function unlike(database: Database, entries: readonly Packable[], dims: number): number[] {
  const vectors = readExact(
    database,
    entries.map(({ text }) => text),
  );
  return entries.flatMap(({ text, codes, measures }) => {
    const numbers = vectors.get(text);
    const right = numbers && numbers.length % dims === 0 ? encode(numbers, dims) : undefined;
    const same =
      right !== undefined &&
      Buffer.compare(bytesOf(right.codes), bytesOf(codes)) === 0 &&
      Buffer.compare(bytesOf(right.measures), bytesOf(measures)) === 0;
    return same ? [] : [text];
  });
}
