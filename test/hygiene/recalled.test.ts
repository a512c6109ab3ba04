import { describe, expect, test } from 'vitest';
import { recalledParts, unquoted } from '../../src/domain/hygiene/recalled-text.ts';
import { connect, idsOf } from '../surfaces/mcp-support.ts';
import { onEveryStore } from './support.ts';

const PORT = 'The API listens on port 8443.\n\nIt was 8080 before, see <memory>.';

const block = (id: string, text: string, note = ''): string =>
  `<memory id="${id}" type="fact" date="2026-03-09"${note}>\n${text}\n</memory>`;

onEveryStore((newPlace) => {
  test('[A12] a text that only speaks of the wrapper, or stands around it, loses nothing', async () => {
    const loci = await newPlace().open();
    const port = (await loci.remember([{ body: PORT }])).results[0]?.id ?? '';
    const recalled = `<loci-memories>\n${block(port, PORT)}\n</loci-memories>`;
    const prompt =
      'Our prompt begins with\n<loci-memories>\nand the deploy key rotates on Mondays.';
    const texts = {
      [prompt]: prompt,
      [`Level 3 pricing.\nWarning: the pump leaks.\nTimes: noon.\n\n${recalled}`]:
        'Level 3 pricing.\nWarning: the pump leaks.\nTimes: noon.',
      [`<loci-memories>\n${block(port, PORT)}\nNever open the sluice on Sundays.`]:
        'Never open the sluice on Sundays.',
      [`${block(port, PORT)}\nWarning: never open it on Sundays.`]:
        'Warning: never open it on Sundays.',
      [`${recalled}\nThe newest of these is of 2026-03-09.\n\nThe mill is closed.`]:
        'The mill is closed.',
    };
    for (const [body, kept] of Object.entries(texts)) {
      const { results } = await loci.remember([{ body }]);
      const { memories } = await loci.get({ ids: [results[0]?.id ?? ''] });
      expect(memories.map((memory) => memory.body)).toEqual([kept]);
    }
  });

  test('[P4][A12] what recall handed out and comes back is nothing new', async () => {
    const loci = await newPlace().open();
    const { results } = await loci.remember([
      { body: PORT, title: 'Port of the API' },
      { body: 'Ann keeps the archive of the town.' },
    ]);
    const [port, ann] = results.map((receipt) => receipt.id) as [string, string];
    const { text } = await loci.context();
    for (const body of [
      text,
      `<loci-memories>\n${text}\n</loci-memories>`,
      `Here is what I recalled:\n\n${text}`,
      block(port, 'Port of the API\nThe API listens on', ' note="cut short"'),
      `<loci-memories>\n${block(ann, 'Ann keeps the archive of the town.')}\n- ${ann} supports ${port} (confidence 1)`,
    ]) {
      const again = await loci.remember({ body });
      expect([body, again.results[0]?.outcome]).toEqual([body, 'unchanged']);
      expect(again.results[0]?.reason).toMatch(
        /^it is text that was recalled from FACT-\S+(, FACT-\S+)?, and nothing new$/,
      );
    }
    const batch = await loci.remember([
      { body: text },
      { body: 'The harbour is closed at night.' },
    ]);
    expect(batch.results.map(({ outcome, line }) => [outcome, line])).toEqual([
      ['unchanged', 1],
      ['stored', 2],
    ]);
    expect((await loci.status()).memories.total).toBe(3);
  });

  test('[P4] what stands around it is kept, and what was changed in it', async () => {
    const loci = await newPlace().open();
    const { results } = await loci.remember({ body: 'The API listens on port 8443.' });
    const id = results[0]?.id as string;
    const mixed = await loci.remember({
      body: `Ann told me:\nThe API moves to the new host.\n${block(id, 'The API listens on port 8443.')}\nNobody objects to that.`,
    });
    expect(mixed.warnings).toContain(`body: text that was recalled from ${id} was left out`);
    const read = async (of: string) => (await loci.get({ ids: [of] })).memories[0]?.body;
    expect(await read(mixed.results[0]?.id as string)).toBe(
      'Ann told me:\nThe API moves to the new host.\n\nNobody objects to that.',
    );
    const changed = await loci.remember({ body: block(id, 'The API listens on port 9443.') });
    expect(changed.results[0]?.outcome).toBe('stored');
    expect(await read(changed.results[0]?.id as string)).toBe('The API listens on port 9443.');
    const foreign = await loci.remember({
      body: block('FACT-2020-01-01-ELSEWHERE-AAAA', 'The mast is of wood, they say.'),
    });
    expect(await read(foreign.results[0]?.id as string)).toBe('The mast is of wood, they say.');
  });

  test('[P4] what a memory said once does not come back as new', async () => {
    const loci = await newPlace().open();
    const { results } = await loci.remember({ body: 'Priya works at Fabrikam.' });
    const id = results[0]?.id as string;
    const { text } = await loci.context();
    await loci.update({ id, body: 'Priya works at Contoso.' });
    expect((await loci.remember({ body: text })).results[0]?.outcome).toBe('unchanged');
    expect((await loci.search({ query: 'Fabrikam' })).total).toBe(0);
  });

  test('[A12] a memory in quotes, or cited with its id, is that memory', async () => {
    const loci = await newPlace().open();
    const body = 'The API listens on port 8443.';
    const { results } = await loci.remember({ body });
    const id = results[0]?.id as string;
    for (const text of [
      `"${body}"`,
      `> ${body}`,
      `From memory: ${body}`,
      `- ${body} (${id})`,
      `[${id}] ${body}`,
      `${id}: ${body}`,
    ]) {
      expect((await loci.remember({ body: text })).results).toEqual([
        { id, outcome: 'unchanged', reason: `it is the text of ${id}, quoted` },
      ]);
    }
    const other = await loci.remember({ body: `"${body.replace('8443', '9443')}"` });
    expect(other.results[0]?.outcome).toBe('stored');
  });
});

