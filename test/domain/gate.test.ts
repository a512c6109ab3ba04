import { describe, expect, test } from 'vitest';
import type { MemoryInput } from '../../src/domain/inputs.ts';
import { admit } from '../../src/remember/gate.ts';
import { testClock } from '../../src/testing/clock.ts';
import { testIds } from '../../src/testing/ids.ts';
import { errorOf } from './decide-support.ts';

const context = {
  clock: testClock('2026-03-09T12:00:00.000Z'),
  ids: { ...testIds(1), suffix: () => '7K2M' },
  project: 'apollo',
  source: 'agent',
  zone: 'UTC',
  secrets: 'redact',
} as const;
const gate = (input: MemoryInput) => admit(input, 0, context);

describe('[A1] a memory that gives only its text', () => {
  test('gets the defaults', () => {
    expect(gate({ body: 'The index is SQLite.\nBecause.' })).toEqual({
      draft: {
        line: 0,
        project: 'apollo',
        newId: 'FACT-2026-03-09-THE-INDEX-IS-SQLITE-7K2M',
        given: { body: 'The index is SQLite.\nBecause.' },
        defaults: {
          type: 'fact',
          tier: 'project-context',
          status: 'active',
          confidence: 0.8,
          classification: 'TEAM',
          source: 'agent',
          observed: 'stated',
          created_at: '2026-03-09T12:00:00.000Z',
        },
        relations: [],
        redacted: [],
      },
      notes: [],
    });
  });

  test('[A2] that was inferred is a belief', () => {
    expect(gate({ body: 'x', observed: 'inferred' }).draft.defaults.type).toBe('belief');
  });

  test.each([
    ['open_question', 'OPEN', 'project-context', 90],
    ['entity_summary', 'ENTI', 'project-context', 180],
    ['conflict', 'CONF', 'project-context', 30],
    ['fact', 'FACT', 'project-context', undefined],
    ['belief', 'BELI', 'project-context', undefined],
    ['procedure', 'PROC', 'project-context', undefined],
    ['decision', 'DECI', 'preferences', undefined],
    ['constraint', 'CONS', 'preferences', undefined],
    ['preference', 'PREF', 'preferences', undefined],
    ['episode', 'EPIS', 'conversations', undefined],
  ] as const)(
    '[A2] [A3] a %s: its prefix, tier and time to live',
    (type, prefix, tier, ttlDays) => {
      const { newId, defaults } = gate({ body: 'x', type }).draft;
      expect(newId).toBe(`${prefix}-2026-03-09-X-7K2M`);
      expect(defaults.tier).toBe(tier);
      expect(defaults.ttl_days).toBe(ttlDays);
    },
  );

  test('[A4] [A5] from a source that is not trusted is a draft', () => {
    for (const source of ['document', 'tool', 'someone']) {
      expect(gate({ body: 'x', source }).draft.defaults).toMatchObject({ status: 'draft', source });
    }
    for (const source of ['owner', 'agent', 'import']) {
      expect(gate({ body: 'x', source }).draft.defaults.status).toBe('active');
    }
  });
});

test('[A5] provenance is kept: source, observed, session, speaker, turn and free-form detail', () => {
  const details = { tool: 'grep', nested: { lines: [1, 2] } };
  const input = { body: 'x', source: 'tool', observed: 'observed', sessionId: 's', speaker: 'Ann' };
  expect(gate({ ...input, turn: 3, details }).draft.given).toEqual({
    body: 'x',
    source: 'tool',
    observed: 'observed',
    session_id: 's',
    speaker: 'Ann',
    turn: 3,
    details,
  });
});

describe('[A12] characters that no store can hold', () => {
  test('are taken out of every field, and it is said', () => {
    const { draft, notes } = gate({
      body: 'before\0after zebra \\u0000',
      title: 'a \ud800 title',
      project: 'ap\0ollo',
      externalId: 'e\0x',
      tags: ['t\0ag', 'tag'],
      entities: [{ kind: 'person', name: 'A\0nn' }],
      relations: [{ type: 'sup\0ports', target: 'FACT\0-X' }],
      details: { 'k\0ey': 'v\0alue' },
    });
    expect(draft).toMatchObject({
      project: 'apollo',
      externalId: 'ex',
      relations: [{ type: 'supports', target: 'FACT-X', confidence: 1 }],
      given: {
        body: 'beforeafter zebra \\u0000',
        title: 'a \ufffd title',
        tags: ['tag'],
        entities: [{ kind: 'person', name: 'Ann' }],
        details: { key: 'value' },
      },
    });
    expect(notes).toContain('body: NUL characters or lone surrogates were removed');
    expect(notes.map((note) => note.split(':')[0]).toSorted()).toEqual([
      'body',
      'details',
      'entities',
      'external_id',
      'project',
      'relations',
      'tags',
      'title',
    ]);
  });

  test('alone are nothing', () => {
    const nothing = 'is empty but for characters that cannot be kept (Leave out NUL characters.)';
    expect(errorOf(() => gate({ body: '\0' }))).toBe(`invalid_input: memory: body ${nothing}`);
    expect(errorOf(() => gate({ body: 'x', tags: ['\0'] }))).toBe(
      `invalid_input: memory: tags ${nothing}`,
    );
  });

  test('keys that JavaScript minds are left out of details', () => {
    const details = JSON.parse(
      '{"constructor": "kept", "nested": {"__proto__": {"polluted": 1}}}',
    ) as object;
    const { draft, notes } = gate({ body: 'x', details: details as MemoryInput['details'] });
    expect(draft.given.details).toEqual({ constructor: 'kept', nested: {} });
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(notes).toHaveLength(1);
  });
});

describe('what is wrong is refused by name', () => {
  test.each<[input: object, message: string]>([
    [{ body: ' \n' }, 'invalid_input: body is empty (Give the text to remember.)'],
    [
      { body: 'x', type: 'invalid_xyz' },
      'invalid_input: memory: type is "invalid_xyz": must be one of fact, decision, constraint, belief, preference, open_question, procedure, entity_summary, conflict, episode',
    ],
    [
      { body: 'x', type: 'decison' },
      'invalid_input: memory: type is "decison": must be one of fact, decision, constraint, belief, preference, open_question, procedure, entity_summary, conflict, episode (Did you mean "decision"?)',
    ],
    [{ body: 5 }, 'invalid_input: memory: body is 5: must be text'],
    [
      { body: 'x', turn: -1.5 },
      'invalid_input: memory: turn is -1.5: must be a whole number from 0 to 1000000000',
    ],
    [
      { body: 'x', confidence: 1.1 },
      'invalid_input: memory: confidence is 1.1: must be a number from 0 to 1',
    ],
    [
      { body: 'x', tag: 'a' },
      'invalid_input: memory has an unknown key: "tag" (Did you mean "tags"?)',
    ],
    [
      { body: 'x', agent: '../out' },
      'invalid_input: agent is "../out" (Agent ids are letters, digits, dashes and underscores, at most 64.)',
    ],
    [
      { body: 'x', validFrom: '2026-03-02', validTo: '2026-03-01' },
      'invalid_input: valid_to is "2026-03-01T00:00:00.000Z", not after valid_from "2026-03-02T00:00:00.000Z" (An interval is half-open: from valid_from until just before valid_to.)',
    ],
  ])('%j', (input, message) => {
    expect(errorOf(() => gate(input as MemoryInput))).toBe(message);
  });
});
