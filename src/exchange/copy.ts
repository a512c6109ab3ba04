import { LociError } from '../domain/errors.ts';
import type { CopyOptions, CopyResult } from '../domain/moving.ts';
import { copyOptions } from '../domain/moving-options.ts';
import { parseInput } from '../domain/parse.ts';
import { VIEW_ALL } from '../domain/view.ts';
import type { Deps } from '../ports/deps.ts';
import type { Engine } from '../ports/engine.ts';
import type { Progress } from '../ports/log-life.ts';
import { adopt } from './import.ts';
import { EventPlanner } from './plan-events.ts';
import { requireDrawers } from './require-drawers.ts';
import { eventPages, evidenceNamed, vectorPages } from './rows.ts';
import { EventTaker } from './take-events.ts';
import { EvidenceTaker } from './take-evidence.ts';
import { VectorTaker } from './take-vectors.ts';

/** While somebody writes to the source, what came meanwhile is copied too, so often. */
const ROUNDS = 5;

/**
 * Copies everything into another store, whatever engine keeps it, and proves that both are equal. One
 * that was stopped goes on where it was; a store that holds what this one lacks is refused.
 * @throws LociError conflict, invalid_input, busy, unavailable
 */
export async function copyStore(
  options: CopyOptions,
  { engine, others }: Deps,
  progress?: Progress,
): Promise<CopyResult> {
  const { to, dryRun = false } = parseInput(copyOptions, options, 'copy');
  const target = await others.open(to, false);
  try {
    requireFitting(engine, target);
    const moved = await copyEvents(engine, target, dryRun, progress);
    const result = { ...moved, dry_run: dryRun, errors: [], to: target.location };
    if (dryRun) return { ...result, state_hash: null };
    return { ...result, state_hash: await equalHash(engine, target) };
  } finally {
    await target.close();
  }
}

function requireFitting(source: Engine, target: Engine): void {
  if (target.location === source.location) {
    throw new LociError(
      'invalid_input',
      `${target.location} is the store itself`,
      'Name another one with --to.',
    );
  }
  requireDrawers({ what: 'this store', isolated: source.isolated }, target);
}

/** @returns what is new there, and what was there already */
async function copyEvents(
  source: Engine,
  target: Engine,
  isDry: boolean,
  progress?: Progress,
): Promise<Pick<CopyResult, 'inserted' | 'skipped' | 'updated'>> {
  const count = (await source.stats(VIEW_ALL)).events;
  const foreign = await idsOf(target);
  const planner = new EventPlanner(target, foreign.size === 0);
  const named = new Set<string>();
  for await (const page of eventPages(source, count)) {
    for (const sha256 of evidenceNamed(page)) named.add(sha256);
    for (const event of page) {
      foreign.delete(event.id);
      for (const id of event.folds ?? []) foreign.delete(id);
      await planner.add(event);
    }
  }
  if (foreign.size > 0) {
    throw new LociError(
      'conflict',
      `${target.location} holds ${foreign.size} events that this store lacks`,
      'Copy to an empty store, or join the two: loci export --out FILE here, loci import FILE there.',
    );
  }
  const events = new EventTaker(target, await planner.finish({ keepsTwins: true }), isDry);
  const evidence = new EvidenceTaker(target, isDry);
  const vectors = new VectorTaker(target, isDry);
  for (const sha256 of named) await evidence.add(sha256, () => source.evidence(sha256));
  let done = 0;
  for await (const page of eventPages(source, count)) {
    for (const event of page) await events.add(event);
    done += page.length;
    progress?.(done, count);
  }
  await events.flush();
  for await (const { model, rows } of vectorPages(source, VIEW_ALL)) {
    for (const row of rows) await vectors.add(model, row);
  }
  await vectors.flush();
  const { inserted, skipped, updated } = events.counts;
  return {
    inserted: { ...inserted, vectors: vectors.inserted, evidence: evidence.inserted },
    skipped: { ...skipped, vectors: vectors.skipped, evidence: evidence.skipped },
    updated,
  };
}

async function idsOf(engine: Engine): Promise<Set<string>> {
  const ids = new Set<string>();
  const { events } = await engine.stats(VIEW_ALL);
  for await (const page of eventPages(engine, events)) for (const { id } of page) ids.add(id);
  return ids;
}

/** The state hash of both stores. @throws LociError conflict where they are not equal */
async function equalHash(source: Engine, target: Engine): Promise<string> {
  for (let round = 1; ; round++) {
    const { stateHash } = await source.verify();
    const copied = await target.verify();
    await adopt(target);
    if (copied.stateHash === stateHash) return stateHash;
    const { inserted } = await copyEvents(source, target, false);
    if (inserted.events > 0 && round < ROUNDS) continue;
    throw new LociError(
      'conflict',
      `${target.location} is not equal to ${source.location} after the copy`,
      inserted.events > 0
        ? 'Somebody keeps writing to it. Copy again; it goes on from here.'
        : 'Run loci verify on both.',
    );
  }
}
