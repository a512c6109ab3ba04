import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { VIEW_ALL } from '../../src/domain/view.ts';
import { idsFor } from '../../src/testing/contract/keyword.ts';
import {
  change,
  close,
  complaints,
  edit,
  expectSound,
  fact,
  filesOf,
  ids,
  linesOf,
  memories,
  memory,
  memoryOf,
  open,
  position,
  put,
  read,
  vaultOf,
  within,
  write,
} from './support.ts';

/** Lines of one text that another one does not have, and the other way round. */
function difference(before: string, after: string): { out: string[]; in: string[] } {
  const [old, now] = [before.split('\n'), after.split('\n')];
  return {
    out: old.filter((line) => !now.includes(line)),
    in: now.filter((line) => !old.includes(line)),
  };
}

describe('[B12] a file that a person, or another program, put there', () => {
  test('without front matter: it gets ours, and its name is its title', async () => {
    const root = await vaultOf();
    write(root, 'ENTITIES/How we deploy.md', 'On Fridays, never.\n');
    const engine = await open(root);
    const [note] = await memories(engine);
    expect(note).toMatchObject({
      title: 'How we deploy',
      body: 'On Fridays, never.',
      type: 'fact',
      status: 'active',
      source: 'owner',
    });
    expect(note?.id).toMatch(/^FACT-\d{4}-\d\d-\d\d-HOW-WE-DEPLOY-[0-9A-Z]{6}$/);
    const text = read(root, 'ENTITIES/How we deploy.md');
    expect(text).toMatch(
      new RegExp(`^---\\nid: ${note?.id}\\n[^]*\\n---\\nOn Fridays, never.\\n$`),
    );
    await expectSound(engine);
    await close(engine);
    rmSync(join(root, '.memory-index.db'));
    expect(await within(root, ids)).toEqual([note?.id]);
  });

  test('with front matter of our kind and an id: not a byte of it is changed', async () => {
    const root = await vaultOf();
    const text =
      '---\nid: DECI-FILES-FIRST\ntype: decision\ntags: [a, b]\nconfidence: 0.9\n---\nFiles first.\n';
    write(root, 'ENTITIES/DECI-FILES-FIRST.md', text);
    const engine = await open(root);
    expect(await memory(engine, 'DECI-FILES-FIRST')).toMatchObject({
      type: 'decision',
      tier: 'preferences',
      tags: ['a', 'b'],
      confidence: 0.9,
      body: 'Files first.',
    });
    expect(read(root, 'ENTITIES/DECI-FILES-FIRST.md')).toBe(text);
    await expectSound(engine);
  });

  test('in the other folders: an episode, and what is history already', async () => {
    const root = await vaultOf();
    write(root, 'EPISODES/monday.md', 'We met.\n');
    write(root, 'ARCHIVE/old.md', '---\nid: FACT-OLD-ONE\nstatus: active\n---\nOnce true.\n');
    const engine = await open(root);
    expect((await memories(engine)).map(({ type, status }) => [type, status])).toEqual([
      ['episode', 'active'],
      ['fact', 'archived'],
    ]);
    expect(Object.keys(filesOf(root))).toEqual(['ARCHIVE/old.md', 'EPISODES/monday.md']);
    await expectSound(engine);
  });

  test('case C3: made with Windows tools: the same as any other', async () => {
    const root = await vaultOf();
    write(root, 'ENTITIES/alpha.md', '\uFEFF---\r\ntitle: Alpha\r\ntags: [x]\r\n---\r\nbody\r\n');
    write(root, 'ENTITIES/beta.md', '---\ntitle: Beta\n---');
    write(root, 'ENTITIES/gamma.md', '---\n---\nbody of gamma');
    write(root, 'ENTITIES/delta.md', 'first\r\nsecond\r\n');
    const engine = await open(root);
    const byTitle = new Map((await memories(engine)).map((note) => [note.title, note]));
    expect([...byTitle.keys()].sort()).toEqual(['Alpha', 'Beta', 'delta', 'gamma']);
    expect(byTitle.get('Alpha')).toMatchObject({ body: 'body', tags: ['x'] });
    expect(byTitle.get('Beta')).toMatchObject({ body: '' });
    expect(byTitle.get('gamma')).toMatchObject({ body: 'body of gamma' });
    expect(byTitle.get('delta')).toMatchObject({ body: 'first\nsecond' });
    expect(await complaints(engine)).toEqual([]);
    await change(engine, byTitle.get('Alpha')?.id ?? '', { body: 'two\nlines', confidence: 0.4 });
    const alpha = read(root, 'ENTITIES/alpha.md');
    expect(alpha.startsWith('\uFEFF---\r\ntitle: Alpha\r\ntags: [x]\r\n')).toBe(true);
    expect(alpha.match(/^---\r?$/gm)).toHaveLength(1);
    for (const name of ['alpha', 'delta']) {
      expect(read(root, `ENTITIES/${name}.md`)).not.toMatch(/[^\r]\n/);
    }
    for (const name of ['beta', 'gamma']) {
      expect(read(root, `ENTITIES/${name}.md`)).not.toContain('\r');
      expect(read(root, `ENTITIES/${name}.md`).match(/^---$/gm)).toHaveLength(2);
    }
    await expectSound(engine);
  });

  test('case C6: only our own syntax makes structure', async () => {
    const root = await vaultOf();
    const body = [
      '> [!info] Title',
      '- [/] half done',
      '- [X] done',
      '[Linter](https://example.org) is fine',
      '[[Roadmap|the plan]] moved',
      'Fixed in #934',
      'https://example.org/#part',
      '```c',
      '#define X',
      '```',
    ].join('\n');
    write(root, 'ENTITIES/note.md', `${body}\n`);
    const engine = await open(root);
    const [note] = await memories(engine);
    expect(note).toMatchObject({ body, tags: [], relations: [], entities: [] });
    expect(await memories(engine)).toHaveLength(1);
    expect(read(root, 'ENTITIES/note.md').endsWith(`---\n${body}\n`)).toBe(true);
  });

  test('[S7] names that are magic elsewhere are names', async () => {
    const root = await vaultOf();
    write(root, 'ENTITIES/a.md', '---\n__proto__:\n  polluted: 1\nconstructor: x\n---\nA\n');
    write(
      root,
      'ENTITIES/b.md',
      '---\ntype: __proto__\ntags: [constructor, toString, __proto__]\n---\nB\n',
    );
    const engine = await open(root);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    const b = (await memories(engine)).find(({ body }) => body === 'B');
    expect(b).toMatchObject({ type: '__proto__', tags: ['constructor', 'toString', '__proto__'] });
    expect((await engine.stats(VIEW_ALL)).total).toBe(2);
    await expectSound(engine);
  });
});

