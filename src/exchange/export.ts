import { resolve } from 'node:path';
import { projectOf } from '../domain/exchange/project-of.ts';
import {
  EXPORT_VERSION,
  evidenceRow,
  modelRow,
  vectorsRow,
  type ExportHeader,
  type RowCounts,
} from '../domain/exchange/format.ts';
import type { LogEvent } from '../domain/event.ts';
import { LociError } from '../domain/errors.ts';
import type { ExportOptions, ExportResult } from '../domain/moving.ts';
import { exportOptions } from '../domain/moving-options.ts';
import { parseInput } from '../domain/parse.ts';
import { toIso } from '../domain/time.ts';
import { VIEW_ALL, type View } from '../domain/view.ts';
import type { Deps } from '../ports/deps.ts';
import type { Engine } from '../ports/engine.ts';
import type { Progress } from '../ports/log-life.ts';
import { eventPages, evidenceNamed, vectorPages } from './rows.ts';
import { fileSink, type Sink } from './sink.ts';

/** What a caller lends an export. */
export interface ExportIo {
  readonly progress?: Progress | undefined;
  /** Takes the lines where no file is named. */
  readonly write?: ((text: string) => Promise<void>) | undefined;
}

export const NO_ROWS: RowCounts = { memories: 0, events: 0, entities: 0, vectors: 0, evidence: 0 };

/**
 * Writes a store, or one project of it, as JSON lines: a header, every event, and the vectors of what
 * is current. It is one state of the store, whoever writes meanwhile.
 * @throws LociError invalid_input, unavailable
 */
export async function exportStore(
  options: ExportOptions,
  deps: Deps,
  io: ExportIo = {},
): Promise<ExportResult> {
  const { out, project } = parseInput(exportOptions, options, 'export');
  const file = out === undefined ? null : resolve(deps.documents.cwd, out);
  const sink = file === null ? passedOn(io.write) : fileSink(file);
  try {
    const inserted = await writeExport(sink, deps, { project, progress: io.progress });
    await sink.finish();
    return { file, inserted, skipped: NO_ROWS, errors: [] };
  } catch (error) {
    await sink.discard();
    throw error;
  }
}

export interface ExportScope {
  readonly project?: string | undefined;
  readonly stateHash?: string | null;
  /** Events that are meant; default all that there are now. */
  readonly count?: number;
  readonly progress?: Progress | undefined;
}

/** @returns what was written */
export async function writeExport(
  sink: Sink,
  { engine, clock, version }: Pick<Deps, 'engine' | 'clock' | 'version'>,
  { project, stateHash, count, progress }: ExportScope,
): Promise<RowCounts> {
  const view: View = project === undefined ? VIEW_ALL : { projects: [project], agents: 'all' };
  const all = count ?? (await engine.stats(VIEW_ALL)).events;
  const wanted = (event: LogEvent): boolean =>
    project === undefined || projectOf(event) === project;
  const contents = await survey(engine, all, wanted);
  const counts = {
    memories: (await engine.stats(view)).total,
    events: contents.events,
    entities: (await engine.records('entity', view)).length,
    vectors: await countVectors(engine, view),
    evidence: contents.evidence.length,
  };
  const header: ExportHeader = {
    loci_export: EXPORT_VERSION,
    at: toIso(clock.nowMs()),
    program: version,
    project: project ?? null,
    ...(engine.isolated ? { isolated: true } : {}),
    counts,
    ...(stateHash === undefined ? {} : { state_hash: stateHash }),
  };
  await sink.write(lineOf(header));
  // Before the events: what they name is there then.
  for (const sha256 of contents.evidence) {
    const bytes = (await engine.evidence(sha256)) as Uint8Array;
    await sink.write(lineOf(evidenceRow(sha256, bytes)));
  }
  let done = 0;
  for await (const page of eventPages(engine, all)) {
    const rows = page.filter(wanted);
    for (const event of rows) await sink.write(lineOf({ event }));
    done += rows.length;
    progress?.(done, counts.events + counts.vectors);
  }
  let model: unknown;
  for await (const page of vectorPages(engine, view)) {
    if (page.model !== model) await sink.write(lineOf(modelRow(page.model)));
    model = page.model;
    for (const { key, vectors } of page.rows) {
      await sink.write(lineOf(vectorsRow(page.model, key, vectors)));
    }
    done += page.rows.length;
    progress?.(done, counts.events + counts.vectors);
  }
  return counts;
}

interface Contents {
  readonly events: number;
  /** Hashes of the blobs that are there, of those that the events name. */
  readonly evidence: readonly string[];
}

async function survey(
  engine: Engine,
  all: number,
  wanted: (event: LogEvent) => boolean,
): Promise<Contents> {
  let events = 0;
  const named = new Set<string>();
  for await (const page of eventPages(engine, all)) {
    const rows = page.filter(wanted);
    events += rows.length;
    for (const sha256 of evidenceNamed(rows)) named.add(sha256);
  }
  const evidence: string[] = [];
  for (const sha256 of named) if (await engine.evidence(sha256)) evidence.push(sha256);
  return { events, evidence };
}

/** Texts with vectors, over all models. */
async function countVectors(engine: Engine, view: View): Promise<number> {
  let found = 0;
  for await (const { rows } of vectorPages(engine, view)) found += rows.length;
  return found;
}

function lineOf(row: object): string {
  return `${JSON.stringify(row)}\n`;
}

function passedOn(write: ExportIo['write']): Sink {
  if (!write) {
    throw new LociError('invalid_input', 'export is given no file', 'Name one with out.');
  }
  return { write, finish: async () => undefined, discard: async () => undefined };
}
