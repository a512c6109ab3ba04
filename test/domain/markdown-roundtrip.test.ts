import { spawnSync } from 'node:child_process';
import * as fc from 'fast-check';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseFile, patchFront } from '../../src/domain/markdown/parse.ts';
import { renderFile, renderFront } from '../../src/domain/markdown/render.ts';
import type { Memory } from '../../src/domain/memory.ts';
import { CLASSIFICATIONS, STATUSES, TIERS } from '../../src/domain/lifecycle.ts';
import { sortRelations } from '../../src/domain/relation.ts';
import { memoryOf } from '../../src/testing/memories.ts';
import { heldText, NASTY } from '../wild-text.ts';

const word = heldText.map((text) => text.trim()).filter((text) => text !== '');
const words = fc.uniqueArray(word, { maxLength: 3 });
const time = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());
const share = fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0);

const relations = fc
  .uniqueArray(
    fc.record({
      type: word,
      target: fc.constantFrom('FACT-TARGET-1', '12345678'),
      confidence: share,
      origin: word,
    }),
    { maxLength: 3, selector: ({ type, target }) => `${type} ${target}` },
  )
  .map((list) => sortRelations(list.map((item) => ({ ...item, type: plainType(item.type) }))));

const hex = fc.constantFrom('1a2b3c4d', '12345678', '1e500000', '00000000000000e1');
const path = fc.constantFrom('src/a.ts', '1.0', 'yes', 'Straße/京都.md', 'a b/& *c, {d}', "it's");
const cite = fc.oneof(
  fc.record({ commit: hex }),
  fc.record(
    { path, symbol: word, lines: fc.constantFrom('1', '12-40'), commit: hex, hash: hex },
    { requiredKeys: ['path'] },
  ),
);

/** A type as `relate` stores it. */
function plainType(type: string): string {
  return type
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
}

const memory: fc.Arbitrary<Memory> = fc
  .record(
    {
      id: fc.constantFrom('FACT-2026-03-09-X-7K2M', '12345678', '1E500000', 'NULLNULL'),
      type: word,
      tier: fc.constantFrom(...TIERS),
      status: fc.constantFrom(...STATUSES),
      status_reason: word,
      title: word,
      body: heldText.filter((text) => text !== ''),
      tags: words,
      paths: words,
      project: word,
      agent: word,
      confidence: share,
      classification: fc.constantFrom(...CLASSIFICATIONS),
      source: word,
      observed: word,
      session_id: word,
      speaker: word,
      turn: fc.nat(1_000_000_000),
      ttl_days: fc.double({ min: 0, max: 3_650_000, noNaN: true }).map((value) => value + 0),
      valid_from: time,
      valid_to: time,
      supersedes: fc.constant('FACT-OLD-ONE'),
      superseded_by: fc.constant('20260309'),
      superseded_at: time,
      external_ids: words,
      evidence: words,
      entities: fc.array(fc.record({ kind: word, name: word }), { maxLength: 2 }),
      relations: relations.filter((list) => list.every(({ type }) => type !== 'related')),
      cites: fc.uniqueArray(cite, { minLength: 1, maxLength: 3 }),
      details: fc.dictionary(word, fc.jsonValue({ noUnicodeString: false, maxDepth: 2 }), {
        maxKeys: 3,
        noNullPrototype: true,
      }),
      created_at: time,
      updated_at: time,
    },
    { requiredKeys: ['id', 'body', 'created_at', 'updated_at'] },
  )
  .map((fields) => memoryOf(JSON.parse(JSON.stringify(fields)) as Memory));

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** The front matter of a memory as another program should read it. */
function plainFront({ body: _body, ...fields }: Memory): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}

function yamlOf(given: Memory): string {
  return renderFront(given)
    .replace(/^---\n/, '')
    .replace(/---\n$/, '');
}

const RUNS = { numRuns: 400, seed: 20_260_309 };

describe('[B1] a memory that is written and read', () => {
  test('comes back as it was, body and all', () => {
    fc.assert(
      fc.property(memory, (given) => {
        const parsed = parseFile(renderFile(given));
        expect(parsed).not.toHaveProperty('problem');
        const { fields, body, front } = parsed as Exclude<typeof parsed, { problem: string }>;
        expect(body).toBe(given.body);
        expect(memoryOf({ ...fields, body } as Memory)).toEqual(given);
        expect(front).toBe(renderFront(given));
      }),
      RUNS,
    );
  });

  test.each(NASTY)('body %j comes back byte for byte', (body) => {
    for (const edges of [
      [],
      [{ type: 'supports', target: 'FACT-X', confidence: 1, origin: 'stated' }],
    ]) {
      const given = memoryOf({ id: 'FACT-NASTY', body, relations: edges });
      expect(parseFile(renderFile(given))).toMatchObject({ body });
    }
  });

  test('with the line ends of a person’s file comes back with our own', () => {
    const crlf = '---\r\nid: FACT-CRLF\r\n---\r\n';
    fc.assert(
      fc.property(memory, (given) => {
        const text = renderFile(given, crlf);
        expect(text.replaceAll('\r\n', '').includes('\n')).toBe(false);
        expect(parseFile(text)).toMatchObject({ body: given.body.replaceAll('\r\n', '\n') });
      }),
      RUNS,
    );
  });

  test('is read by js-yaml and yaml with the same values', () => {
    fc.assert(
      fc.property(memory, (given) => {
        const yaml = yamlOf(given);
        expect(load(yaml)).toEqual(plainFront(given));
        expect(parse(yaml)).toEqual(plainFront(given));
      }),
      RUNS,
    );
  });

  test('is read by PyYAML with the same values', (context) => {
    const python = spawnSync('python3', ['-c', 'import yaml']);
    if (python.status !== 0) context.skip('there is no python3 with PyYAML');
    const given = fc.sample(memory, RUNS);
    const program =
      'import json, sys, yaml\n' +
      'json.dump([yaml.safe_load(text) for text in json.load(sys.stdin)], sys.stdout)';
    const { stdout, stderr } = spawnSync('python3', ['-c', program], {
      input: JSON.stringify(given.map(yamlOf)),
      maxBuffer: 100_000_000,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    const read = JSON.parse(stdout) as unknown[];
    for (const [i, one] of given.entries()) expect(read[i]).toEqual(plainFront(one));
  });
});

test('[B12] a change of a written file touches the lines of what changed', () => {
  fc.assert(
    fc.property(memory, memory, (before, other) => {
      // The time of the last change is not kept up in a block that a person has a hand in.
      const after = { ...other, id: before.id, updated_at: before.updated_at };
      const patched = patchFront(renderFront(before), after);
      const parsed = parseFile(`${patched}${after.body}\n`);
      expect(parsed).not.toHaveProperty('problem');
      const { fields } = parsed as Exclude<typeof parsed, { problem: string }>;
      expect(memoryOf({ ...fields, body: after.body } as Memory)).toEqual(after);
      expect(patchFront(patched, after)).toBe(patched);
    }),
    RUNS,
  );
});
