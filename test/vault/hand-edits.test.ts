import { copyFileSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
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
  memories,
  memory,
  open,
  position,
  put,
  read,
  sha,
  vaultOf,
  within,
  write,
} from './support.ts';

describe('[B12] files that a person changed while nobody was looking', () => {
  test('a body is taken up as an event, found by its new words, and the file is left as it is', async () => {
    const root = await vaultOf(fact('PORT', { body: 'The port is 8080.' }));
    edit(root, 'ENTITIES/FACT-PORT.md', '8080', '9090');
    const before = sha(root, 'ENTITIES/FACT-PORT.md');
    const engine = await open(root);
    expect((await memory(engine, 'FACT-PORT')).body).toBe('The port is 9090.');
    expect(await idsFor(engine, '9090')).toEqual(['FACT-PORT']);
    expect(await idsFor(engine, '8080')).toEqual([]);
    const history = await engine.history('FACT-PORT');
    expect(history.map(({ kind, actor }) => [kind, actor])).toEqual([
      ['memory.updated', 'owner'],
      ['memory.edited', 'hand'],
    ]);
    expect(history[1]?.base).toEqual([history[0]?.id]);
    expect(sha(root, 'ENTITIES/FACT-PORT.md')).toBe(before);
    await expectSound(engine);
  });

  test('it is taken up once: opening again makes no event', async () => {
    const root = await vaultOf(fact('PORT'), fact('OTHER'));
    edit(root, 'ENTITIES/FACT-PORT.md', 'The text of', 'Another text of');
    await within(root, expectSound);
    const at = await within(root, position);
    for (let i = 0; i < 3; i++) expect(await within(root, position)).toBe(at);
    expect(at).toBe(3);
  });

  test('a field in the front matter, and one that was taken out', async () => {
    const root = await vaultOf(fact('PORT', { title: 'Port', tags: ['net'], confidence: 0.5 }));
    edit(root, 'ENTITIES/FACT-PORT.md', 'confidence: 0.5\n', 'confidence: 0.9\n');
    edit(root, 'ENTITIES/FACT-PORT.md', 'title: Port\n', '');
    const engine = await open(root);
    const port = await memory(engine, 'FACT-PORT');
    expect(port).toMatchObject({ confidence: 0.9, tags: ['net'] });
    expect(port.title).toBeUndefined();
    await expectSound(engine);
  });

  test('its id, project and agent cannot be changed', async () => {
    const root = await vaultOf(fact('PORT', { project: 'web' }));
    edit(root, 'ENTITIES/FACT-PORT.md', 'id: FACT-PORT\n', 'id: FACT-ANOTHER\n');
    edit(root, 'ENTITIES/FACT-PORT.md', 'project: web\n', 'project: secret\n');
    const engine = await open(root);
    expect(await ids(engine)).toEqual(['FACT-PORT']);
    expect((await memory(engine, 'FACT-PORT')).project).toBe('web');
    await expectSound(engine);
  });

  test('two files that swapped their names keep their memories, and make no event', async () => {
    const root = await vaultOf(fact('MINE', { project: 'p' }), fact('OTHER', { project: 'q' }));
    const [mine, other] = ['ENTITIES/FACT-MINE.md', 'ENTITIES/FACT-OTHER.md'];
    renameSync(join(root, mine), join(root, 'x'));
    renameSync(join(root, other), join(root, mine));
    renameSync(join(root, 'x'), join(root, other));
    for (let i = 0; i < 2; i++) {
      await within(root, async (engine) => {
        expect((await memory(engine, 'FACT-MINE')).body).toBe(fact('MINE').body);
        expect((await memory(engine, 'FACT-OTHER')).body).toBe(fact('OTHER').body);
        expect(await position(engine)).toBe(2);
        await expectSound(engine);
      });
    }
    edit(root, other, fact('MINE').body, 'Said of mine, under the name of the other.');
    await within(root, async (engine) => {
      const { body } = await memory(engine, 'FACT-MINE');
      expect(body).toBe('Said of mine, under the name of the other.');
    });
  });

  test('a file that is put over another is the same memory; the other is removed by hand', async () => {
    const root = await vaultOf(fact('MINE'), fact('OTHER'));
    renameSync(join(root, 'ENTITIES/FACT-MINE.md'), join(root, 'ENTITIES/FACT-OTHER.md'));
    const engine = await open(root);
    expect(await memory(engine, 'FACT-MINE')).toMatchObject({
      status: 'active',
      body: fact('MINE').body,
    });
    expect(await memory(engine, 'FACT-OTHER')).toMatchObject({
      status: 'archived',
      status_reason: 'removed by hand',
      body: fact('OTHER').body,
    });
    await expectSound(engine);
  });

  test('a deleted file is an archived memory, and restoring brings the file back', async () => {
    const root = await vaultOf(fact('PORT'), fact('OTHER'));
    rmSync(join(root, 'ENTITIES/FACT-PORT.md'));
    const engine = await open(root);
    expect(await memory(engine, 'FACT-PORT')).toMatchObject({
      status: 'archived',
      status_reason: 'removed by hand',
    });
    expect(Object.keys(filesOf(root))).toEqual(['ENTITIES/FACT-OTHER.md', 'ARCHIVE/FACT-PORT.md']);
    await change(engine, 'FACT-PORT', { status: 'active' });
    expect(Object.keys(filesOf(root))).toEqual(['ENTITIES/FACT-OTHER.md', 'ENTITIES/FACT-PORT.md']);
    await expectSound(engine);
  });

  test('a file whose memory is archived may be deleted: nothing follows from it', async () => {
    const root = await vaultOf(fact('OLD', { status: 'archived' }));
    rmSync(join(root, 'ARCHIVE/FACT-OLD.md'));
    const engine = await open(root);
    expect(await position(engine)).toBe(1);
    await expectSound(engine);
  });

  test('a renamed file is the same memory, keeps its name, its history and its place', async () => {
    const root = await vaultOf(fact('PORT'));
    renameSync(join(root, 'ENTITIES/FACT-PORT.md'), join(root, 'ENTITIES/The port.md'));
    const engine = await open(root);
    expect(await position(engine)).toBe(1);
    await change(engine, 'FACT-PORT', { body: 'The port is 9090.' });
    expect(Object.keys(filesOf(root))).toEqual(['ENTITIES/The port.md']);
    expect(read(root, 'ENTITIES/The port.md')).toContain('The port is 9090.');
    expect(await engine.history('FACT-PORT')).toHaveLength(2);
    await expectSound(engine);
    await close(engine);
    rmSync(join(root, '.memory-index.db'));
    await within(root, expectSound);
  });

  test('renamed and edited at once', async () => {
    const root = await vaultOf(fact('PORT'));
    renameSync(join(root, 'ENTITIES/FACT-PORT.md'), join(root, 'ENTITIES/port.md'));
    edit(root, 'ENTITIES/port.md', 'The text of', 'A new text of');
    const engine = await open(root);
    expect((await memory(engine, 'FACT-PORT')).body).toBe('A new text of FACT-PORT.');
    expect(await ids(engine)).toEqual(['FACT-PORT']);
    await expectSound(engine);
  });

  test('moved to the archive and back', async () => {
    const root = await vaultOf(fact('PORT'), fact('OTHER'));
    const [current, archived] = ['ENTITIES/FACT-PORT.md', 'ARCHIVE/FACT-PORT.md'];
    renameSync(join(root, current), join(root, archived));
    await within(root, async (engine) => {
      expect((await memory(engine, 'FACT-PORT')).status).toBe('archived');
      expect(Object.keys(filesOf(root))).toContain(archived);
      await expectSound(engine);
    });
    renameSync(join(root, archived), join(root, current));
    await within(root, async (engine) => {
      expect((await memory(engine, 'FACT-PORT')).status).toBe('active');
      expect(Object.keys(filesOf(root))).toContain(current);
      const kinds = (await engine.history('FACT-PORT')).map(({ kind }) => kind);
      expect(kinds).toEqual(['memory.updated', 'memory.archived', 'memory.restored']);
      await expectSound(engine);
    });
  });

  test('in a folder of its owner’s within ENTITIES', async () => {
    const root = await vaultOf(fact('PORT'));
    mkdirSync(join(root, 'ENTITIES/network'));
    renameSync(join(root, 'ENTITIES/FACT-PORT.md'), join(root, 'ENTITIES/network/FACT-PORT.md'));
    write(root, 'ENTITIES/network/note.md', 'A note.\n');
    const engine = await open(root);
    expect(await memories(engine)).toHaveLength(2);
    await change(engine, 'FACT-PORT', { body: 'Changed.' });
    expect(read(root, 'ENTITIES/network/FACT-PORT.md')).toContain('Changed.');
    await expectSound(engine);
  });

  test('a copy has the id of another file: said, and both are left alone', async () => {
    const root = await vaultOf(fact('PORT'));
    copyFileSync(join(root, 'ENTITIES/FACT-PORT.md'), join(root, 'ENTITIES/copy.md'));
    edit(root, 'ENTITIES/copy.md', 'The text', 'The other text');
    const before = filesOf(root);
    const engine = await open(root);
    expect(await complaints(engine)).toEqual([
      'ENTITIES/copy.md, line 1: it has the id of ENTITIES/FACT-PORT.md, FACT-PORT',
    ]);
    expect((await memory(engine, 'FACT-PORT')).body).toBe('The text of FACT-PORT.');
    expect(filesOf(root)).toEqual(before);
    // The copy is meant, it turns out: then it is the memory from there on.
    rmSync(join(root, 'ENTITIES/FACT-PORT.md'));
    await engine.reindex();
    expect(await memory(engine, 'FACT-PORT')).toMatchObject({
      body: 'The other text of FACT-PORT.',
      status: 'active',
    });
    expect(await complaints(engine)).toEqual([]);
    await expectSound(engine);
  });
});

