import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { referencesIn } from '../../src/domain/graph/references.ts';

const NONE = { wikilinks: [], files: [], ids: [] };

describe('[E2] what a body refers to', () => {
  test.each([
    ['[[Plan]]', ['Plan']],
    ['[[Plan|the plan]] and ![[Plan#Costs]]', ['Plan']],
    ['[[notes/Plan.md]]', ['notes/Plan']],
    ['| [[Plan\\|the plan]] |', ['Plan']],
    ['[[#Costs]] [[]] [[ ]]', []],
    ['[[Plan^block]] [[Costs]]', ['Plan', 'Costs']],
    ['[[A [[B]]', ['B']],
    ['[[A\nB]]', []],
  ])('wikilinks in %j', (body, wikilinks) => {
    expect(referencesIn(body).wikilinks).toEqual(wikilinks);
  });

  test.each([
    ['[it](ENTITIES/Plan.md)', ['Plan']],
    ['[it](<The plan.md> "title"), [it](The%20plan.md#costs)', ['The plan']],
    ['[it]: ./Plan.md', ['Plan']],
    ['[it](https://example.org/Plan.md) [it](//example.org/Plan.md) [it](#Plan.md)', []],
    ['[it](src/plan.ts) ![it](plan.png) [it](100%.md)', ['100%']],
    ['[it](FACT-PORT)', ['FACT-PORT']],
  ])('files in %j', (body, files) => {
    expect(referencesIn(body).files).toEqual(files);
  });

  test.each([
    ['see FACT-2026-03-09-PORT-8080-4TQX.', ['FACT-2026-03-09-PORT-8080-4TQX']],
    ['`DECI-PROXY`, DECI-PROXY', ['DECI-PROXY']],
    ['xDECI-PROXY DECI-PROXY_2 deci-proxy A-B', []],
    ['https://example.org/DECI-PROXY', []],
  ])('ids in %j', (body, ids) => {
    expect(referencesIn(body).ids).toEqual(ids);
  });

  test.each([
    '```\n[[Plan]] FACT-2026-03-09-PORT-8080-4TQX\n```',
    '~~~md\n```\n[[Plan]]\n~~~',
    '````\n```\n[[Plan]]\n````',
    '```\nleft open [[Plan]]',
    '<!-- [[Plan]] -->',
    '`[[Plan]]` and ``a ` [[Plan]]``',
  ])('nothing in code or comments: %j', (body) => {
    expect(referencesIn(body)).toEqual(NONE);
  });

  test('what is left open hides nothing', () => {
    expect(referencesIn('a ` b [[Plan]] <!-- [[Costs]]').wikilinks).toEqual(['Plan', 'Costs']);
  });

  test('any text is read, in time that grows with its length', () => {
    const bits = fc.constantFrom(
      '[[',
      ']]',
      '](',
      '`',
      '``',
      '<!--',
      '-->',
      '```\n',
      'A-B',
      '\n',
      '|',
    );
    fc.assert(
      fc.property(fc.array(bits), (parts) => {
        const { wikilinks } = referencesIn(parts.join(''));
        return wikilinks.every((name) => !/[[\]|\n]/.test(name));
      }),
    );
    for (const bit of ['[[', '](', '`', '<!--', 'A-', '[x](', '[[a#']) {
      const start = performance.now();
      referencesIn(bit.repeat(100_000));
      expect(performance.now() - start).toBeLessThan(2000);
    }
  });
});
