import { mkdtempSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSet } from '../../src/evaluation/read-set.ts';

const MEMORY = '{"id":"m1","project":"p","body":"Deploys run on Tuesdays"}';
const QUERY = '{"id":"q1","project":"p","query":"when?","relevant":{"m1":2}}';

function folder(memories?: string, queries?: string): string {
  const dir = mkdtempSync(join(homedir(), 'set-'));
  if (memories !== undefined) writeFileSync(join(dir, 'memories.jsonl'), memories);
  if (queries !== undefined) writeFileSync(join(dir, 'queries.jsonl'), queries);
  return dir;
}

test('reads every key that a set may have', async () => {
  const memory = {
    id: 'm1',
    project: 'p',
    body: 'b',
    title: 't',
    type: 'decision',
    tier: 'preferences',
    tags: ['x'],
    confidence: 0.9,
    created_at: '2026-01-02',
    speaker: 'Ada',
    session_id: 's',
    turn: 0,
    supersedes: 'm0',
    ttl_days: 30,
    expired_at: '2026-02-01',
    entities: [{ kind: 'tool', name: 'make' }],
    agent: 'coder',
  };
  const query = {
    id: 'q1',
    project: 'p',
    agent: 'coder',
    query: 'when?',
    relevant: { m1: 2 },
    equivalent: [['m1']],
    forbidden: ['m1'],
    forbidden_why: { m1: 'expired' },
    other_agent: ['m1'],
    kind: 'plain',
    as_of: '2026-01-03T00:00:00Z',
    since: '2026-01-01',
    until: '2026-01-04',
    lang: 'de>en',
    notes: 'n',
  };
  const set = await readSet(folder(`\uFEFF${JSON.stringify(memory)}\n\n`, JSON.stringify(query)));
  expect(set.memories).toMatchObject([
    { id: 'm1', createdAt: '2026-01-02T00:00:00.000Z', ttlDays: 30, turn: 0 },
  ]);
  expect(set.queries).toMatchObject([
    { id: 'q1', asOf: '2026-01-03T00:00:00.000Z', forbiddenWhy: { m1: 'expired' } },
  ]);
});

describe('errors name file and line', () => {
  test.each([
    ['no JSON', `${MEMORY}\nnope`, QUERY, /memories\.jsonl:2 is no JSON/],
    ['no object', '["m1"]', QUERY, /memories\.jsonl:1: the memory is no object/],
    [
      'an unknown key',
      `${MEMORY}\n\n{"id":"m2","project":"p","body":"b","colour":"red"}`,
      QUERY,
      /memories\.jsonl:3: memory has an unknown key: "colour"/,
    ],
    [
      'a key missing',
      '{"id":"m1","body":"b"}',
      QUERY,
      /memories\.jsonl:1: memory: project is missing/,
    ],
    [
      'an id twice',
      `${MEMORY}\n${MEMORY}`,
      QUERY,
      /memories\.jsonl:2: the id "m1" is taken by .*:1$/,
    ],
    [
      'a bad time',
      '{"id":"m1","project":"p","body":"b","created_at":"soon"}',
      QUERY,
      /memories\.jsonl:1: memory: created_at is "soon"/,
    ],
    [
      'an unknown key of a query',
      MEMORY,
      '{"id":"q1","project":"p","query":"x","relevant":{},"as_off":"2026-01-01"}',
      /queries\.jsonl:1: query has an unknown key: "as_off"/,
    ],
    [
      'a memory that is not there',
      MEMORY,
      `${QUERY}\n{"id":"q2","project":"p","query":"x","relevant":{"m9":2}}`,
      /queries\.jsonl:2: "m9" is no memory of the set/,
    ],
    ['an empty file', MEMORY, '\n', /queries\.jsonl is empty/],
  ])('%s', async (_, memories, queries, message) => {
    await expect(readSet(folder(memories, queries))).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(message) as string,
    });
  });

  test('a missing file', async () => {
    await expect(readSet(folder(MEMORY))).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(/no file ".*queries\.jsonl"/) as string,
    });
  });
});
