import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync, spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  altered,
  DEED,
  deedIn,
  fill,
  fresh,
  hashOf,
  KINDS,
  linesIn,
  onEveryPair,
  store,
} from './support.ts';

const NONE = { memories: 0, events: 0, entities: 0, vectors: 0, evidence: 0 };

onEveryPair((from, to) => {
  test('[B10] [I1] a round trip keeps history, relations, vectors and the hash', async () => {
    const source = await store(from(), { embedder: 'builtin' });
    await fill(source);
    await source.reEmbed();
    const out = fresh('all.jsonl.gz');
    const { inserted } = await source.export({ out });
    expect(inserted).toMatchObject({ memories: 5, events: 9, entities: 0 });
    expect(inserted.vectors).toBe(5);
    const target = await store(to(), { embedder: 'builtin' });
    const taken = await target.import({ file: out });
    expect(taken).toEqual({ inserted, skipped: NONE, updated: 0, dry_run: false, errors: [] });
    expect(await hashOf(target)).toBe(await hashOf(source));
    expect(await deedIn(target)).toBe(DEED);
    const past = { ids: ['x-1', 'FACT-OLD-ONE'], history: true, relations: true };
    expect(await target.get(past)).toEqual(await source.get(past));
    expect((await target.status({ allProjects: true })).embeddings).toMatchObject({ pending: 0 });
    const again = await target.import({ file: out });
    expect(again).toMatchObject({ inserted: NONE, skipped: inserted, updated: 0, errors: [] });
    expect(await hashOf(target)).toBe(await hashOf(source));
  });
});

onEveryPair((from, to) => {
  test('[B10] entities that are known by several names come along', async () => {
    const source = await store(from());
    await source.remember({ body: 'The harbour master is Ann.' });
    await source.entity({ name: 'Ann', kind: 'person', aliases: ['HM', 'harbour master'] });
    const out = fresh('entities.jsonl');
    expect((await source.export({ out })).inserted.entities).toBe(1);
    const target = await store(to());
    const { inserted, errors } = await target.import({ file: out });
    expect({ entities: inserted.entities, errors }).toEqual({ entities: 1, errors: [] });
    expect(await target.entities()).toEqual(await source.entities());
    expect(await hashOf(target)).toBe(await hashOf(source));
  });
});

