import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { LociError } from '../src/domain/errors.ts';
import { fieldsOf } from '../src/operations/fields.ts';
import { OPERATIONS, operationsFor } from '../src/operations/index.ts';
import type { Operation } from '../src/operations/operation.ts';

type Store = Parameters<Operation['run']>[0];

const named = (name: string): Operation => {
  const found = OPERATIONS.find((operation) => operation.name === name);
  if (!found) throw new Error(`no ${name}`);
  return found;
};

/** A store whose every method answers with its name and what it was given. */
const echo = new Proxy(
  {},
  {
    get:
      (_, method) =>
      (...given: unknown[]) =>
        Promise.resolve({ method, given }),
  },
) as Store;

test('every agent is offered these verbs, and these on request', () => {
  expect(operationsFor('core').map(({ name }) => name)).toEqual([
    'recall',
    'remember',
    'search',
    'get',
    'relate',
    'forget',
    'context',
  ]);
  expect(operationsFor('full').map(({ name }) => name)).toEqual([
    'recall',
    'remember',
    'search',
    'get',
    'relate',
    'forget',
    'context',
    'update',
    'archive',
    'restore',
    'reject',
    'relations',
    'unrelate',
    'relink',
    'citations',
    'wander',
    'closure',
    'episode',
    'episodes',
    'checkpoint',
    'share',
    'unshare',
    'entity',
    'entities',
    'history',
    'diff',
    'recall-docs',
    'view',
    'reflect',
    'meditate',
    'gc',
    'conflicts',
    'resolve',
    'runs',
    'undo',
    'lint',
    'status',
  ]);
});

describe.each(OPERATIONS.map((operation) => [operation.name, operation] as const))(
  '%s',
  (_, operation) => {
    test('publishes schemas that every provider takes', () => {
      for (const schema of [operation.input, operation.output]) {
        const json = z.toJSONSchema(schema, { io: 'input' });
        expect(json.type).toBe('object');
        const offences = [...keysAndTypes(json)].filter(
          ([key, value]) =>
            /^(anyOf|oneOf|allOf|\$ref|\$defs|const|prefixItems|format|exclusiveM\w+|propertyNames)$/.test(
              key,
            ) ||
            (key === 'type' && Array.isArray(value)) ||
            ((value as { type?: string; items?: unknown } | null)?.type === 'array' &&
              !(value as { items?: unknown }).items),
        );
        expect(offences).toEqual([]);
      }
    });

    test('names fields that it has', () => {
      const fields = Object.keys(operation.input.shape);
      const form = operation.cli;
      const spoken = [
        ...(operation.published ?? []),
        ...(form?.positionals ?? []).map((name) => name.replace('…', '')),
        ...(form?.omitted ?? []),
        ...Object.keys(form?.renamed ?? {}),
      ];
      expect(spoken.filter((name) => !fields.includes(name))).toEqual([]);
    });

    test('describes itself and its fields', () => {
      expect(operation.description).toMatch(/^[A-Z].*\.$/s);
      expect(operation.description.length).toBeLessThan(200);
      const silent = fieldsOf(operation).filter(({ description }) => description === '');
      expect(silent).toEqual([]);
      expect(operation.cli?.examples).not.toEqual([]);
    });
  },
);

function* keysAndTypes(value: unknown): Iterable<[string, unknown]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    yield [key, inner];
    yield* keysAndTypes(inner);
  }
}

describe('remember', () => {
  const { run } = named('remember');

  test('takes one memory flat', async () => {
    expect(await run(echo, { body: 'x', type: 'fact' }, {})).toMatchObject({
      method: 'remember',
      given: [{ body: 'x', type: 'fact' }, undefined],
    });
  });

  test.each([
    [[{ body: 'x', ttl_days: 3 }, 'no object', { body: 'y', externalId: 'e' }]],
    ['[{"body":"x","ttl_days":3},"no object",{"body":"y","external_id":"e"}]'],
  ])('takes several, also as JSON text: %j', async (memories) => {
    expect(await run(echo, { memories }, {})).toMatchObject({
      given: [[{ body: 'x', ttlDays: 3 }, 'no object', { body: 'y', externalId: 'e' }], undefined],
    });
  });

  test.each([
    [{ memories: [], body: 'x' }, /both memories and the fields/],
    [{ memories: { body: 'x' } }, /memories is not a list/],
    [{ memories: 'no json' }, /memories is not a list/],
  ])('%j is refused', async (input, message) => {
    await expect(async () => run(echo, input, {})).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(message),
    });
  });
});

describe('forget', () => {
  const { run } = named('forget');

  test.each([
    [{ id: 'A' }, 'archive'],
    [{ id: 'A', mode: 'archive' }, 'archive'],
    [{ id: 'A', mode: 'reject' }, 'reject'],
  ])('%j', async (input, method) => {
    expect(await run(echo, { ...input, reason: 'r' }, {})).toEqual({
      method,
      given: [{ id: 'A', reason: 'r' }],
    });
  });

  test('knows no other mode', async () => {
    await expect(async () => run(echo, { id: 'A', mode: 'delete' }, {})).rejects.toThrow(LociError);
  });
});

test.each(['verify', 'compact', 'bootstrap-events', 'reindex'])(
  '%s takes no unknown field',
  async (name) => {
    await expect(async () =>
      named(name).run(echo, { id: 'A', colour: 'red' }, {}),
    ).rejects.toMatchObject({ code: 'invalid_input' });
  },
);

test('lenient input reaches the store parsed where a verb parses it itself', async () => {
  expect(await named('reindex').run(echo, { acceptDeletions: 'yes' }, {})).toMatchObject({
    given: [{ acceptDeletions: true }],
  });
});
