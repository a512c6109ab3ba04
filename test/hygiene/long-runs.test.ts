import { describe, expect, test } from 'vitest';
import { redact } from '../../src/domain/hygiene/redact.ts';
import { parseFile } from '../../src/domain/markdown/parse.ts';
import { blocksOf } from '../../src/library/blocks.ts';
import { open } from '../../src/open.ts';

const LENGTH = 200_000;
/** What a pattern that looks back or tries again takes minutes for, by its square. */
const SECONDS = 5;

const RUNS: readonly (readonly [name: string, beginning: string, unit: string])[] = [
  ['letters', '', 'x'],
  ['Chinese without a mark', '', '会议决定使用数据库'],
  ['blanks', 'a', ' '],
  ['line ends', 'a', '\n'],
  ['tabs', 'a', '\t'],
  ['blanks and line ends', 'a', ' \n'],
  ['Windows line ends', 'a', '\r\n'],
  ['blanks behind what could open an element', '<', ' '],
  ['blanks behind a quotation mark', '«', ' '],
  ['blanks behind an article', 'the', ' '],
  ['blanks behind the name of a secret', 'password is', ' '],
  ['carriage returns', 'a', '\r'],
  ['line separators', 'a', '\u2028'],
  ['blanks in a heading', '#', ' '],
  ['blanks in a list', '-', ' '],
  ['link definitions', '', '\r['],
  ['beginnings of conflicts', '', '<<<<<<< a\n'],
  ['backticks', '', '`'],
  ['tildes', '', '~'],
  ['fences', '', '```\n'],
  ['brackets', '', '[['],
  ['beginnings of links', '', '[a]('],
  ['table marks', '', '|'],
  ['hash marks', '', '#'],
  ['quotation', '', '> '],
  ['emphasis', '', '**a'],
  ['one long name', '', 'a-'],
  ['one long path', '', 'a/'],
  ['parts of an address', 'http://', 'a@'],
  ['a private key without an end', '-----BEGIN PRIVATE KEY-----', 'A'],
];

describe('[C14] a long run of one thing holds nobody up', () => {
  test.each(RUNS)('%s', async (_, beginning, unit) => {
    const text = beginning + unit.repeat(Math.ceil(LENGTH / unit.length));
    const loci = await open('memory:', { project: 'p', env: {}, embedder: 'none' });
    const startedAt = performance.now();
    await loci.remember([{ body: `${text}z` }, { body: `${text} the other end` }]);
    await loci.remember({ body: 'The anchor is red.' });
    const { results } = await loci.recall({ query: 'anchor', maxTokens: 500 });
    expect(results.map(({ body }) => body)).toContain('The anchor is red.');
    await loci.context({});
    await loci.reflect({});
    await loci.lint({});
    await loci.relink({});
    await loci.purge({ ids: [results[0]?.id ?? ''], yes: true });
    expect((performance.now() - startedAt) / 1000).toBeLessThan(SECONDS);
    await loci.close();
  });

  test.each(RUNS)('%s, in a file of a vault or of documents', (_, beginning, unit) => {
    const text = beginning + unit.repeat(Math.ceil(LENGTH / unit.length));
    const startedAt = performance.now();
    for (const file of [text, `---\ntype: fact\n---\n${text}x`, `---\n${text}\n---\nx`]) {
      parseFile(file);
      blocksOf(file.split('\n'));
    }
    expect((performance.now() - startedAt) / 1000).toBeLessThan(SECONDS);
  });

  test('[A12] a value whose parts can be read in two ways is read in one', () => {
    const startedAt = performance.now();
    redact(`The api token is A-00${'-V00-00'.repeat(28)}~`);
    redact(`secret_key = 'A-00${'-V00-00'.repeat(28)}$'`);
    expect((performance.now() - startedAt) / 1000).toBeLessThan(SECONDS);
  });
});
