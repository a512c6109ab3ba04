import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import type { CheckpointResult } from '../../src/domain/results.ts';
import { onEveryStore } from './stores.ts';

const at = (day: number) => ({ createdAt: `2026-03-0${day}` });

const STORE = [
  { id: 'CONS-DECK', type: 'constraint', body: 'No smoking below deck.', ...at(1) },
  { id: 'DECI-SUNDAY', type: 'decision', body: 'We sail on Sundays.', ...at(1) },
  { id: 'PREF-TEA', type: 'preference', body: 'Tea, not coffee.', ...at(1) },
  { id: 'OPEN-SAIL', type: 'open_question', body: 'Which sail is torn?', ttlDays: 3000, ...at(1) },
  { id: 'CONF-KEEL', type: 'conflict', body: 'Oak or steel?', ttlDays: 3000, ...at(1) },
  { id: 'FACT-OLD', body: 'The mast is pine.', sessionId: 's-1', ...at(1) },
  { id: 'FACT-NEW', body: 'The keel is oak.', sessionId: 's-2', ...at(2) },
  { id: 'FACT-GONE', body: 'The offer stands.', validTo: '2026-01-02', ...at(1) },
  { id: 'FACT-DRAFT', body: 'Perhaps it rains.', status: 'draft', ...at(1) },
] as const;

function idsByPart({ parts }: CheckpointResult): Record<string, string[]> {
  return Object.fromEntries(parts.map(({ name, memories }) => [name, memories.map((m) => m.id)]));
}

onEveryStore((openWith) => {
  const filled = async () => {
    const loci = await openWith(...STORE);
    const summaries = ['a', 'b', 's-1', 's-2'].map((sessionId, i) => {
      return { sessionId, summary: `Session ${i} went well.`, endedAt: `2026-03-0${i + 1}` };
    });
    const ids: string[] = [];
    for (const one of summaries) ids.push((await loci.episode(one)).id);
    return { loci, episodes: ids };
  };

  test('[C16] what a new session needs, in parts and as one text', async () => {
    const { loci, episodes } = await filled();
    const result = await loci.checkpoint();
    expect(idsByPart(result)).toEqual({
      constraints: ['CONS-DECK'],
      decisions: ['DECI-SUNDAY'],
      preferences: ['PREF-TEA'],
      open_questions: ['OPEN-SAIL'],
      conflicts: ['CONF-KEEL'],
      episodes: [episodes[3], episodes[2], episodes[1]],
      handoff: ['FACT-NEW'],
      recent: ['FACT-OLD'],
    });
    expect(result.session_id).toBe('s-2');
    expect(result.ids).toEqual(Object.values(idsByPart(result)).flat());
    expect(result.tokens_used).toBe(countTokens(result.text));
    const headings = result.text.split('\n').filter((line) => line.startsWith('## '));
    expect(headings).toEqual([
      '## Constraints',
      '## Decisions',
      '## Preferences',
      '## Open questions',
      '## Conflicts',
      '## Last episodes',
      '## Hand-off',
      '## Recently learnt',
    ]);
    expect(result.parts.find(({ name }) => name === 'episodes')?.left_out).toBe(1);
    const { text, ids, tokens_used } = await loci.context({ maxTokens: 4000 });
    expect({ text, ids, tokens_used }).toEqual({
      text: result.text,
      ids: result.ids,
      tokens_used: result.tokens_used,
    });
  });

  test('[C16] a session that is named hands over what it learnt', async () => {
    const { loci } = await filled();
    const result = await loci.checkpoint({ sessionId: 's-1' });
    expect(result.session_id).toBe('s-1');
    expect(idsByPart(result)).toMatchObject({ handoff: ['FACT-OLD'], recent: ['FACT-NEW'] });
    expect(idsByPart(await loci.checkpoint({ sessionId: 'unknown' }))).not.toHaveProperty(
      'handoff',
    );
  });

  test('[C16] a contradiction is told where it is read', async () => {
    const { loci } = await filled();
    await loci.relate({ source: 'FACT-NEW', type: 'contradicts', target: 'DECI-SUNDAY' });
    const { parts, text, tokens_used } = await loci.checkpoint();
    const decision = parts.find(({ name }) => name === 'decisions')?.memories[0];
    expect(decision?.signals).toEqual([
      { kind: 'contradicts', id: 'FACT-NEW', message: 'contradicts FACT-NEW' },
    ]);
    expect(text).toContain(
      'id="DECI-SUNDAY" type="decision" date="2026-03-01" note="contradicts FACT-NEW"',
    );
    expect(countTokens(text)).toBe(tokens_used);
  });

  test('[C16] each part is sure of its share of a small budget, and no budget is exceeded', async () => {
    const rules = Array.from({ length: 40 }, (_, i) => ({
      type: 'constraint' as const,
      body: `Rule ${i}: ${'nobody climbs the mast alone '.repeat(1 + (i % 7))}`,
    }));
    const loci = await openWith(...rules, ...STORE);
    await loci.episode({ sessionId: 's-2', summary: 'It went well.' });
    for (const maxTokens of [50, 90, 300, 600, 601, 602, 1200, 3000]) {
      const { text, tokens_used, ids, parts } = await loci.checkpoint({ maxTokens });
      expect(countTokens(text)).toBe(tokens_used);
      expect(tokens_used).toBeLessThanOrEqual(maxTokens);
      expect(new Set(ids).size).toBe(ids.length);
      const counted = parts.find(({ name }) => name === 'constraints');
      expect((counted?.memories.length ?? 0) + (counted?.left_out ?? 0)).toBe(41);
    }
    const { parts } = await loci.checkpoint({ maxTokens: 900 });
    const holding = parts.filter(({ memories }) => memories.length > 0).map(({ name }) => name);
    expect(holding).toEqual([
      'constraints',
      'decisions',
      'preferences',
      'open_questions',
      'conflicts',
      'episodes',
      'handoff',
      'recent',
    ]);
  });

  test('[C16] of an empty store nothing is said', async () => {
    const loci = await openWith();
    expect(await loci.checkpoint()).toEqual({
      text: '',
      ids: [],
      tokens_used: 0,
      session_id: null,
      parts: [],
    });
  });
});
