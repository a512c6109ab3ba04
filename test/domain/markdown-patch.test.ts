import { describe, expect, test } from 'vitest';
import { parseFile, patchFront } from '../../src/domain/markdown/parse.ts';
import { renderFile } from '../../src/domain/markdown/render.ts';
import type { Memory } from '../../src/domain/memory.ts';
import { memoryOf } from '../../src/testing/memories.ts';

const FRONT = `---
zeta: last letter first # owner: keep me
id: FACT-PATCH
# a comment of its own
tags: [b, a]
type: fact
title: 'Alpha' # the name
citekey: doe2024
nested:
  z: 1
  a: {deep: [1, 2]}
tier: project-context
status: active
confidence:   0.8
project: global
classification: TEAM
source: owner
observed: stated
aliases:
  - one
  - two
created_at: 2026-03-09T12:00:00.000Z
updated_at: 2026-03-09T12:00:00.000Z
---
`;
const MEMORY = memoryOf({ id: 'FACT-PATCH', title: 'Alpha', tags: ['b', 'a'], body: 'x' });

/** The lines that a change of some fields takes away and adds. */
function difference(front: string, changed: Partial<Memory>): { less: string[]; more: string[] } {
  const patched = patchFront(front, { ...MEMORY, ...changed });
  const before = front.split('\n');
  const after = patched.split('\n');
  expect(parseFile(`${patched}x`)).toMatchObject({ fields: { id: 'FACT-PATCH', ...changed } });
  return {
    less: before.filter((line) => !after.includes(line)),
    more: after.filter((line) => !before.includes(line)),
  };
}

describe('[B12] one field is changed in a block that a person wrote', () => {
  test('nothing changes when nothing differs, or only the time of the last change', () => {
    expect(patchFront(FRONT, MEMORY)).toBe(FRONT);
    expect(patchFront(FRONT, { ...MEMORY, updated_at: '2026-03-10T00:00:00.000Z' })).toBe(FRONT);
  });

  test('what its absence says is not added', () => {
    const front = '---\n# mine\ntitle: Alpha\ntags: [b, a]\ncitekey: doe2024\n---\n';
    const patched = patchFront(front, { ...MEMORY, confidence: 0.9 });
    expect(patched.split('\n').slice(0, 5)).toEqual(front.split('\n').slice(0, 5));
    expect(patched).toContain('\nconfidence: 0.9\n');
    for (const key of ['type', 'tier', 'status', 'classification', 'updated_at']) {
      expect(patched).not.toContain(`${key}:`);
    }
  });

  test.each<[name: string, changed: Partial<Memory>, less: string[], more: string[]]>([
    ['a number', { confidence: 0.9 }, ['confidence:   0.8'], ['confidence: 0.9']],
    [
      'a title, its comment kept',
      { title: 'Beta: two' },
      ["title: 'Alpha' # the name"],
      ['title: "Beta: two" # the name'],
    ],
    ['a list', { tags: ['c'] }, ['tags: [b, a]'], ['tags: [c]']],
    ['a field that was not there', { agent: 'ann' }, [], ['agent: ann']],
    [
      'relations',
      { relations: [{ type: 'supports', target: 'FACT-Y', confidence: 1, origin: 'stated' }] },
      [],
      ['relations:', '  - {type: supports, target: FACT-Y, confidence: 1, origin: stated}'],
    ],
    [
      'a time',
      { created_at: '2026-03-10T00:00:00.000Z' },
      ['created_at: 2026-03-09T12:00:00.000Z'],
      ['created_at: "2026-03-10T00:00:00.000Z"'],
    ],
  ])('%s', (_name, changed, less, more) => {
    expect(difference(FRONT, changed)).toEqual({ less, more });
  });

  test('a field that goes takes its line with it', () => {
    const { title: _title, ...untitled } = MEMORY;
    const patched = patchFront(FRONT, untitled);
    expect(patched).not.toContain('Alpha');
    expect(patched).toContain('keep me');
    expect(parseFile(`${patched}x`)).not.toHaveProperty('fields.title');
  });

  test('CRLF and a byte order mark stay', () => {
    const front = `\ufeff${FRONT.replaceAll('\n', '\r\n')}`;
    const patched = patchFront(front, { ...MEMORY, confidence: 0.9, agent: 'ann' });
    expect(patched.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(patched).toBe(
      front
        .replace('confidence:   0.8', 'confidence: 0.9')
        .replace(/---\r\n$/, 'agent: ann\r\n---\r\n'),
    );
  });

  test('a file that is updated has one block, and its own line ends', () => {
    const parsed = parseFile('\ufeff---\r\ntitle: Alpha\r\ntags: [x]\r\n---\r\nbody\r\nmore\r\n');
    const { front } = parsed as { front: string };
    const memory = { ...MEMORY, title: 'Beta', tags: ['x'], body: 'body\nmore' };
    const text = renderFile(memory, patchFront(front, memory));
    expect(text.match(/^\ufeff?---\r$/gm)).toHaveLength(2);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(parseFile(text)).toMatchObject({
      fields: { title: 'Beta', tags: ['x'] },
      body: 'body\nmore',
    });
  });

  test.each([
    ['a block scalar', 'title: |-\n  Al\n  pha\nid: FACT-PATCH\n'],
    ['a folded text', 'title: >-\n  Al\n\n  pha\nid: FACT-PATCH\n'],
    ['a quoted text over two lines', 'title: "Al\n  pha"\nid: FACT-PATCH\n'],
    ['a quoted key', '"title": Alpha\nid: FACT-PATCH\n'],
    ['a list over several lines', 'tags:\n  - b # second\n  - a\nid: FACT-PATCH\ntitle: Alpha\n'],
    ['a list without indent', 'tags:\n- b\n- a\nid: FACT-PATCH\ntitle: Alpha\n'],
    ['nothing after the colon', 'title:\nid: FACT-PATCH\n'],
    ['nothing at all', ''],
    ['a blank line', '\n'],
    ['a comment', '# mine\n'],
    ['no line end before the fence', 'id: FACT-PATCH'],
    ['a flow map', '{title: Alpha, id: FACT-PATCH, mine: 1}\n'],
    ['an anchor', 'title: &t Alpha\nalias: *t\nid: FACT-PATCH\n'],
    ['an explicit key', '? title\n: Alpha\nid: FACT-PATCH\n'],
    ['the scope of older files', 'scope:\n  tags: [old]\n  paths: [src]\nid: FACT-PATCH\n'],
  ])('%s: what is written is read as it was meant', (_name, yaml) => {
    const eol = yaml === '' || yaml.endsWith('\n') ? '' : '\n';
    const memory = { ...MEMORY, title: 'Beta', tags: ['new', 'two'] };
    const patched = patchFront(`---\n${yaml}${eol}---\n`, memory);
    const parsed = parseFile(`${patched}x`);
    expect(parsed).not.toHaveProperty('problem');
    const { fields } = parsed as { fields: Partial<Memory> };
    expect(memoryOf({ ...fields, id: 'FACT-PATCH', body: 'x' })).toEqual(memory);
  });

  test('a block that is no YAML gives way to our own', () => {
    expect(patchFront('---\ntitle: `x`\n---\n', MEMORY)).toBe(patchFront('', MEMORY));
  });

  test('a block at the end of a file keeps its distance from the body', () => {
    expect(renderFile(MEMORY, '---\nid: FACT-PATCH\n---')).toBe('---\nid: FACT-PATCH\n---\nx\n');
  });
});