describe('[B12] files that cannot be taken up', () => {
  const BROKEN: [name: string, bytes: string | Uint8Array, problem: string][] = [
    [
      'broken YAML',
      '---\ntitle: ok\npath: `C:\\data\\x`\n---\nbody\n',
      'line 3: its front matter is no YAML',
    ],
    ['nothing', '', 'line 1: it is empty'],
    ['blanks', ' \n\n', 'line 1: it is empty'],
    ['NUL', 'a\nb\0c\n', 'line 2: it holds NUL characters'],
    ['no UTF-8', new Uint8Array([0x61, 0xff, 0xfe, 0x62]), 'line 1: it is not UTF-8'],
    [
      'conflict markers',
      'one\n<<<<<<< HEAD\ntwo\n=======\nthree\n>>>>>>> branch\n',
      'line 2: it holds merge conflict markers',
    ],
    ['code', '---js\nglobalThis.polluted = 1\n---\nbody\n', 'line 1: its front matter is not YAML'],
    ['an open end', '---\ntitle: x\nbody\n', 'line 1: its front matter is not closed'],
    ['a value that cannot be', '---\nconfidence: 7\n---\nbody\n', 'line 2: confidence cannot be 7'],
    [
      'too many brackets',
      `---\na: ${'['.repeat(50_000)}\n---\nbody\n`,
      'line 2: its front matter is nested too deep',
    ],
  ];

  test.each(BROKEN)(
    '%s: named with its line, left alone, its neighbours fine',
    async (_name, bytes, problem) => {
      const root = await vaultOf();
      write(root, 'ENTITIES/a.md', '---\ntitle: First\n---\nAlpha\n');
      write(root, 'ENTITIES/b.md', bytes);
      write(root, 'ENTITIES/c.md', 'Gamma\n');
      const before = sha(root, 'ENTITIES/b.md');
      const engine = await open(root);
      const { problems } = await engine.reindex();
      expect(problems.map(({ message }) => message)).toEqual([
        expect.stringContaining(`ENTITIES/b.md, ${problem}`),
      ]);
      expect(await idsFor(engine, 'alpha')).toHaveLength(1);
      expect(await idsFor(engine, 'gamma')).toHaveLength(1);
      expect(await memories(engine)).toHaveLength(2);
      expect(sha(root, 'ENTITIES/b.md')).toBe(before);
      expect('polluted' in globalThis).toBe(false);
      // Read again, it is as broken as before; mended, it is read.
      expect(await within(root, complaints)).toHaveLength(1);
      write(root, 'ENTITIES/b.md', 'Beta\n');
      await engine.reindex();
      expect(await complaints(engine)).toEqual([]);
      expect(await idsFor(engine, 'beta')).toHaveLength(1);
      await expectSound(engine);
    },
  );

  test('case C5: a file that was broken keeps its memory as it was, and the memory cannot be changed', async () => {
    const root = await vaultOf(fact('PORT'));
    edit(root, 'ENTITIES/FACT-PORT.md', 'type: fact', 'type: "fact');
    const before = sha(root, 'ENTITIES/FACT-PORT.md');
    const engine = await open(root);
    expect((await memory(engine, 'FACT-PORT')).body).toBe('The text of FACT-PORT.');
    await expect(change(engine, 'FACT-PORT', { confidence: 0.3 })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('ENTITIES/FACT-PORT.md, line'),
    });
    expect(sha(root, 'ENTITIES/FACT-PORT.md')).toBe(before);
    expect(await position(engine)).toBe(1);
    edit(root, 'ENTITIES/FACT-PORT.md', 'type: "fact', 'type: fact');
    await change(engine, 'FACT-PORT', { confidence: 0.3 });
    await expectSound(engine);
  });

  test('a file that somebody made where a new memory belongs is not written over', async () => {
    const root = await vaultOf();
    const engine = await open(root);
    write(root, 'ENTITIES/FACT-NEW.md', 'Mine.\n');
    await put(engine, fact('NEW'));
    expect(read(root, 'ENTITIES/FACT-NEW.md')).toBe('Mine.\n');
    await engine.reindex();
    expect((await memory(engine, 'FACT-NEW')).body).toBe('Mine.');
    expect(await engine.history('FACT-NEW')).toHaveLength(2);
    await expectSound(engine);
  });

  test('[S1] links are not followed, whatever they lead to', async () => {
    const root = await vaultOf(fact('PORT'));
    const outside = await vaultOf(fact('SECRET', { body: 'The word is swordfish.' }));
    symlinkSync(join(outside, 'ENTITIES/FACT-SECRET.md'), join(root, 'ENTITIES/link.md'));
    symlinkSync(join(outside, 'ENTITIES'), join(root, 'ENTITIES/folder'));
    symlinkSync(join(outside, 'ENTITIES/FACT-SECRET.md'), join(root, '.loci-tmp-FACT-PORT'));
    const before = sha(outside, 'ENTITIES/FACT-SECRET.md');
    const engine = await open(root);
    await engine.reindex();
    await change(engine, 'FACT-PORT', { body: 'Changed.' });
    expect(await ids(engine)).toEqual(['FACT-PORT']);
    expect(JSON.stringify(await engine.get(['FACT-PORT'], VIEW_ALL))).not.toContain('swordfish');
    expect(sha(outside, 'ENTITIES/FACT-SECRET.md')).toBe(before);
    await expectSound(engine);
  });
});

