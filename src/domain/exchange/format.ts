import { createHash } from 'node:crypto';
import * as z from 'zod';
import { fingerprintOf, type EmbeddingModel } from '../embedding.ts';
import { LociError, quote } from '../errors.ts';
import type { LogEvent } from '../event.ts';
import { SHA256_HEX } from '../evidence.ts';
import { checkedEvent } from './checked-event.ts';

/** Version of the files that this program writes; newer ones are refused. */
export const EXPORT_VERSION = 1;

/** How much there is of each kind. */
export interface RowCounts {
  readonly memories: number;
  readonly events: number;
  readonly entities: number;
  /** Texts. */
  readonly vectors: number;
  /** Blobs. */
  readonly evidence: number;
}

/** The first line of an export. */
export interface ExportHeader {
  readonly loci_export: number;
  readonly at: string;
  /** Version of the program that wrote it. */
  readonly program: string;
  /** The project it is confined to; null = the whole store. */
  readonly project: string | null;
  /** The store keeps agents apart; absent where it does not. */
  readonly isolated?: boolean;
  readonly counts: RowCounts;
  /** Of the store as it was exported; null where it was written to meanwhile. */
  readonly state_hash?: string | null;
}

/** The vectors of one text: base64 of 32-bit floats, little-endian, one a passage. */
export interface VectorLine {
  /** Fingerprint of the model, whose line comes before. */
  readonly model: string;
  /** `passagesKey` of the text. */
  readonly key: string;
  readonly passages: readonly string[];
}

/** A blob that memories name as evidence. */
export interface EvidenceLine {
  readonly sha256: string;
  /** Base64. */
  readonly bytes: string;
}

/** Any other line. */
export type ExportRow =
  | { readonly event: LogEvent }
  | { readonly model: EmbeddingModel }
  | { readonly vectors: VectorLine }
  | { readonly evidence: EvidenceLine };

const count = z.int().min(0);
const headerSchema = z.looseObject({
  loci_export: z.int().min(1),
  at: z.string(),
  program: z.string(),
  project: z.string().nullable(),
  isolated: z.boolean().optional(),
  counts: z.looseObject({
    memories: count,
    events: count,
    entities: count,
    vectors: count,
    evidence: count,
  }),
  state_hash: z.string().nullable().optional(),
});

const modelSchema = z.looseObject({
  provider: z.string(),
  model: z.string(),
  revision: z.string().optional(),
  dimensions: z.int().min(1).max(100_000),
  queryPrefix: z.string(),
  documentPrefix: z.string(),
});

const vectorsSchema = z.looseObject({
  model: z.string().regex(/^[0-9a-f]{32}$/),
  key: z.string().regex(/^[0-9a-f]{32}$/),
  passages: z.array(z.string()).min(1),
});

const evidenceSchema = z.looseObject({
  sha256: z.string().regex(SHA256_HEX),
  bytes: z.base64(),
});

/** @throws LociError invalid_input for what is no export; unsupported for one of a newer program */
export function parseHeader(line: string, path: string): ExportHeader {
  const value = jsonObject(line);
  const version = value?.['loci_export'];
  if (typeof version !== 'number') {
    throw new LociError(
      'invalid_input',
      `${path} is no export of Loci: its first line is ${quote(line)}`,
      'Make one with: loci export --out FILE.jsonl',
    );
  }
  if (version > EXPORT_VERSION) {
    throw new LociError(
      'unsupported',
      `${path} has format version ${version}; this program knows versions up to ${EXPORT_VERSION}`,
      'Nothing was changed. Update Loci on this machine.',
    );
  }
  const checked = headerSchema.safeParse(value);
  if (checked.success) return checked.data as ExportHeader;
  const field = checked.error.issues[0]?.path.join('.') ?? '';
  throw new LociError(
    'invalid_input',
    `${path} is no export of Loci: its header has no sound ${field}`,
    'Take another copy of the file.',
  );
}

/** @throws LociError invalid_input that says what is wrong with the line; unsupported */
export function parseRow(line: string): ExportRow {
  const value = jsonObject(line);
  if (!value) throw bad(`it is no JSON object: ${quote(line)}`);
  if ('event' in value) return { event: checkedEvent(value['event']) };
  if ('model' in value) return { model: parsed(modelSchema, value['model']) as EmbeddingModel };
  if ('vectors' in value) return { vectors: parsed(vectorsSchema, value['vectors']) };
  if ('evidence' in value) return { evidence: parsed(evidenceSchema, value['evidence']) };
  throw bad(`it is no row of an export: ${quote(line)}`);
}

export function modelRow(model: EmbeddingModel): ExportRow {
  return { model };
}

export function vectorsRow(
  model: EmbeddingModel,
  key: string,
  vectors: readonly Float32Array[],
): ExportRow {
  const passages = vectors.map((vector) => {
    const bytes = Buffer.alloc(vector.length * 4);
    vector.forEach((value, i) => bytes.writeFloatLE(value, i * 4));
    return bytes.toString('base64');
  });
  return { vectors: { model: fingerprintOf(model), key, passages } };
}

export function evidenceRow(sha256: string, bytes: Uint8Array): ExportRow {
  return { evidence: { sha256, bytes: Buffer.from(bytes).toString('base64') } };
}

/** @throws LociError invalid_input for a blob that is not what its name says */
export function evidenceIn({ sha256, bytes }: EvidenceLine): Uint8Array {
  const blob = Buffer.from(bytes, 'base64');
  if (createHash('sha256').update(blob).digest('hex') !== sha256) {
    throw bad(`the bytes of evidence ${sha256} are not those of its name`);
  }
  return blob;
}

/** @throws LociError invalid_input for vectors of other dimensions, or that hold no numbers */
export function vectorsIn(
  { passages }: VectorLine,
  { dimensions }: EmbeddingModel,
): Float32Array[] {
  return passages.map((text) => {
    const bytes = Buffer.from(text, 'base64');
    if (bytes.length !== dimensions * 4) {
      throw bad(`a vector has ${bytes.length / 4} numbers, and its model ${dimensions}`);
    }
    const vector = Float32Array.from({ length: dimensions }, (_, i) => bytes.readFloatLE(i * 4));
    if (!vector.every(Number.isFinite)) throw bad('a vector holds what is no number');
    return vector;
  });
}

function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw bad(`${issue?.path.join('.')}: ${issue?.message}`);
}

function jsonObject(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function bad(message: string): LociError {
  return new LociError('invalid_input', message);
}