describe('case C5: front matter that a person owns', () => {
  const OWNED = [
    '---',
    '# owner: keep me',
    'z: last comes first',
    'a: {nested: {map: [1, 2]}, more: "x"} # and this',
    'm: |',
    '  several',
    '  lines',
    'id: FACT-OWNED-NOTE',
    'tags: [b, a]',
    'citekey: doe2024',
    'confidence: 0.5   # a guess',
    'updated_at: 2020-01-01',
    '---',
    'The body.',
    '',
  ].join('\n');

  test('an update through the program changes the lines of what it names, and no other', async () => {
    const root = await vaultOf();
    const path = 'ENTITIES/FACT-OWNED-NOTE.md';
    write(root, path, OWNED);
    const engine = await open(root);
    expect(read(root, path)).toBe(OWNED);
    await change(engine, 'FACT-OWNED-NOTE', { confidence: 0.9 });
    expect(difference(OWNED, read(root, path))).toEqual({
      out: ['confidence: 0.5   # a guess'],
      in: ['confidence: 0.9   # a guess'],
    });
    await change(engine, 'FACT-OWNED-NOTE', { tags: ['b', 'a', 'c'], title: 'A: title' });
    expect(difference(OWNED, read(root, path))).toEqual({
      out: ['tags: [b, a]', 'confidence: 0.5   # a guess'],
      in: ['tags: [b, a, c]', 'confidence: 0.9   # a guess', 'title: "A: title"'],
    });
    await change(engine, 'FACT-OWNED-NOTE', { body: 'Another body.' });
    expect(read(root, path).endsWith('\n---\nAnother body.\n')).toBe(true);
    await expectSound(engine);
  });

  test('it comes back word for word when the file is lost', async () => {
    const root = await vaultOf();
    const path = 'ENTITIES/FACT-OWNED-NOTE.md';
    write(root, path, OWNED);
    await within(root, (engine) => change(engine, 'FACT-OWNED-NOTE', { confidence: 0.9 }));
    const text = read(root, path);
    rmSync(join(root, path));
    rmSync(join(root, '.memory-index.db'));
    await within(root, (engine) => engine.replay());
    expect(read(root, path)).toBe(text);
  });

  test('what a person adds to a file of ours stays through later updates', async () => {
    const root = await vaultOf(fact('PORT', { tags: ['a'], title: 'Port' }));
    const path = 'ENTITIES/FACT-PORT.md';
    edit(root, path, '---\nid:', '---\n# mine\naliases: [harbour]\nid:');
    edit(root, path, 'tags: [a]', 'tags:\n  - a\n  - b');
    const text = read(root, path);
    const engine = await open(root);
    expect(read(root, path)).toBe(text);
    await change(engine, 'FACT-PORT', { title: 'Ports' });
    expect(difference(text, read(root, path))).toEqual({
      out: ['title: Port'],
      in: ['title: Ports'],
    });
    expect((await memory(engine, 'FACT-PORT')).tags).toEqual(['a', 'b']);
    await expectSound(engine);
  });
});

