import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDocument } from '../../src/domain/markdown/document.ts';
import { blocksOf } from '../../src/library/blocks.ts';
import { wordsIn } from '../../src/library/parts.ts';
import { sectionsOf } from '../../src/library/sections.ts';

const lines = (...all: string[]): string => all.join('\n');

/** Sections as `line heading | first line of the text`. */
function outline(body: string): string[] {
  return sectionsOf(body).map(
    ({ line, heading, text }) => `${line} ${heading.join(' > ')} | ${text.split('\n')[0]}`,
  );
}

describe('headings', () => {
  test('[C15] are read as Markdown reads them', () => {
    const body = lines(
      'before all headings',
      '',
      '# Guide #',
      'one two three',
      '### Deep ###',
      'level two is left out',
      '',
      'Set in lines',
      'of text',
      '------------',
      'below dashes it is',
      '',
      'Top',
      '===',
      'below equals it is',
      '   ## Indented a little',
      'still a heading here',
      '#hashtag is none at all',
      '    # nor is indented code',
    );
    expect(outline(body)).toEqual([
      '1  | before all headings',
      '4 Guide | one two three',
      '6 Guide > Deep | level two is left out',
      '11 Guide > Set in lines of text | below dashes it is',
      '15 Top | below equals it is',
      '17 Top > Indented a little | still a heading here',
    ]);
  });

  test.each([
    ['a fence', '```sh', '# no heading', '```'],
    ['a longer fence', '~~~~', '# none\n~~~\n# none', '~~~~'],
    ['a fence that stays open', '```', '# none', ''],
    ['a comment', '<!--', '# none', '-->'],
    ['raw HTML', '<pre>', '# none', '</pre>'],
  ])('in %s there are none', (_, open, inside, close) => {
    const body = lines('# Real', 'three words here', open, inside, close);
    expect(outline(body)).toEqual(['2 Real | three words here']);
  });

  test('a fence ends where it ends', () => {
    const body = lines('```', 'a b c d', '```', '# After', 'one two three');
    expect(outline(body)).toEqual(['1  | ```', '5 After | one two three']);
  });

  test.each([
    ['a list', '- a list item that is long'],
    ['an ordered list', '1. a list item'],
    ['a quote', '> a quoted line here'],
    ['a table', '| a | b | c |'],
    ['nothing', ''],
    ['a very long paragraph', 'word '.repeat(60)],
  ])('dashes below %s are a rule', (_, above) => {
    const body = lines('one two three', '', above, '---', 'four five six');
    expect(blocksOf(body.split('\n'))).toHaveLength(1);
  });

  test('headings without a text of their own are told by what is below, or are text', () => {
    const body = lines(
      '# Guide',
      '',
      '## Empty',
      '',
      '## Install',
      'run this command now',
      '# Last',
    );
    expect(outline(body)).toEqual([
      '3 Guide > Empty | ## Empty',
      '6 Guide > Install | run this command now',
      '7 Last | # Last',
    ]);
  });
});

/** 120 words. */
function paragraph(name: string): string {
  return `${name} ${'word '.repeat(119).trim()}`;
}

function letters(text: string): string {
  return text.replaceAll(' ', '');
}

describe('length', () => {
  test('[C15] long sections are split at paragraphs and keep their heading', () => {
    const body = lines('# Long', paragraph('a'), '', paragraph('b'), '', paragraph('c'), '', 'end');
    const sections = sectionsOf(body);
    expect(sections.map(({ line, heading }) => [line, heading])).toEqual([
      [2, ['Long']],
      [6, ['Long']],
    ]);
    expect(sections[0]?.text).toBe(`${paragraph('a')}\n\n${paragraph('b')}`);
    expect(sections[1]?.text).toBe(`${paragraph('c')}\n\nend`);
  });

  test('code is kept whole, unless it is far too long', () => {
    const code = (rows: number) =>
      lines('```', ...Array(rows).fill('one two three four\n\nfive'), '```');
    const kept = sectionsOf(lines('word '.repeat(290), '', code(50)));
    expect(kept.map(({ text }) => wordsIn(text))).toEqual([290, 250]);
    const cut = sectionsOf(code(200));
    expect(cut.length).toBeGreaterThan(2);
    expect(Math.max(...cut.map(({ text }) => wordsIn(text)))).toBeLessThanOrEqual(450);
  });

  test.each([
    ['sentences', 'This is a sentence of eight words here. '.repeat(200)],
    ['no sentences', 'word '.repeat(2000)],
    ['no blanks', '川'.repeat(5000)],
    ['one word', 'x'.repeat(10_000)],
  ])('one endless line of %s is cut, and nothing is lost', (_, line) => {
    const sections = sectionsOf(line);
    const isWhole = letters(sections.map(({ text }) => text).join('')) === letters(line);
    expect(isWhole).toBe(true);
    expect(Math.max(...sections.map(({ text }) => wordsIn(text)))).toBeLessThanOrEqual(300);
    expect(new Set(sections.map((section) => section.line))).toEqual(new Set([1]));
  });

  test('very short neighbours are joined under the heading that they share', () => {
    const body = lines(
      '# Ports',
      '## SSH',
      '22',
      '## Web',
      '80 443',
      '## Others',
      'are all closed',
    );
    expect(sectionsOf(body)).toEqual([
      { heading: ['Ports'], line: 2, text: '## SSH\n22\n## Web\n80 443' },
      { heading: ['Ports', 'Others'], line: 7, text: 'are all closed' },
    ]);
  });

  test('words are counted in any script', () => {
    expect(wordsIn('two words')).toBe(2);
    expect(wordsIn('東京都庁舎')).toBe(3);
    expect(wordsIn('— … !')).toBe(0);
  });
});