test(
  '[P4] every answer of the server that shows memories can come back',
  { timeout: 60_000 },
  async () => {
    const { call } = await connect();
    const [port, ann] = idsOf(
      await call('remember', {
        memories: [
          { body: PORT, title: 'Port of the API' },
          { body: 'Ann keeps the archive of the town, and opens it on Mondays.' },
        ],
      }),
    ) as [string, string];
    await call('relate', { source: port, type: 'supports', target: ann });
    await call('forget', {
      id: idsOf(await call('remember', { body: 'A third note on the port' }))[0],
    });
    const answers = [
      await call('recall', { query: 'which port does the API of the archive zebra have' }),
      await call('search', { query: 'archive port' }),
      await call('get', { ids: [port, ann], history: true, relations: true }),
      await call('context', {}),
    ];
    for (const { text } of answers) {
      expect(text).toContain('<loci-memories>');
      const again = await call('remember', { body: text });
      expect([text, again.json.results[0].outcome]).toEqual([text, 'unchanged']);
    }
    const all = await call('search', {});
    expect(all.json.total).toBe(2);
  },
);

describe('taking a text apart', () => {
  test('a text without memories is one part, an opening without an end goes as far as it can', () => {
    expect(recalledParts('just text')).toEqual(['just text']);
    const open = '<memory id="A" type="fact" date="2026-03-09">\none\n';
    expect(recalledParts(`${open}${open}`)).toEqual([
      { id: 'A', text: 'one', isCut: true },
      { id: 'A', text: 'one', isCut: true },
    ]);
  });

  test('it is linear', { timeout: 60_000 }, () => {
    const open = '<memory id="A" type="fact" date="2026-03-09">\n';
    for (const unit of [
      open,
      '<loci-memories>\n',
      '</memory>\n',
      'a:\n',
      '# a\n',
      '<memory id="',
    ]) {
      recalledParts(unit.repeat(Math.ceil(300_000 / unit.length)));
    }
    expect(unquoted('> "'.repeat(100_000))).toBeDefined();
  });
});