describe('[B1] a vault that another program of this format made', () => {
  const S2_FILE = [
    '---',
    'id: DECI-2026-03-09-FILE-FIRST-ARCHITECTURE',
    'type: decision',
    'status: active',
    'confidence: 1',
    'created_at: "2026-03-09T16:00:53Z"',
    'updated_at: "2026-03-09T18:09:44Z"',
    'ttl_days: null',
    'scope:',
    '  tags: [architecture, memory-kernel]',
    '  paths: [src/]',
    '  team: core',
    'classification: TEAM',
    'relations:',
    '  - type: related',
    '    target: FACT-2026-03-09-OTHER',
    '---',
    '## Decision',
    '',
    'Files are truth.',
  ].join('\n');
  const SECTION = [
    '',
    '<!-- mk:relations -->',
    '## Relations',
    '',
    '- related [[FACT-2026-03-09-OTHER]]',
    '<!-- /mk:relations -->',
    '',
  ].join('\n');
  const LINES = [
    '{"v":2,"id":"evt-1","ts":"2026-03-09T16:00:53Z","type":"atom.created","atom":{"id":"X"}}',
    '{"type":"note","text":"no version at all"}',
  ];

  async function foreign(): Promise<string> {
    const root = await vaultOf();
    for (const name of ['.memory-index.db', '.loci-local.json', '.gitignore'])
      rmSync(join(root, name));
    write(root, 'events.ndjson', LINES.join('\n'));
    write(root, 'ENTITIES/DECI-2026-03-09-FILE-FIRST-ARCHITECTURE.md', `${S2_FILE}\n${SECTION}`);
    write(
      root,
      'ENTITIES/FACT-2026-03-09-OTHER.md',
      '---\nid: FACT-2026-03-09-OTHER\ntype: fact\nstatus: draft\n---\nOther.\n',
    );
    write(root, 'INDEX.md', '# Index\n');
    return root;
  }

  test('opens as it is: ids, fields, relations; its log lines are kept and reported', async () => {
    const root = await foreign();
    const engine = await open(root);
    expect(await memory(engine, 'DECI-2026-03-09-FILE-FIRST-ARCHITECTURE')).toMatchObject({
      type: 'decision',
      status: 'active',
      confidence: 1,
      tags: ['architecture', 'memory-kernel'],
      paths: ['src/'],
      body: '## Decision\n\nFiles are truth.',
      created_at: '2026-03-09T16:00:53.000Z',
      relations: [
        { type: 'related_to', target: 'FACT-2026-03-09-OTHER', confidence: 1, origin: 'stated' },
      ],
    });
    expect(
      (await memory(engine, 'DECI-2026-03-09-FILE-FIRST-ARCHITECTURE')).ttl_days,
    ).toBeUndefined();
    expect((await memory(engine, 'FACT-2026-03-09-OTHER')).status).toBe('draft');
    expect((await engine.findings()).map(({ message }) => message)).toContain(
      'events.ndjson holds 2 lines that are no events of this version; they are kept',
    );
    expect(read(root, 'events.ndjson').startsWith(`${LINES.join('\n')}\n{"v":3,`)).toBe(true);
    expect(await position(engine)).toBe(2);
    await expectSound(engine);
    await close(engine);
    expect(await within(root, position)).toBe(2);
  });

  test('its front matter stays, but for the lines that change, and one section of links is ours', async () => {
    const root = await foreign();
    const path = 'ENTITIES/DECI-2026-03-09-FILE-FIRST-ARCHITECTURE.md';
    const engine = await open(root);
    const file = read(root, path);
    expect(file.startsWith(S2_FILE)).toBe(true);
    expect(file).not.toContain('mk:relations');
    expect(file.match(/## Relations/g)).toHaveLength(1);
    await change(engine, 'DECI-2026-03-09-FILE-FIRST-ARCHITECTURE', { tags: ['architecture'] });
    expect(difference(file, read(root, path))).toEqual({
      out: ['  tags: [architecture, memory-kernel]'],
      in: ['  tags: [architecture]'],
    });
    await expectSound(engine);
  });

  test('replay keeps the lines that are not ours', async () => {
    const root = await foreign();
    await within(root, (engine) => engine.replay());
    expect(read(root, 'events.ndjson').startsWith(LINES.join('\n'))).toBe(true);
    expect(linesOf(root)).toHaveLength(4);
  });
});

describe('case C1: whatever a title holds', () => {
  const TITLES = [
    'Retro: Q3 (Split: Core)',
    '*Draft*',
    '[[Roadmap]] notes',
    '@owner list',
    '%done',
    '- dash',
    'null',
    'yes',
    '"half quote',
    "it's",
    '#tag',
    '1e3',
    '0x10',
    '2026-03-09',
    '12:30:45',
    '~',
    '!tag',
    '&anchor',
    'C:\\data\\x',
    'ends with colon:',
    'emoji 🚀 and \u2028 separator',
    'trailing \\',
    '{a: b}',
    '? key',
    '| block',
    '=',
    '<<',
  ];

  test('each file is read by three parsers, and says the same to all', async () => {
    const root = await vaultOf();
    const engine = await open(root);
    const notes = TITLES.map((title, i) => {
      return memoryOf({ id: `FACT-TITLE-${i}`, title, body: title, tags: [title, 'x'] });
    });
    await put(engine, ...notes);
    for (const { id, title } of notes) {
      expect(await memory(engine, id)).toMatchObject({ title, body: title, tags: [title, 'x'] });
    }
    const fronts = notes.map(({ id }) => read(root, `ENTITIES/${id}.md`).split('---\n')[1] ?? '');
    for (const [i, front] of fronts.entries()) {
      expect(parse(front)).toMatchObject({ title: TITLES[i], tags: [TITLES[i], 'x'] });
      expect(load(front)).toMatchObject({ title: TITLES[i], tags: [TITLES[i], 'x'] });
    }
    await engine.reindex();
    await expectSound(engine);
    for (const title of ['Retro', 'Roadmap', 'Draft'])
      expect(await idsFor(engine, title)).not.toEqual([]);

    const script =
      'import json,sys,yaml; print(json.dumps([yaml.safe_load(f)["title"] for f in json.load(sys.stdin)]))';
    const python = spawnSync('python3', ['-c', script], {
      input: JSON.stringify(fronts),
      encoding: 'utf8',
    });
    if (/No module named|ENOENT/.test(`${python.stderr}${python.error}`)) {
      console.warn('PyYAML is not here: its reading was not compared');
      return;
    }
    expect(JSON.parse(python.stdout)).toEqual(TITLES);
  });

  test('the same hash after the files alone were read', async () => {
    const root = await vaultOf(
      fact('ALPHA', { title: '*x*' }),
      fact('BETA', { tags: ['yes', 'no'] }),
    );
    const before = await within(root, (engine) => engine.verify());
    const files = filesOf(root);
    for (const name of ['.memory-index.db', 'events.ndjson', '.loci-local.json'])
      rmSync(join(root, name));
    const after = await within(root, (engine) => engine.verify());
    expect(after).toEqual(before);
    expect(filesOf(root)).toEqual(files);
  });
});
