import { expect } from 'vitest';
import { VIEW_ALL } from '../../src/domain/view.ts';
import type { Engine } from '../../src/ports/engine.ts';

/** `npm run soak` asks for the full counts. */
const isSoak = Boolean(process.env.SOAK_REPORT);
export const PROCESSES = isSoak ? 8 : 4;
/** Of every 25 one is the same for all processes, and one bears an id that all of them fight for. */
export const WRITES = isSoak ? 250 : 50;

/** What writers of fixtures/write-postgres.ts leave: each memory of theirs, and of equal ones one. */
export function expectedCount(processes: number, writes: number): number {
  return processes * writes + 2 * Math.ceil(writes / 25);
}

/** All that was acknowledged is there once, and log and state are whole. */
export async function expectSound(engine: Engine, acknowledged: readonly string[]): Promise<void> {
  const found = await engine.get(acknowledged, VIEW_ALL);
  expect(found).toHaveLength(new Set(acknowledged).size);
  expect(acknowledged).toHaveLength(new Set(acknowledged).size);
  const { position } = await engine.head();
  const events = await engine.events(0, position + 10);
  expect(events).toHaveLength(position);
  const numbers = events.map(({ replica, rseq }) => `${replica} ${rseq}`);
  expect(new Set(numbers).size).toBe(position);
  expect((await engine.verify()).problems).toEqual([]);
}