describe.each(KINDS)('%s', (_kind, name) => {
  test('[B10] [B9] nothing of a memory that was purged comes back with an older file', async () => {
    const loci = await store(name(), { embedder: 'builtin' });
    await loci.remember([
      { id: 'FACT-DEED-OF-BOAT', body: 'The deed is kept.', evidence: [Buffer.from(DEED)] },
      { id: 'FACT-HELM-OF-BOAT', body: 'The helm is aft.' },
    ]);
    await loci.reEmbed();
    const out = fresh('older.jsonl');
    const { inserted } = await loci.export({ out });
    expect(inserted).toMatchObject({ memories: 2, evidence: 1, vectors: 2 });
    await loci.purge({ ids: ['FACT-DEED-OF-BOAT'], yes: true });
    const before = await hashOf(loci);
    expect(await loci.import({ file: out })).toMatchObject({ inserted: NONE, errors: [] });
    expect(await hashOf(loci)).toBe(before);
    const again = await loci.export({ out: fresh('now.jsonl') });
    expect(again.inserted).toMatchObject({ memories: 1, evidence: 0, vectors: 1 });
    const sha256 = createHash('sha256').update(DEED).digest('hex');
    await expect(loci.readEvidence(sha256)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('[B10] what compact dropped is not counted as new', async () => {
    const loci = await store(name());
    await fill(loci);
    const out = fresh('before.jsonl');
    await loci.export({ out });
    await loci.compact();
    const { inserted, updated } = await loci.import({ file: out });
    expect({ inserted, updated }).toEqual({ inserted: NONE, updated: 0 });
  });

  test('[B10] the header says what is in the file', async () => {
    const loci = await store(name());
    await fill(loci);
    const out = fresh('all.jsonl');
    const { inserted } = await loci.export({ out });
    const [header = '', ...rows] = linesIn(out);
    expect(JSON.parse(header)).toEqual({
      loci_export: 1,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      program: expect.stringMatching(/^\d/),
      project: null,
      counts: inserted,
    });
    expect(inserted.evidence).toBe(1);
    expect(rows).toHaveLength(inserted.events + inserted.evidence);
    expect(readdirSync(dirname(out)).filter((file) => file.endsWith('.part'))).toEqual([]);
  });

  test('[B10] [G1] one project alone is exported, and stands in another store', async () => {
    const source = await store(name());
    await fill(source);
    const out = fresh('cafe.jsonl');
    const { inserted } = await source.export({ out, project: 'café' });
    expect(inserted).toEqual({
      memories: 1,
      events: 2,
      entities: 0,
      vectors: 0,
      evidence: 0,
    });
    expect(readFileSync(out, 'utf8')).not.toMatch(/helm|FACT-HELM|boat/);
    const target = await store(name(), { project: 'café' });
    await target.remember({ body: 'Something of its own.' });
    expect(await target.import({ file: out })).toMatchObject({ inserted, errors: [] });
    // History and the chain of the log are sound although most of the other log is missing.
    await hashOf(target);
    const { memories } = await target.get({ ids: ['FACT-OTHER'], history: true });
    expect(memories[0]?.history?.map(({ kind }) => kind)).toEqual([
      'memory.stored',
      'memory.archived',
    ]);
    expect(await target.import({ file: out })).toMatchObject({ inserted: NONE, skipped: inserted });
  });

  test('[B10] a part is imported first, the whole later', async () => {
    const source = await store(name());
    await fill(source);
    const [part, whole] = [fresh('part.jsonl'), fresh('whole.jsonl')];
    await source.export({ out: part, project: 'boat' });
    await source.update({ id: 'FACT-MAST', body: 'The mast is ash.' });
    await source.export({ out: whole });
    const target = await store(name());
    await target.import({ file: part });
    const { inserted, updated } = await target.import({ file: whole });
    expect(inserted).toMatchObject({ memories: 1, events: 3 });
    expect(updated).toBe(1);
    expect(await hashOf(target)).toBe(await hashOf(source));
  });

  test('[B10] a dry run counts the same and writes nothing', async () => {
    const source = await store(name());
    await fill(source);
    const out = fresh('all.jsonl');
    const { inserted } = await source.export({ out });
    const path = await name();
    const target = await store(path);
    expect(await target.import({ file: out, dryRun: true })).toEqual({
      inserted,
      skipped: NONE,
      updated: 0,
      dry_run: true,
      errors: [],
    });
    expect((await target.status()).log.events).toBe(0);
    expect(existsSync(path.replace('sqlite:', ''))).toBe(false);
  });

  test('[B10] bad rows are named with their line, and the others are taken', async () => {
    const source = await store(name());
    await fill(source);
    const out = fresh('all.jsonl');
    await source.export({ out });
    const bad = altered(out, (line, i) => {
      if (i === 1) return ['{"event":', line.replace('"bytes":"', '"bytes":"AAAA')];
      if (i === 3) return [line.replace('The mast is oak.', 'The mast is gold.')];
      if (i === 5) return ['{"colour":"red"}', line, '[1]'];
      return [line];
    });
    const target = await store(name());
    const { errors, inserted } = await target.import({ file: bad });
    expect(errors.map(({ line }) => line)).toEqual([2, 3, 5, 7, 9]);
    expect(errors[0]?.message).toMatch(/no JSON/);
    expect(errors[1]?.message).toMatch(/are not those of its name/);
    expect(errors[2]?.message).toMatch(/does not match its digest/);
    expect(errors[3]?.message).toMatch(/no row of an export/);
    expect(inserted.events).toBe(8);
    await hashOf(target);
    expect((await target.get({ ids: ['FACT-HELM', 'FACT-NEW-ONE'] })).missing).toEqual([]);
    // The sound file brings what was missing.
    await target.import({ file: out });
    expect(await hashOf(target)).toBe(await hashOf(source));
  });

  test('[S1] an id that is a path is no id, and nothing is written outside', async () => {
    const source = await store(name());
    await source.remember({ id: 'FACT-HELM', body: 'The helm is aft.' });
    const out = fresh('all.jsonl');
    await source.export({ out });
    const evil = altered(out, (line) => [line.replaceAll('FACT-HELM', '../../../FACT-OUT')]);
    const target = await store(name());
    const { errors, inserted } = await target.import({ file: evil });
    expect(inserted.events).toBe(0);
    expect(errors).toEqual([{ line: 2, message: '../../../FACT-OUT: id is no id of a memory' }]);
  });

  test('a text that is there under another id stays out, as one that was rejected', async () => {
    const source = await store(name());
    await fill(source);
    const out = fresh('all.jsonl');
    await source.export({ out });
    const target = await store(name());
    await target.remember({ id: 'FACT-MINE', body: 'The mast is oak.' });
    await target.remember({ id: 'FACT-NEVER', body: 'The hull is oak.' });
    await target.reject({ id: 'FACT-NEVER', reason: 'it is pine' });
    const { inserted, skipped } = await target.import({ file: out });
    expect(inserted).toMatchObject({ memories: 3 });
    expect(skipped).toMatchObject({ memories: 2 });
    expect((await target.get({ ids: ['FACT-MAST'] })).missing).toEqual(['FACT-MAST']);
    await hashOf(target);
  });

  test('a text that moved to another memory moves with the later export', async () => {
    const source = await store(name());
    await source.remember({ id: 'FACT-FIRST', body: 'The same text.' });
    const [before, after] = [fresh('before.jsonl'), fresh('after.jsonl')];
    await source.export({ out: before });
    await source.archive({ id: 'FACT-FIRST' });
    await source.remember({ id: 'FACT-SECOND', body: 'The same text.' });
    await source.export({ out: after });
    const target = await store(name());
    await target.import({ file: before });
    await target.import({ file: after });
    expect(await hashOf(target)).toBe(await hashOf(source));
  });
});

function fileOf(text: string | Buffer): string {
  const path = fresh('file.jsonl');
  writeFileSync(path, text);
  return path;
}

describe('a file', () => {
  test.each([
    ['of a newer program', '{"loci_export":2}\n', 'unsupported', /format version 2/],
    ['of something else', '{"a":1}\n', 'invalid_input', /is no export of Loci/],
    ['that is text', 'Dear diary,\n', 'invalid_input', /is no export of Loci/],
    ['that is empty', '', 'invalid_input', /is no export of Loci/],
    ['whose header is broken', '{"loci_export":1}\n', 'invalid_input', /no sound at/],
  ])('[B10] %s is refused', async (_what, text, code, message) => {
    const target = await store('memory:');
    await expect(target.import({ file: fileOf(text) })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });

  test('[B10] with an event of a newer program is refused whole', async () => {
    const source = await store('memory:');
    await fill(source);
    const out = fresh('all.jsonl');
    await source.export({ out });
    const newer = altered(out, (line, i) => [i === 5 ? line.replace('"v":3', '"v":4') : line]);
    const target = await store('memory:');
    await expect(target.import({ file: newer })).rejects.toMatchObject({ code: 'unsupported' });
    expect((await target.status()).log.events).toBe(0);
  });

  test('[B10] that is not there, or a folder, is said to be', async () => {
    const target = await store('memory:');
    await expect(target.import({ file: fresh('none') })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(target.import({ file: '.' })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(target.import({})).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('[B10] that was cut off brings what is left of it, and says so', async () => {
    const source = await store('memory:');
    const bodies = Array.from({ length: 300 }, (_, i) => ({ body: `Fact number ${i * 7919}.` }));
    await source.remember(bodies);
    const [plain, gzipped] = [fresh('all.jsonl'), fresh('all.jsonl.gz')];
    await source.export({ out: plain });
    await source.export({ out: gzipped });
    const bytes = readFileSync(gzipped);
    const cutGzip = fileOf(bytes.subarray(0, Math.floor(bytes.length / 2)));
    const target = await store('memory:');
    const { errors, inserted } = await target.import({ file: cutGzip });
    expect(errors).toHaveLength(1);
    expect(errors[0]?.message).toMatch(/compressed data is damaged or cut off after line \d+/);
    expect(inserted.events).toBe(errors[0]!.line - 1);
    const cutPlain = fileOf(`${linesIn(plain).slice(0, 101).join('\n')}\n`);
    const other = await store('memory:');
    const cut = await other.import({ file: cutPlain });
    expect(cut.inserted.events).toBe(100);
    expect(cut.errors).toEqual([
      {
        line: 101,
        message: 'the file ends early: its header speaks of 300 events, 100 are there',
      },
    ]);
    await hashOf(other);
  });

  test('with a line that is too long to be read keeps the others', async () => {
    const source = await store('memory:');
    await fill(source);
    const plain = fresh('plain.jsonl');
    const { inserted } = await source.export({ out: plain });
    const long = altered(plain, (line, i) => (i === 2 ? [line, 'x'.repeat(70_000_000)] : [line]));
    const target = await store('memory:');
    const taken = await target.import({ file: long });
    expect(taken.inserted.events).toBe(inserted.events);
    expect(taken.errors).toEqual([{ line: 4, message: 'the line is too long to be read' }]);
  });

  test('of another name is kept where a link leads to it, and a pipe is written to', async () => {
    const source = await store('memory:');
    await fill(source);
    const [real, link, pipe] = [fresh('real.jsonl'), fresh('link.jsonl'), fresh('pipe')];
    writeFileSync(real, 'before');
    symlinkSync(real, link);
    await source.export({ out: link });
    expect(linesIn(real)).toHaveLength(11);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    execFileSync('mkfifo', [pipe]);
    const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'inherit'] });
    const read = reader.stdout.toArray();
    await source.export({ out: pipe });
    const lines = Buffer.concat(await read)
      .toString()
      .trimEnd()
      .split('\n');
    expect(lines.slice(1)).toEqual(linesIn(real).slice(1));
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });

  test('is replaced only by a whole one, in a folder that is there', async () => {
    const source = await store('memory:');
    await fill(source);
    await expect(source.export({ out: fresh('none/all.jsonl') })).rejects.toMatchObject({
      code: 'unavailable',
    });
    await expect(source.export({ out: dirname(fresh('x')) })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await expect(source.export()).rejects.toMatchObject({ code: 'invalid_input' });
    const texts: string[] = [];
    const { file: none } = await source.export(
      {},
      { write: async (text) => void texts.push(text) },
    );
    expect(none).toBeNull();
    expect(texts.join('').split('\n')).toHaveLength(12);
  });
});
