import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Loci } from '../../src/loci.ts';
import { open } from '../../src/open.ts';
import { LASTING, type Lasting } from './lasting.ts';

const opened: Loci[] = [];
afterEach(async () => {
  for (const loci of opened.splice(0)) await loci.close();
});

function folder(): string {
  return mkdtempSync(join(tmpdir(), 'loci-merge-'));
}

async function store(name: string | Promise<string>): Promise<Loci> {
  const loci = await open(await name, { project: 'boat', embedder: 'none' });
  opened.push(loci);
  return loci;
}

/** A vault that holds one memory, and its path. */
async function laptop(body = 'The port is 8080.'): Promise<{ loci: Loci; path: string }> {
  const path = join(folder(), 'laptop');
  const loci = await store(path);
  await loci.remember({ id: 'FACT-PORT-8K2M', body });
  return { loci, path };
}

const KINDS: readonly Lasting[] = [['memory', () => 'memory:'], ...LASTING];

describe.each(KINDS)('[B7] joining the log of a vault to %s', (_kind, named) => {
  const name = (): string | Promise<string> => named(folder());

  test('brings what is new, once', async () => {
    const { path, loci } = await laptop();
    const desk = await store(name());
    const { state_hash } = await loci.verify();
    const foretold = await desk.merge({ from: path, dryRun: true });
    expect(foretold).toMatchObject({ dry_run: true, events: 1, memories: 1, state_hash });
    expect((await desk.search({})).total).toBe(0);
    expect(await desk.merge({ from: path })).toEqual({ ...foretold, dry_run: false });
    expect(await desk.merge({ from: path })).toMatchObject({ events: 0, memories: 0 });
    expect(await desk.verify()).toMatchObject({ state_hash, problems: [] });
    const [found] = (await desk.recall({ query: 'port' })).results;
    expect(found?.body).toBe('The port is 8080.');
  });

  test('[A9] evidence comes along', async () => {
    const { path, loci } = await laptop();
    await loci.update({ id: 'FACT-PORT-8K2M', evidence: [Buffer.from('netstat')] });
    const desk = await store(name());
    expect(await desk.merge({ from: path })).toMatchObject({ evidence: 1 });
    const listed = await desk.evidence({ ref: 'FACT-PORT-8K2M' });
    expect(listed.evidence.map(({ size }) => size)).toEqual([7]);
    const bytes = await desk.readEvidence(listed.evidence[0]?.sha256 ?? '');
    expect(Buffer.from(bytes).toString()).toBe('netstat');
    expect((await desk.verify()).problems).toEqual([]);
  });

  test('concurrent edits of one field become a conflict that names both', async () => {
    const { path, loci } = await laptop();
    const desk = await store(name());
    await desk.merge({ from: path });
    await loci.update({ id: 'FACT-PORT-8K2M', body: 'The port is 9090.', tags: ['net'] });
    await desk.update({ id: 'FACT-PORT-8K2M', body: 'The port is 7070.', title: 'Port' });
    const { conflicts } = await desk.merge({ from: path });
    const [conflict] = (await desk.get({ ids: conflicts })).memories;
    expect(conflict?.body).toContain('The port is 9090.');
    expect(conflict?.body).toContain('The port is 7070.');
    const [port] = (await desk.get({ ids: ['FACT-PORT-8K2M'] })).memories;
    expect(port).toMatchObject({ tags: ['net'], title: 'Port' });
    await desk.update({ id: 'FACT-PORT-8K2M', body: 'The port is 6060.' });
    expect((await desk.get({ ids: conflicts })).missing).toEqual(conflicts);
  });

  test('the same text under two ids stays twice, and nothing complains', async () => {
    const { path } = await laptop();
    const desk = await store(name());
    await desk.remember({ id: 'FACT-OTHER-7K2M', body: 'The port is 8080.' });
    expect(await desk.merge({ from: path })).toMatchObject({ events: 1, conflicts: [] });
    expect((await desk.search({})).total).toBe(2);
    expect((await desk.verify()).problems).toEqual([]);
  });

  test('fifty concurrent edits: each is listed, and none is lost', async () => {
    const { path, loci } = await laptop();
    const ids = Array.from({ length: 50 }, (_, i) => `FACT-NUMBER-${100 + i}`);
    await loci.remember(ids.map((id) => ({ id, body: `${id} is new.` })));
    const desk = await store(name());
    await desk.merge({ from: path });
    for (const id of ids) {
      await loci.update({ id, body: `${id} from the laptop.` });
      await desk.update({ id, body: `${id} from the desk.` });
    }
    const { conflicts, memories } = await desk.merge({ from: path });
    expect([conflicts.length, memories]).toEqual([50, 50]);
    const texts = (await desk.get({ ids: conflicts })).memories.map(({ body }) => body).join('\n');
    for (const id of ids) {
      expect(texts).toContain(`${id} from the laptop.`);
      expect(texts).toContain(`${id} from the desk.`);
    }
    expect((await desk.verify()).problems).toEqual([]);
  }, 60_000);
});

