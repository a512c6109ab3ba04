import { mkdtempSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventsOf } from '../../src/domain/append.ts';
import { LOG_EVENT_KINDS, MEMORY_EVENT_KINDS, type LogEvent } from '../../src/domain/event.ts';
import { frontLines } from '../../src/domain/markdown/front-keys.ts';
import { STATUSES, TIERS, TYPES } from '../../src/domain/lifecycle.ts';
import type { Memory } from '../../src/domain/memory.ts';
import { RECORD_KINDS } from '../../src/domain/record.ts';
import * as layout from '../../src/engines/vault/layout.ts';
import { open } from '../../src/open.ts';
import { readPage } from './pages.ts';

const page = readPage('docs/files.md');

/** The code words in the first column of the table below a heading row. */
function firstColumn(heading: string): string[] {
  const rows =
    page
      .slice(page.indexOf(`\n| ${heading} |`))
      .trimStart()
      .split('\n\n')[0] ?? '';
  return rows
    .split('\n')
    .slice(2)
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)])
    .map(([, word = '']) => word);
}

/** The row of a front-matter key. */
function rowOf(key: string): string {
  return new RegExp(`^\\| \`${key}\` \\|(.*)$`, 'm').exec(page)?.[1] ?? '';
}

const time = '2026-03-09T16:20:41.512Z';
const FULL: Required<Memory> = {
  id: 'FACT-2026-03-09-X-0000',
  type: 'fact',
  tier: 'project-context',
  status: 'active',
  status_reason: 'r',
  title: 't',
  body: 'b',
  tags: ['a'],
  paths: ['p'],
  project: 'global',
  agent: 'a',
  confidence: 0.8,
  classification: 'TEAM',
  source: 'owner',
  observed: 'stated',
  session_id: 's',
  speaker: 's',
  turn: 0,
  ttl_days: 1,
  valid_from: time,
  valid_to: time,
  supersedes: 'x',
  superseded_by: 'y',
  superseded_at: time,
  external_ids: ['e'],
  evidence: ['e'],
  entities: [{ kind: 'tool', name: 'make' }],
  relations: [{ type: 'supports', target: 'x', confidence: 1, origin: 'stated' }],
  details: { a: 1 },
  created_at: time,
  updated_at: time,
};

describe('docs/files.md', () => {
  test('names every front-matter key, in order', () => {
    expect(firstColumn('key')).toEqual(frontLines(FULL).map(([key]) => key));
  });

  test('names every type, tier and status', () => {
    for (const type of TYPES) expect(rowOf('type')).toContain(`\`${type}\``);
    for (const tier of TIERS) expect(rowOf('tier')).toContain(`\`${tier}\``);
    for (const status of STATUSES) expect(rowOf('status')).toContain(`\`${status}\``);
  });

  test('names every field of an event', () => {
    const change = {
      kind: 'memory.stored',
      subject: FULL.id,
      data: FULL,
      reason: 'r',
      front: '---\n---\n',
      tokens: 1,
    } as const;
    const [event] = eventsOf(
      [change],
      { replica: 'r', rseq: 0, prev: '', hlc: 0 },
      { nowMs: 0, actor: 'a', ulid: () => 'U', salt: () => 's', headsOf: () => [] },
    );
    const batch: Pick<LogEvent, 'run' | 'undoes' | 'folds' | 'scrubbed'> = {
      run: 'later',
      undoes: 'later',
      folds: [],
      scrubbed: 'later',
    };
    const fields = Object.keys({ ...event, ...batch });
    expect(firstColumn('field').toSorted()).toEqual(fields.toSorted());
  });

  test('names every kind of event', () => {
    expect(firstColumn('kind')).toEqual([
      ...MEMORY_EVENT_KINDS,
      'project.named',
      ...RECORD_KINDS.map((kind) => `${kind}.recorded`),
      ...LOG_EVENT_KINDS,
    ]);
  });

  test('names every file', async () => {
    const documented = firstColumn('name').map((name) => name.replace(/[/…]$/, ''));
    const { LOG, TORN, INDEX, DOCUMENTS, LOCK, LOCAL, EVIDENCE, FOLDERS, INITIAL_FILES } = layout;
    const known = [
      LOG,
      TORN,
      INDEX,
      DOCUMENTS,
      LOCK,
      LOCAL,
      EVIDENCE,
      ...FOLDERS,
      ...Object.keys(INITIAL_FILES),
    ];
    expect(documented).toEqual(expect.arrayContaining(known));

    const dir = join(mkdtempSync(join(homedir(), 'files-')), 'memory');
    const store = await open(dir, { project: 'boat' });
    await store.remember([{ body: 'one' }, { body: 'two', type: 'episode' }]);
    await store.archive({ id: (await store.search({})).results[0]?.id ?? '', reason: 'done' });
    const whileOpen = readdirSync(dir);
    await store.close();
    const undocumented = [...whileOpen, ...readdirSync(dir)]
      .map((name) => name.replace(/-(wal|shm|journal)$/, ''))
      .filter((name) => !documented.includes(name));
    expect(undocumented).toEqual([]);
  });
});
