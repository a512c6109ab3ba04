import { resolve } from 'node:path';
import {
  fingerprintOf,
  passagesKey,
  passagesOf,
  type EmbeddingModel,
} from '../domain/embedding.ts';
import { asLociError, LociError } from '../domain/errors.ts';
import { isMemoryEvent, type MemoryEvent } from '../domain/event.ts';
import {
  parseHeader,
  parseRow,
  evidenceIn,
  vectorsIn,
  type ExportHeader,
  type ExportRow,
} from '../domain/exchange/format.ts';
import type { ImportOptions, ImportResult, MoveError } from '../domain/moving.ts';
import { importOptions } from '../domain/moving-options.ts';
import { parseInput } from '../domain/parse.ts';
import type { Deps } from '../ports/deps.ts';
import type { Engine, VectorRow } from '../ports/engine.ts';
import type { Progress } from '../ports/log-life.ts';
import { EventPlanner } from './plan-events.ts';
import { readLines, requireFile } from './read-lines.ts';
import { requireDrawers } from './require-drawers.ts';
import { EventTaker } from './take-events.ts';
import { EvidenceTaker } from './take-evidence.ts';
import { VectorTaker } from './take-vectors.ts';

/** What is wrong with this many lines is told; of a wrong file nobody reads more. */
const MOST_ERRORS = 1000;

/**
 * Takes the rows of an export into this store. What is there already is passed over, so that it may be
 * done again; a bad line is named and the others are taken. The file is read twice, and never
 * held in memory: first to check it, then to write.
 * @throws LociError not_found, invalid_input for a file that is no export; unsupported for one of a
 * newer program, with nothing changed; busy, unavailable
 */
export async function importFile(
  options: ImportOptions,
  deps: Pick<Deps, 'engine' | 'documents' | 'vectors'>,
  progress?: Progress,
): Promise<ImportResult> {
  const { file, from = file, dryRun = false } = parseInput(importOptions, options, 'import');
  if (from === undefined || (file !== undefined && file !== from)) {
    throw new LociError('invalid_input', 'import takes one file', 'Name it: loci import FILE');
  }
  const path = resolve(deps.documents.cwd, from);
  const { engine } = deps;
  const { isolated = false } = await readHeader(path);
  requireDrawers({ what: `the store that ${from} is of`, isolated }, engine);
  const errors = new Errors();
  const { position } = await engine.head();
  const planner = new EventPlanner(engine, position === 0);
  const steps = stepsOf(progress);
  for await (const row of rowsOf(path, errors, steps)) {
    if ('event' in row) await planner.add(row.event);
  }
  const plan = await planner.finish({ isPart: errors.some });
  const events = new EventTaker(engine, plan, dryRun);
  const evidence = new EvidenceTaker(engine, dryRun);
  const vectors = new VectorTaker(engine, dryRun);
  const gone = new Set<string>();
  for await (const row of rowsOf(path, new Errors(), steps)) {
    if ('event' in row) {
      const { event } = row;
      if (isMemoryEvent(event) && plan.purged.has(event.subject)) gone.add(textOf(event));
      await events.add(event);
    } else if ('blob' in row) {
      if (plan.evidence.has(row.sha256)) await evidence.add(row.sha256, async () => row.blob);
    } else if (!gone.has(row.row.key)) await vectors.add(row.model, row.row);
  }
  await events.flush();
  await vectors.flush();
  if (!dryRun) await adopt(engine);
  deps.vectors?.nudge();
  const { inserted, skipped, updated } = events.counts;
  return {
    inserted: { ...inserted, vectors: vectors.inserted, evidence: evidence.inserted },
    skipped: { ...skipped, vectors: vectors.skipped, evidence: evidence.skipped },
    updated,
    dry_run: dryRun,
    errors: errors.told,
  };
}

/**
 * What a file says of itself.
 * @throws LociError not_found, unavailable, invalid_input, unsupported
 */
