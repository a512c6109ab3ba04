import { describe, expect, test } from 'vitest';
import { parseFile } from '../../src/domain/markdown/parse.ts';
import { renderFile } from '../../src/domain/markdown/render.ts';
import { memoryOf } from '../../src/testing/memories.ts';

/** Fields and body of a file, or what is wrong with it and where. */
function read(text: string): unknown {
  const parsed = parseFile(text);
  if ('problem' in parsed) return `line ${parsed.line}: ${parsed.problem}`;
  return { ...parsed.fields, body: parsed.body };
}

const NASTY_TITLES = [
  'Retro: Q3 (Split: Core)',
  '*Draft*',
  '[[Roadmap]] notes',
  '@owner list',
  '%done',
  '- dash',
  'null',
  'yes',
  '"half quote',
  '`C:\\data\\x`',
  '# no comment',
  '{brace',
  '> quote',
  '! bang',
  '1.0',
  '2026-03-09',
  ' padded ',
];

describe('[B12] a file that a person wrote', () => {
  test.each(NASTY_TITLES)('keeps the title %j when we write it', (title) => {
    const memory = memoryOf({ id: 'FACT-TITLE', title, body: 'x' });
    expect(read(renderFile(memory))).toMatchObject({ title, body: 'x' });
  });

  test.each<[name: string, text: string, expected: unknown]>([
    [
      'CRLF and a byte order mark',
      '\ufeff---\r\ntitle: Alpha\r\ntags: [x]\r\n---\r\nbody\r\nmore\r\n',
      { title: 'Alpha', tags: ['x'], body: 'body\nmore' },
    ],
    ['front matter that ends the file', '---\ntitle: Beta\n---', { title: 'Beta', body: '' }],
    ['empty front matter', '---\n---\nbody', { body: 'body' }],
    ['a comment as front matter', '---\n# nothing yet\n---\nbody\n', { body: 'body' }],
    ['blanks after the fences', '--- \t\ntitle: A\n---  \nbody', { title: 'A', body: 'body' }],
    ['no front matter', 'Just text.\n\n---\n\nMore.\n', { body: 'Just text.\n\n---\n\nMore.' }],
    ['no front matter, CRLF and a mark', '\ufeffone\r\ntwo\r\n', { body: 'one\ntwo' }],
    ['dashes that are no fence', '----\ntext', { body: '----\ntext' }],
    ['a rule in the body', '---\ntitle: A\n---\na\n---\nb\n', { title: 'A', body: 'a\n---\nb' }],
    [
      'a line separator in a value',
      '---\ntitle: "a"\nnote: "x\u2028---\u2028y"\n---\nbody',
      { title: 'a', body: 'body' },
    ],
    [
      'text that looks like other things',
      '---\ntitle: 007\nspeaker: true\nsource: 1.0\n---\nx',
      { title: '007', speaker: 'true', source: '1.0', body: 'x' },
    ],
    [
      'values that are not there',
      '---\ntitle:\nagent: ~\nspeaker: ""\ntags:\n---\nx',
      { body: 'x' },
    ],
    [
      'tags as text, as a list, with holes',
      '---\ntags: a, b\npaths:\n  - src\n  -\n  - 7\n---\nx',
      { tags: ['a', 'b'], paths: ['src', '7'], body: 'x' },
    ],
    ['one number as tags', '---\ntags: 2024\n---\nx', { tags: ['2024'], body: 'x' }],
    [
      'tags in the scope of older files',
      '---\ntags: [a]\nscope:\n  tags: [b, a]\n  paths: [src]\n---\nx',
      { tags: ['a', 'b'], paths: ['src'], body: 'x' },
    ],
    [
      'dates without quotes',
      '---\ncreated_at: 2026-03-09\nvalid_to: 2026-04-01 10:00\n---\nx',
      { created_at: '2026-03-09T00:00:00.000Z', valid_to: '2026-04-01T10:00:00.000Z', body: 'x' },
    ],
    ['a type of another version', '---\ntype: impulse\n---\nx', { type: 'impulse', body: 'x' }],
    [
      'relations, spelled loosely and twice',
      '---\nrelations:\n  - {type: related, target: B}\n  - {type: Depends On, target: A, confidence: 0.5}\n  - {type: related_to, target: B, confidence: 0.2, origin: link}\n---\nx',
      {
        relations: [
          { type: 'depends_on', target: 'A', confidence: 0.5, origin: 'stated' },
          { type: 'related_to', target: 'B', confidence: 0.2, origin: 'link' },
        ],
        body: 'x',
      },
    ],
    [
      'the relations section of older files',
      '---\ntitle: A\n---\nx\n\n<!-- mk:relations -->\n- supports [[B]]\n<!-- /mk:relations -->\n',
      { title: 'A', body: 'x' },
    ],
    [
      'keys that are not ours',
      '---\ncitekey: doe2024\nnested: {a: [1]}\naliases: [x]\n---\nx',
      { body: 'x' },
    ],
  ])('%s', (_name, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test('ordinary Obsidian text makes no structure', () => {
    const body = [
      '> [!info] Title',
      '- [/] half done',
      '- [X] done',
      '[Linter](https://example.org) is fine',
      '[[Roadmap|the plan]] moved',
      'Fixed in #934',
      'https://example.org/#part',
      '```',
      '#define X',
      '```',
    ].join('\n');
    expect(read(`---\ntitle: A\n---\n${body}\n`)).toEqual({ title: 'A', body });
  });
});

describe('[B12] a file that cannot be read is named with its line', () => {
  test.each<[name: string, text: string, problem: string]>([
    ['nothing', '', 'line 1: it is empty'],
    ['blanks', ' \n\n', 'line 1: it is empty'],
    ['NUL characters', 'a\nb\0c', 'line 2: it holds NUL characters'],
    [
      'a fence that stays open',
      '---\ntitle: A\nbody',
      'line 1: its front matter is not closed by ---',
    ],
    [
      'a backtick where YAML has none',
      '---\ntitle: A\npath: `C:\\data\\x`\n---\nx',
      'line 3: its front matter is no YAML: Plain value cannot start with reserved character `',
    ],
    [
      'one key twice',
      '---\ntitle: A\ntitle: B\n---\nx',
      'line 3: its front matter is no YAML: Map keys must be unique',
    ],
    [
      'a list for a map',
      '---\n- a\n- b\n---\nx',
      'line 2: its front matter is no list of keys and values',
    ],
    [
      'a text for a map',
      '---\nonly text\n---\nx',
      'line 2: its front matter is no list of keys and values',
    ],
    [
      'a status that is none',
      '---\ntitle: A\nstatus: done\n---\nx',
      'line 3: status cannot be "done"',
    ],
    ['a confidence above one', '---\nconfidence: 1.5\n---\nx', 'line 2: confidence cannot be 1.5'],
    [
      'a confidence in words',
      '---\nconfidence: high\n---\nx',
      'line 2: confidence cannot be "high"',
    ],
    [
      'a date that is none',
      '---\na: 1\n\nvalid_to: 2026-02-30\n---\nx',
      'line 4: valid_to cannot be "2026-02-30"',
    ],
    [
      'a relation surer than sure',
      '---\nrelations:\n  - {type: supports, target: A-1, confidence: 90}\n---\nx',
      'line 2: relations cannot be [{"type":"supports","target":"A-1","confidence":90}]',
    ],
    [
      'a relation to nothing',
      '---\nrelations:\n  - {type: "", target: ""}\n---\nx',
      'line 2: relations cannot be [{"type":"","target":""}]',
    ],
    [
      'a source as long as a text',
      `---\nsource: ${'s'.repeat(1001)}\n---\nx`,
      `line 2: source cannot be "${'s'.repeat(79)}`,
    ],
    ['tags that hold maps', '---\ntags: [{a: 1}]\n---\nx', 'line 2: tags cannot be [{"a":1}]'],
    ['a title that is a list', '---\ntitle: [a]\n---\nx', 'line 2: title cannot be ["a"]'],
    [
      'a merge that was left undone',
      '---\ntitle: A\n---\nx\n<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> other\n',
      'line 5: it holds merge conflict markers',
    ],
    [
      'code',
      '---js\nglobalThis.polluted = true;\n---\nx',
      'line 1: its front matter is not YAML (only --- alone opens it)',
    ],
    [
      'code, spelled out',
      '---javascript\nglobalThis.polluted = true;\n---\nx',
      'line 1: its front matter is not YAML (only --- alone opens it)',
    ],
  ])('%s', (_name, text, problem) => {
    expect(read(text)).toBe(problem);
    // The same file read twice is the same: nothing is kept of it.
    expect(read(text)).toBe(problem);
    expect((globalThis as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('keys that JavaScript minds are keys like any other', () => {
    const text =
      '---\n__proto__:\n  polluted: 1\nconstructor: x\ntype: __proto__\ntags: [constructor, toString]\ndetails: {"__proto__": {"polluted": 1}, "a": 1}\n---\nx';
    expect(read(text)).toMatchObject({
      type: '__proto__',
      tags: ['constructor', 'toString'],
      body: 'x',
    });
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test('aliases do not grow without bounds', () => {
    const lines = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (const [i, key] of [...'bcdefghi'].entries()) {
      const before = '*abcdefghi'.slice(i + 1, i + 2);
      lines.push(`${key}: &${key} [${Array(9).fill(`*${before}`).join(', ')}]`);
    }
    const started = performance.now();
    expect(read(`---\n${lines.join('\n')}\ntags: *i\n---\nx`)).toMatch(/^line \d+: tags cannot be/);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});
