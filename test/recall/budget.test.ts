import * as fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { renderBlock } from '../../src/domain/block.ts';
import type { RecallResult } from '../../src/domain/results.ts';
import { wildText } from '../wild-text.ts';
import { onEveryStore } from './stores.ts';

/** Tokens of the results as an agent reads them; nothing is read where nothing was found. */
function tokensRead(answer: RecallResult): number {
  if (answer.results.length === 0) return 0;
  const blocks = answer.results.map((memory) => {
    const notes = memory.signals.map(({ message }) => message);
    if (memory.truncated) notes.push('cut short');
    return renderBlock({ ...memory, title: memory.title ?? undefined }, notes);
  });
  return countTokens(['<loci-memories>', ...blocks, '</loci-memories>'].join('\n'));
}

onEveryStore((openWith) => {
  test('[C5] max_tokens is never exceeded, and limit is then ignored', async () => {
    const many = Array.from({ length: 40 }, (_, i) => ({
      body: `The rigging plan says: ${'step and stay '.repeat(i % 9)} number ${i}.`,
    }));
    const loci = await openWith(...many);
    for (const maxTokens of [1, 20, 60, 100, 250, 1000]) {
      const answer = await loci.recall({ query: 'rigging plan', maxTokens, limit: 1 });
      expect(answer.tokens_used).toBeLessThanOrEqual(maxTokens);
      expect(tokensRead(answer)).toBeLessThanOrEqual(answer.tokens_used);
    }
    const wide = await loci.recall({ query: 'rigging plan', maxTokens: 1000, limit: 1 });
    expect(wide.results.length).toBeGreaterThan(5);
  });

  test('[C5] when not even the best fits whole, its beginning is shown and marked', async () => {
    const loci = await openWith({ body: `Rigging: ${'haul and belay. '.repeat(400)}` });
    const answer = await loci.recall({ query: 'rigging', maxTokens: 200 });
    expect(answer.results).toMatchObject([{ truncated: true }]);
    expect(answer.results[0]?.body.startsWith('Rigging: haul')).toBe(true);
    expect(tokensRead(answer)).toBeLessThanOrEqual(200);
  });

  test('[C5] budgets hold for any text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(wildText, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 400 }),
        async (texts, maxTokens) => {
          const loci = await openWith(...texts.map((text) => ({ body: `harbour ${text}` })));
          const answer = await loci.recall({ query: 'harbour', maxTokens });
          expect(answer.tokens_used).toBeLessThanOrEqual(maxTokens);
          expect(tokensRead(answer)).toBeLessThanOrEqual(maxTokens);
        },
      ),
      { numRuns: 15 },
    );
  });

  test('[C5] a constraint is sure of its share, and the best memory comes first', async () => {
    const many = Array.from({ length: 30 }, (_, i) => ({
      body: `Rigging plan, sheet ${i}: the rigging plan of mast ${i} and of its stays`,
    }));
    const rule = {
      body: 'Nobody climbs alone, whatever the weather, and the rigging is inspected before anybody does',
      type: 'constraint' as const,
    };
    const loci = await openWith(...many, rule);
    const asked = { query: 'rigging plan', maxTokens: 400, minScore: 0 };
    const reserved = await loci.recall(asked);
    const plain = await loci.recall({ ...asked, reserve: [] });
    const holds = ({ results }: RecallResult) => results.some(({ body }) => body === rule.body);
    expect([holds(reserved), holds(plain)]).toEqual([true, false]);
    expect(reserved.results[0]?.body).toBe(plain.results[0]?.body);
    expect(tokensRead(reserved)).toBeLessThanOrEqual(400);
    const other = await loci.recall({ ...asked, reserve: ['procedure'] });
    expect(other.results).toEqual(plain.results);
  });

  test('[C5] a limit beside a budget is said to be ignored', async () => {
    const loci = await openWith({ body: 'The rigging plan' });
    const both = await loci.recall({ query: 'rigging', maxTokens: 500, limit: 1 });
    const warning = 'limit is ignored: max_tokens decides how many memories fit';
    expect(both.warnings).toContain(warning);
    expect((await loci.recall({ query: 'rigging', limit: 1 })).warnings).not.toContain(warning);
    expect((await loci.recall({ query: 'rigging', maxTokens: 9 })).warnings).not.toContain(warning);
  });

  test('context stays within its budget and fills every part', async () => {
    const loci = await openWith(
      ...Array.from({ length: 30 }, (_, i) => ({
        body: `Rule ${i}: ${'no smoking below deck '.repeat(6)}`,
        type: i % 2 === 0 ? ('constraint' as const) : ('fact' as const),
      })),
      { body: 'We sail on Sundays.', type: 'decision' as const },
    );
    const { text, ids, tokens_used } = await loci.context({ maxTokens: 700 });
    expect(countTokens(text)).toBe(tokens_used);
    expect(tokens_used).toBeLessThanOrEqual(700);
    expect(text).toContain('## Constraints');
    expect(text).toContain('We sail on Sundays.');
    expect(text).toContain('## Recently learnt');
    expect(new Set(ids).size).toBe(ids.length);
  });
});