/** Markdown in which every word is another one. */
const markdown = fc
  .array(
    fc.oneof(
      fc.record({ kind: fc.constant('heading'), level: fc.integer({ min: 1, max: 4 }) }),
      fc.record({
        kind: fc.constantFrom('text', 'fence', 'list', 'setext', 'quote'),
        level: fc.integer({ min: 1, max: 200 }),
      }),
      fc.record({ kind: fc.constant('blank'), level: fc.constant(1) }),
    ),
    { maxLength: 30 },
  )
  .map((parts) => {
    let n = 0;
    const word = () => `w${n++}`;
    const many = (count: number) => Array.from({ length: count }, word).join(' ');
    const body = parts.map(({ kind, level }) => {
      if (kind === 'heading') return `${'#'.repeat(level)} ${word()}`;
      if (kind === 'fence') return `\`\`\`\n# ${many(level)}\n\n${word()}\n\`\`\``;
      if (kind === 'list') return `- ${many(3)}\n- ${word()}`;
      if (kind === 'setext') return `\n${word()}\n===`;
      if (kind === 'quote') return `> ${word()}\n---`;
      return kind === 'blank' ? '' : many(level);
    });
    return { body: body.join('\n'), words: n };
  });

test('every word is in the text of one section, or in headings alone', () => {
  fc.assert(
    fc.property(markdown, ({ body, words }) => {
      const sections = sectionsOf(body);
      const texts = sections.flatMap(({ text }) => text.match(/\bw\d+\b/g) ?? []);
      const paths = new Set(sections.flatMap(({ heading }) => heading.join(' ').split(' ')));
      expect(new Set(texts).size).toBe(texts.length);
      const all = new Set([...texts, ...paths].filter((word) => word !== ''));
      // A heading with nothing but headings below, the last of them empty, is in a path as well.
      expect(all.size).toBe(words);
      for (const { line, text } of sections) {
        expect(body.split('\n')[line - 1]).toContain(text.split('\n')[0]?.slice(0, 20));
      }
    }),
    { numRuns: 300 },
  );
});

describe('front matter', () => {
  test('title and tags are read; other keys are their owner’s', () => {
    const text = '---\ntitle: "Retro: Q3"\nstatus: published\ntags: a, b\n---\n\nbody\n';
    expect(parseDocument(text)).toEqual({
      title: 'Retro: Q3',
      tags: ['a', 'b'],
      body: '\nbody\n',
      bodyLine: 6,
    });
  });

  test.each([
    ['no front matter', 'body', 'body', 1],
    ['a rule at the top', '---\nbody\n', '---\nbody\n', 1],
    ['two rules', '---\nbody, no key\n---\nmore', '---\nbody, no key\n---\nmore', 1],
    [
      'a merge left undone',
      '<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n',
      '<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n',
      1,
    ],
    ['only front matter', '---\ntitle: x\n---', '', 3],
  ])('%s', (_, text, body, bodyLine) => {
    expect(parseDocument(text)).toMatchObject({ body, bodyLine });
  });

  test.each([
    ['---\ntitle: a\nb: `c\n---\n', 3, 'no YAML'],
    ['---\nx: 1\ntitle: [a]\n---\n', 3, 'title cannot be'],
    ['---\na: 1\na: 2\n---\n', 3, 'no YAML'],
  ])('%j is named with its line', (text, line, why) => {
    expect(parseDocument(text)).toEqual({ problem: expect.stringContaining(why), line });
  });
});

test('[C15] a long list of short sections is read in time in proportion to it', () => {
  const body = Array.from({ length: 60_000 }, (_, i) => `## v${i}\n\nfixed the thing ${i}\n`);
  const start = performance.now();
  expect(sectionsOf(body.join('\n')).length).toBeGreaterThan(1000);
  expect(performance.now() - start).toBeLessThan(3000);
});