describe('[B12] an edit and an update at the same time', () => {
  test('of different fields: both are kept', async () => {
    const root = await vaultOf(fact('PORT', { body: 'The port is 8080.', tags: ['a'] }));
    const engine = await open(root, {
      onStep(step) {
        // Between the look at the file and its writing, an editor saves.
        if (step === 'decided' && read(root, 'ENTITIES/FACT-PORT.md').includes('8080')) {
          edit(root, 'ENTITIES/FACT-PORT.md', '8080', '9090');
        }
      },
    });
    await change(engine, 'FACT-PORT', { tags: ['a', 'b'] });
    await engine.reindex();
    expect(await memory(engine, 'FACT-PORT')).toMatchObject({
      body: 'The port is 9090.',
      tags: ['a', 'b'],
    });
    expect(await ids(engine)).toEqual(['FACT-PORT']);
    expect(read(root, 'ENTITIES/FACT-PORT.md')).toContain('tags: [a, b]');
    await expectSound(engine);
  });

  test.each(['locked', 'decided', 'appended', 'filed', 'indexed'])(
    'at any moment of it: saved at “%s”, it is not written over',
    async (moment) => {
      const root = await vaultOf(fact('PORT', { body: 'The port is 8080.' }));
      let isSaved = false;
      const engine = await open(root, {
        onStep(step) {
          if (step !== moment || isSaved) return;
          isSaved = true;
          edit(root, 'ENTITIES/FACT-PORT.md', '8080', '9090');
        },
      });
      await change(engine, 'FACT-PORT', { tags: ['net'] });
      await engine.reindex();
      expect(await memory(engine, 'FACT-PORT')).toMatchObject({
        body: 'The port is 9090.',
        tags: ['net'],
      });
      await expectSound(engine);
    },
  );

  test('of one field: a conflict says so, and neither is lost', async () => {
    const root = await vaultOf(fact('PORT', { body: 'The port is 8080.' }));
    const engine = await open(root, {
      onStep(step) {
        if (step === 'decided' && read(root, 'ENTITIES/FACT-PORT.md').includes('8080')) {
          edit(root, 'ENTITIES/FACT-PORT.md', '8080', '9090');
        }
      },
    });
    await change(engine, 'FACT-PORT', { body: 'The port is 7070.' });
    await engine.reindex();
    const conflict = (await memories(engine)).find(({ type }) => type === 'conflict');
    expect(conflict?.body).toContain('The port is 7070.');
    expect(conflict?.body).toContain('The port is 9090.');
    expect(Object.keys(filesOf(root))).toEqual([
      'ENTITIES/FACT-PORT.md',
      `CONFLICTS/${conflict?.id}.md`,
    ]);
    await expectSound(engine);
    await change(engine, 'FACT-PORT', { body: 'The port is 6060.' });
    expect(Object.keys(filesOf(root))).toEqual(['ENTITIES/FACT-PORT.md']);
    await expectSound(engine);
  });

  test('an edit that was there before an update is what the update sees', async () => {
    const root = await vaultOf(fact('PORT', { body: 'The port is 8080.' }));
    const engine = await open(root);
    edit(root, 'ENTITIES/FACT-PORT.md', '8080', '9090');
    await change(engine, 'FACT-PORT', { tags: ['net'] });
    expect(await memory(engine, 'FACT-PORT')).toMatchObject({
      body: 'The port is 9090.',
      tags: ['net'],
    });
    expect(read(root, 'ENTITIES/FACT-PORT.md')).toContain('The port is 9090.');
    await expectSound(engine);
  });

  test('a conflict is settled in the memory it speaks of: its own file is not taken up', async () => {
    const root = await vaultOf(fact('PORT', { body: 'The port is 8080.' }));
    const engine = await open(root, {
      onStep(step) {
        if (step === 'decided' && read(root, 'ENTITIES/FACT-PORT.md').includes('8080')) {
          edit(root, 'ENTITIES/FACT-PORT.md', '8080', '9090');
        }
      },
    });
    await change(engine, 'FACT-PORT', { body: 'The port is 7070.' });
    await engine.reindex();
    const path = Object.keys(filesOf(root)).find((name) => name.startsWith('CONFLICTS/')) ?? '';
    rmSync(join(root, path));
    await engine.reindex();
    expect(Object.keys(filesOf(root))).toContain(path);
    edit(root, path, '7070', '1111');
    await engine.reindex();
    expect(await complaints(engine)).toEqual([
      `${path}, line 1: it is derived; settle it by editing FACT-PORT`,
    ]);
    edit(root, path, '1111', '7070');
    edit(root, 'ENTITIES/FACT-PORT.md', '9090', '6060');
    await engine.reindex();
    expect(Object.keys(filesOf(root))).toEqual(['ENTITIES/FACT-PORT.md']);
    await expectSound(engine);
  });
});