/** What comes of a log of three events when its lines are changed on the way. */
async function joined(change: (lines: string[]) => string): Promise<unknown> {
  const { path, loci } = await laptop();
  await loci.remember([
    { id: 'FACT-ONE-7K2M', body: 'One.' },
    { id: 'FACT-TWO-7K2M', body: 'Two.' },
  ]);
  const lines = readFileSync(join(path, 'events.ndjson'), 'utf8').trimEnd().split('\n');
  const file = join(folder(), 'sent.ndjson');
  writeFileSync(file, change(lines));
  const desk = await store('memory:');
  const { events, skipped } = await desk.merge({ from: file });
  const { problems } = await desk.verify();
  return {
    events,
    skipped: skipped.map(({ reason }) => reason),
    problems: problems.map(({ message }) => message),
  };
}

describe('[B7] what a log holds that is not sound', () => {
  test('lines of others are set aside and counted', async () => {
    expect(await joined((lines) => `{"v":2,"a":1}\nhello\n${lines.join('\n')}\n`)).toEqual({
      events: 3,
      skipped: ['2 lines are no events of this version'],
      problems: [],
    });
  });

  test('a torn end is set aside, with its whole transaction', async () => {
    expect(await joined((lines) => lines.join('\n').slice(0, -20))).toMatchObject({
      events: 1,
      skipped: [expect.stringMatching(/^\d+ bytes at the end were never finished$/)],
      problems: [],
    });
  });

  test('a transaction that lacks an event is set aside', async () => {
    expect(await joined(([first = '', , third = '']) => `${third}\n${first}\n`)).toMatchObject({
      events: 1,
      skipped: [expect.stringMatching(/^transaction .*: 1 of 2 events are there$/)],
      problems: [],
    });
  });

  test('an event whose content was changed is set aside, and the gap that it leaves is named', async () => {
    expect(
      await joined(([first = '', ...rest]) =>
        [first.replace('8080', '8081'), ...rest, ''].join('\n'),
      ),
    ).toMatchObject({
      events: 2,
      skipped: [expect.stringContaining('does not match its digest')],
      problems: [expect.stringContaining('has number 2, expected 1')],
    });
  });

  test('an id that would lead out of the store is set aside', async () => {
    const { soundEvents } = await import('../../src/domain/sound-events.ts');
    const { digestOf } = await import('../../src/domain/event.ts');
    const { path } = await laptop();
    const [line = ''] = readFileSync(join(path, 'events.ndjson'), 'utf8').split('\n');
    const event = JSON.parse(line);
    const data = { ...event.data, id: '../../ESCAPE-7K2M' };
    const forged = { ...event, subject: data.id, data, digest: digestOf(event.salt, data) };
    expect(soundEvents([forged])).toMatchObject({ sound: [], setAside: [{ events: [event.id] }] });
  });

  test('events of a newer program are refused, and nothing is taken', async () => {
    const { path } = await laptop();
    appendFileSync(join(path, 'events.ndjson'), '{"v":4,"id":"X","subject":"Y"}\n');
    const desk = await store('memory:');
    await expect(desk.merge({ from: path })).rejects.toMatchObject({ code: 'unsupported' });
    expect((await desk.search({})).total).toBe(0);
  });

  test('what is no log says so', async () => {
    const desk = await store('memory:');
    const nowhere = desk.merge({ from: join(folder(), 'nowhere') });
    await expect(nowhere).rejects.toMatchObject({ code: 'not_found' });
    await expect(desk.merge({ from: folder() })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('a store in an SQLite file can be joined too', async () => {
    const path = join(folder(), 'phone.db');
    const phone = await store(`sqlite:${path}`);
    await phone.remember({ body: 'The phone knows.', evidence: [Buffer.from('photo')] });
    const desk = await store('memory:');
    expect(await desk.merge({ from: path })).toMatchObject({ events: 1, evidence: 1 });
    expect((await desk.verify()).state_hash).toBe((await phone.verify()).state_hash);
  });
});

describe('[B2] [B6] a store out of a log', () => {
  test('is built somewhere else, and the one at hand is not touched', async () => {
    const { loci, path } = await laptop();
    await loci.update({ id: 'FACT-PORT-8K2M', evidence: [Buffer.from('netstat')] });
    const log = readFileSync(join(path, 'events.ndjson'));
    const to = join(folder(), 'restored');
    const { state_hash } = await loci.verify();
    expect(await loci.replay({ to })).toMatchObject({ store: to, memories: 1, state_hash });
    expect(readFileSync(join(path, 'events.ndjson'))).toEqual(log);
    const restored = await store(to);
    expect(await restored.verify()).toMatchObject({ state_hash, problems: [] });
    await expect(loci.replay({ to })).rejects.toMatchObject({ code: 'conflict' });
  });

  test('comes from another log, into a store that is still empty', async () => {
    const { loci, path } = await laptop();
    const file = join(path, 'events.ndjson');
    const desk = await store(`sqlite:${join(folder(), 'desk.db')}`);
    expect(await desk.replay({ from: file })).toMatchObject({ memories: 1, events: 1 });
    expect((await desk.verify()).state_hash).toBe((await loci.verify()).state_hash);
    await expect(desk.replay({ from: file })).rejects.toMatchObject({ code: 'conflict' });
  });
});
