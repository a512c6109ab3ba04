import type { Finding } from '../../src/domain/finding.ts';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect } from 'vitest';
import type { LogEvent } from '../../src/domain/event.ts';
import type { Memory } from '../../src/domain/memory.ts';
import { VIEW_ALL } from '../../src/domain/view.ts';
import { openVault, type VaultOptions } from '../../src/engines/vault/engine.ts';
import type { Engine } from '../../src/ports/engine.ts';
import { testIds } from '../../src/testing/ids.ts';
import { memoryOf, put } from '../../src/testing/memories.ts';

export const LOG = 'events.ndjson';
export const INDEX = '.memory-index.db';
export const LOCK = '.loci-lock.db';

let seed = 1000;
let nowMs = Date.parse('2026-03-09T12:00:00.000Z');

/** Every look at this clock is a second later. */
export const ticking = {
  nowMs(): number {
    nowMs += 1000;
    return nowMs;
  },
};

const opened = new Set<Engine>();
afterEach(async () => {
  for (const engine of opened) await engine.close();
  opened.clear();
});

/** A folder that nothing lies at yet. */
export function freshRoot(name = 'vault'): string {
  return join(mkdtempSync(join(tmpdir(), 'loci-vault-')), name);
}

/** Opens a vault as another process would; closed after the test. */
export async function open(path: string, options: Partial<VaultOptions> = {}): Promise<Engine> {
  seed += 1;
  const engine = await openVault({ path, clock: ticking, ids: testIds(seed), ...options });
  opened.add(engine);
  return engine;
}

export async function close(engine: Engine): Promise<void> {
  opened.delete(engine);
  await engine.close();
}

/** A new vault that holds these memories, closed. */
export async function vaultOf(...held: readonly Memory[]): Promise<string> {
  const root = freshRoot();
  const engine = await open(root);
  if (held.length > 0) await put(engine, ...held);
  await close(engine);
  return root;
}

/** Opens a vault, does something, and closes it. */
export async function within<T>(root: string, work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await open(root);
  try {
    return await work(engine);
  } finally {
    await close(engine);
  }
}

export function read(root: string, path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

export function write(root: string, path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Replaces a text in a file, as a person in an editor does. */
export function edit(root: string, path: string, from: string, to: string): void {
  const before = read(root, path);
  if (!before.includes(from)) throw new Error(`${path} holds no ${from}: ${before}`);
  write(root, path, before.replace(from, to));
}

export function sha(root: string, path: string): string {
  return createHash('sha256')
    .update(readFileSync(join(root, path)))
    .digest('hex');
}

/** Markdown files of a vault with their text, by path. */
export function filesOf(root: string): Record<string, string> {
  const folders = ['ENTITIES', 'ARCHIVE', 'CONFLICTS', 'EPISODES'];
  const files: Record<string, string> = {};
  for (const folder of folders) {
    for (const name of namesIn(join(root, folder))) {
      files[`${folder}/${name}`] = read(root, `${folder}/${name}`);
    }
  }
  return files;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

export function linesOf(root: string): LogEvent[] {
  const lines = read(root, LOG)
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as LogEvent);
}

export async function memory(engine: Engine, id: string): Promise<Memory> {
  const [found] = await engine.get([id], VIEW_ALL);
  if (!found) throw new Error(`no ${id}`);
  return found.memory;
}

export async function memories(engine: Engine): Promise<Memory[]> {
  const request = {
    view: VIEW_ALL,
    filter: {},
    sort: 'id',
    descending: false,
    limit: 10_000,
  } as const;
  return (await engine.select(request)).rows.map((row) => row.memory);
}

export async function ids(engine: Engine): Promise<string[]> {
  return (await memories(engine)).map(({ id }) => id);
}

export async function position(engine: Engine): Promise<number> {
  return (await engine.head()).position;
}

/** Messages of what could not be settled, without what is only said. */
/** What wants a hand: that a damaged index was replaced is said, and needs none. */
function wanting(findings: readonly Finding[]): string[] {
  const messages = findings.map(({ message }) => message);
  return messages.filter((message) => !message.startsWith('the index was damaged; it was built'));
}

export async function complaints(engine: Engine): Promise<string[]> {
  const findings = await engine.findings();
  return wanting(findings.filter(({ severity }) => severity !== 'info'));
}

/** Log, index and files agree, no number was given twice, and nothing needs a hand. */
export async function expectSound(engine: Engine): Promise<void> {
  const { problems } = await engine.verify();
  expect(wanting(problems)).toEqual([]);
  const events = await engine.events(0, 100_000);
  const numbers = events.map(({ replica, rseq }) => `${replica} ${rseq}`);
  expect(new Set(numbers).size).toBe(numbers.length);
}

export async function until(
  what: string,
  condition: () => Promise<boolean> | boolean,
  deadlineMs = 8000,
): Promise<void> {
  const giveUpAt = performance.now() + deadlineMs;
  while (!(await condition())) {
    if (performance.now() > giveUpAt) throw new Error(`${what} did not come true`);
    await pause(25);
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export function fact(name: string, fields: Partial<Memory> = {}): Memory {
  return memoryOf({ id: `FACT-${name}`, ...fields });
}

/** Stores some facts, named from 1 on. */
export function facts(count: number, name = 'N'): Memory[] {
  return Array.from({ length: count }, (_, i) => fact(`${name}-${i + 1}`));
}

/** Changes fields of one memory, as `update` does. */
export async function change(
  engine: Engine,
  id: string,
  fields: Partial<Memory>,
): Promise<readonly string[]> {
  const request = { ids: [id], contentKeys: [], actor: 'agent' };
  const { warnings } = await engine.commit(request, (state) => {
    const current = state.get(id);
    if (!current) throw new Error(`no ${id}`);
    const updated_at = new Date(ticking.nowMs()).toISOString();
    const data = { ...current.memory, ...fields, updated_at };
    const front = current.front === undefined ? {} : { front: current.front };
    const update = { kind: 'memory.updated', subject: id, data, ...front } as const;
    return { changes: [update], result: undefined };
  });
  return warnings;
}

export { memoryOf, put };
