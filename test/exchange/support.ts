import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, describe } from 'vitest';
import { open, type OpenOptions } from '../../src/open.ts';
import type { Loci } from '../../src/loci.ts';
import { freshStore, saySkipped, withoutServer } from '../engines/postgres.ts';

const folder = mkdtempSync(join(tmpdir(), 'loci-exchange-'));
// A vault of thousands of memories is as many files.
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }), 120_000);

let made = 0;
/** A path that nothing lies at yet. */
export function fresh(name: string): string {
  made += 1;
  return join(folder, `${made}-${name}`);
}

const opened = new Set<Loci>();
afterEach(async () => {
  for (const loci of opened) await loci.close();
  opened.clear();
});

/** Opens a store that is closed after the test; without an embedder unless one is asked for. */
export async function store(
  name: string | Promise<string>,
  options: OpenOptions = {},
): Promise<Loci> {
  const loci = await open(await name, { project: 'boat', embedder: 'none', ...options });
  opened.add(loci);
  return loci;
}

/** Names an empty store; where a server has to make it first, it does. */
type NameStore = () => string | Promise<string>;

/** Every kind of store, PostgreSQL among them where there is a server. */
export const KINDS: readonly [kind: string, name: NameStore][] = [
  ['in-memory', () => 'memory:'],
  ['sqlite', () => `sqlite:${fresh('store.db')}`],
  ['vault', () => fresh('vault')],
  ...(withoutServer === undefined ? [['postgres', freshStore] as [string, NameStore]] : []),
];
saySkipped('stores on postgres');

/** The same tests with each kind of store as the one that is read, and each as the one written to. */
export function onEveryPair(tests: (from: NameStore, to: NameStore) => void): void {
  describe.each(KINDS)('from %s', (_from, from) => {
    describe.each(KINDS)('to %s', (_to, to) => {
      tests(from, to);
    });
  });
}

const HELM = { id: 'FACT-HELM', body: 'The helm is aft.', tags: ['deck'] };
/** Evidence that the mast names. */
export const DEED = 'The deed of the boat';
const MAST = {
  id: 'FACT-MAST',
  body: 'The mast is oak.',
  agent: 'ann',
  evidence: [Buffer.from(DEED)],
};

/** A store with history, a relation, entities, a successor, evidence, two projects and an archived memory. */
export async function fill(loci: Loci): Promise<void> {
  await loci.remember([
    { ...HELM, entities: [{ kind: 'tool', name: 'wheel' }], externalId: 'x-1' },
    MAST,
    { id: 'FACT-OLD-ONE', body: 'The hull is pine.' },
    { id: 'FACT-OTHER', body: 'The café serves naïve tea.', project: 'café' },
  ]);
  await loci.update({ id: 'FACT-HELM', body: 'The helm is forward.', reason: 'it was moved' });
  await loci.relate({ source: 'FACT-HELM', type: 'supports', target: 'FACT-MAST' });
  await loci.remember({ id: 'FACT-NEW-ONE', body: 'The hull is oak.', supersedes: 'FACT-OLD-ONE' });
  await loci.scoped({ project: 'café' }).archive({ id: 'FACT-OTHER', reason: 'closed' });
}

/** What the evidence of the mast says. */
export async function deedIn(loci: Loci): Promise<string> {
  const { evidence } = await loci.evidence({ ref: 'FACT-MAST' });
  return Buffer.from(await loci.readEvidence(evidence[0]?.sha256 ?? '')).toString();
}

export async function hashOf(loci: Loci): Promise<string> {
  const { state_hash, problems } = await loci.verify();
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('\n'));
  return state_hash;
}

export function linesIn(path: string): string[] {
  const bytes = readFileSync(path);
  const text = path.endsWith('.gz') ? gunzipSync(bytes).toString('utf8') : bytes.toString('utf8');
  return text.split('\n').filter((line) => line !== '');
}

/** A copy of an export with some lines changed. @param change gives the lines that take its place */
export function altered(path: string, change: (line: string, i: number) => string[]): string {
  const copy = fresh('altered.jsonl');
  writeFileSync(copy, `${linesIn(path).flatMap(change).join('\n')}\n`);
  return copy;
}