export async function readHeader(path: string): Promise<ExportHeader> {
  await requireFile(path);
  for await (const { text } of readLines(path)) return parseHeader(text, path);
  return parseHeader('', path);
}

/** Vectors that came without being asked for are taken up when somebody asks what is missing. */
export async function adopt(engine: Engine): Promise<void> {
  for (const model of await engine.vectorModels()) {
    await engine.pendingVectors(fingerprintOf(model), 1);
  }
}

/** The key of the vectors that a text has. */
function textOf({ data }: MemoryEvent): string {
  return passagesKey(passagesOf(data));
}

type SoundRow =
  | Extract<ExportRow, { event: unknown }>
  | { readonly sha256: string; readonly blob: Uint8Array }
  | { readonly model: EmbeddingModel; readonly row: VectorRow };

/** The sound rows of a file; the others become errors. */
async function* rowsOf(
  path: string,
  errors: Errors,
  step: (header: ExportHeader) => void,
): AsyncIterable<SoundRow> {
  const models = new Map<string, EmbeddingModel>();
  const seen = { events: 0, vectors: 0, evidence: 0 };
  let header: ExportHeader | undefined;
  let last = 0;
  try {
    for await (const { line, text, tooLong } of readLines(path)) {
      last = line;
      if (tooLong) {
        errors.add(line, 'the line is too long to be read');
        continue;
      }
      if (!header) {
        header = parseHeader(text, path);
        continue;
      }
      const row = errors.orNothing(line, () => soundRow(text, models));
      if (!row) continue;
      if ('event' in row) seen.events += 1;
      else if ('blob' in row) seen.evidence += 1;
      else seen.vectors += 1;
      step(header);
      yield row;
    }
  } catch (error) {
    const { code, message } = asLociError(error);
    if (code !== 'corrupt' || !header) throw error;
    errors.add(last, message);
    return;
  }
  if (!header) parseHeader('', path);
  const { counts } = header as ExportHeader;
  // Not of vectors: what is changed while a file is written has none yet, and they can be made again.
  for (const kind of ['evidence', 'events'] as const) {
    if (seen[kind] >= counts[kind] || errors.some) continue;
    const message = `the file ends early: its header speaks of ${counts[kind]} ${kind}, ${seen[kind]} are there`;
    errors.add(last, message);
  }
}

function soundRow(text: string, models: Map<string, EmbeddingModel>): SoundRow | undefined {
  const row = parseRow(text);
  if ('event' in row) return row;
  if ('evidence' in row) return { sha256: row.evidence.sha256, blob: evidenceIn(row.evidence) };
  if ('model' in row) {
    models.set(fingerprintOf(row.model), row.model);
    return undefined;
  }
  const model = models.get(row.vectors.model);
  if (!model) {
    throw new LociError('invalid_input', `no line before it names the model ${row.vectors.model}`);
  }
  return { model, row: { key: row.vectors.key, vectors: vectorsIn(row.vectors, model) } };
}

class Errors {
  readonly #told: MoveError[] = [];
  #more = 0;

  add(line: number, message: string): void {
    if (this.#told.length < MOST_ERRORS) this.#told.push({ line, message });
    else this.#more += 1;
  }

  /** @throws what says that the whole file is not for this program */
  orNothing<T>(line: number, work: () => T): T | undefined {
    try {
      return work();
    } catch (thrown) {
      const error = asLociError(thrown);
      if (error.code !== 'invalid_input') throw error;
      this.add(line, error.message);
      return undefined;
    }
  }

  get some(): boolean {
    return this.#told.length > 0;
  }

  get told(): readonly MoveError[] {
    if (this.#more === 0) return this.#told;
    const last = this.#told.at(-1)?.line ?? 0;
    return [...this.#told, { line: last, message: `and ${this.#more} more lines after it` }];
  }
}

/** Both readings of the file as one progress. */
function stepsOf(progress: Progress | undefined): (header: ExportHeader) => void {
  let done = 0;
  return ({ counts }) => {
    done += 1;
    progress?.(done, 2 * (counts.events + counts.vectors + counts.evidence));
  };
}
