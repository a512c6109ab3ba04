import { describe, expect, test } from 'vitest';
import { VIEW_ALL } from '../../src/domain/view.ts';
import { Board, errorOf } from './decide-support.ts';

const ONE = { id: 'FACT-1', body: 'One', created_at: '2026-03-01T00:00:00.000Z' };
const TWO = { id: 'FACT-2', body: 'Two', created_at: '2026-03-02T00:00:00.000Z' };
const THREE = { id: 'FACT-3', body: 'Three', created_at: '2026-03-03T00:00:00.000Z' };

describe('[A7] supersedes', () => {
  test('keeps the old one as history, with both ends linked', () => {
    const board = new Board([ONE]);
    const draft = board.draft('One, but newer', { supersedes: 'fact-1' });
    expect(board.remember(draft)).toEqual([{ id: 'FACT-NEW-1', outcome: 'superseded' }]);
    expect(board.memory('FACT-1')).toMatchObject({
      status: 'superseded',
      superseded_by: 'FACT-NEW-1',
      superseded_at: '2026-03-10T00:00:00.000Z',
      body: 'One',
    });
    expect(board.memory('FACT-NEW-1')).toMatchObject({
      status: 'active',
      supersedes: 'FACT-1',
      relations: [{ type: 'supersedes', target: 'FACT-1', confidence: 1, origin: 'stated' }],
    });
  });

  test('by a draft waits until somebody vouches for it', () => {
    const board = new Board([ONE]);
    const unsure = { supersedes: 'FACT-1', given: { source: 'web', status: 'draft' as const } };
    expect(board.remember(board.draft('One is wrong', unsure))).toEqual([
      { id: 'FACT-NEW-1', outcome: 'stored' },
    ]);
    expect(board.shown).toEqual({ 'FACT-1': 'active: One', 'FACT-NEW-1': 'draft: One is wrong' });
    board.status('FACT-NEW-1', 'active');
    expect(board.shown).toEqual({
      'FACT-1': 'superseded: One',
      'FACT-NEW-1': 'active: One is wrong',
    });
  });

  test('goes on as a chain, and the same again changes nothing', () => {
    const board = new Board([ONE, TWO, THREE]);
    board.relate('FACT-2', 'supersedes', 'FACT-1');
    board.relate('FACT-3', 'supersedes', 'FACT-2');
    const before = new Map(board.memories);
    expect(board.relate('FACT-3', 'supersedes', 'FACT-2')).toEqual([
      { source: 'FACT-3', type: 'supersedes', target: 'FACT-2', confidence: 1, origin: 'stated' },
    ]);
    expect(board.memories).toEqual(before);
    expect(board.memory('FACT-2')).toMatchObject({
      status: 'superseded',
      supersedes: 'FACT-1',
      superseded_by: 'FACT-3',
    });
  });

  test('by a second successor is a conflict that names the first', () => {
    const board = new Board([ONE, TWO]);
    board.relate('FACT-2', 'supersedes', 'FACT-1');
    expect(errorOf(() => board.remember(board.draft('X', { supersedes: 'FACT-1' })))).toBe(
      'conflict: FACT-1 is already superseded by FACT-2 (Supersede FACT-2 instead.)',
    );
    expect(board.memories.size).toBe(2);
  });

  test('of itself, or of its own successor, is refused: nothing would be left', () => {
    const board = new Board([ONE, TWO]);
    expect(errorOf(() => board.relate('FACT-1', 'supersedes', 'FACT-1'))).toBe(
      'invalid_input: FACT-1 cannot be related to itself (Give two different memories.)',
    );
    expect(errorOf(() => board.remember(board.draft('One', { supersedes: 'FACT-1' })))).toBe(
      'invalid_input: FACT-1 cannot supersede itself',
    );
    board.relate('FACT-2', 'supersedes', 'FACT-1');
    expect(errorOf(() => board.relate('FACT-1', 'supersedes', 'FACT-2'))).toBe(
      'conflict: FACT-1 was itself superseded by FACT-2 (Remember its text anew with --supersedes and the id of the successor.)',
    );
    expect(board.memory('FACT-2').status).toBe('active');
  });

  test('a text that is there already can be the successor', () => {
    const board = new Board([ONE, TWO]);
    const draft = board.draft('Two', { supersedes: 'FACT-1' });
    expect(board.remember(draft)).toEqual([{ id: 'FACT-2', outcome: 'superseded' }]);
    expect(board.memory('FACT-1').superseded_by).toBe('FACT-2');
  });

  test('[A8] keeps a rejected one rejected', () => {
    const board = new Board([{ ...ONE, status: 'rejected' }, TWO]);
    board.relate('FACT-2', 'supersedes', 'FACT-1');
    expect(board.memory('FACT-1')).toMatchObject({ status: 'rejected', superseded_by: 'FACT-2' });
    expect(board.remember(board.draft('One'))).toMatchObject([{ outcome: 'refused' }]);
  });
});

describe('[A4] archive, restore, reject', () => {
  test('carry their reason, and the same again changes nothing', () => {
    const board = new Board([ONE]);
    expect(board.status('FACT-1', 'archived', 'stale')).toEqual({
      id: 'FACT-1',
      version: 2,
      outcome: 'archived',
    });
    expect(board.memory('FACT-1')).toMatchObject({ status: 'archived', status_reason: 'stale' });
    expect(board.status('FACT-1', 'archived')).toMatchObject({ outcome: 'unchanged' });
    expect(board.status('FACT-1', 'active')).toMatchObject({ outcome: 'restored' });
    expect(board.memory('FACT-1')).not.toHaveProperty('status_reason');
    expect(board.status('FACT-1', 'rejected', 'wrong')).toMatchObject({ outcome: 'rejected' });
  });

  test('restoring is refused while another one holds the text', () => {
    const board = new Board([
      { ...ONE, status: 'archived' },
      { ...TWO, body: ' One ' },
    ]);
    expect(errorOf(() => board.status('FACT-1', 'active'))).toBe(
      'conflict: FACT-2 already holds this text (Change FACT-2 instead, or archive it first.)',
    );
  });

  test('what was replaced does not become current again, also by way of the archive', () => {
    const board = new Board([ONE, TWO]);
    board.relate('FACT-2', 'supersedes', 'FACT-1');
    const refusal =
      'conflict: FACT-1 was superseded by FACT-2 (Remember its text anew with --supersedes and the id of the successor.)';
    expect(errorOf(() => board.status('FACT-1', 'active'))).toBe(refusal);
    expect(errorOf(() => board.update('FACT-1', { given: { status: 'active' } }))).toBe(refusal);
    board.status('FACT-1', 'archived');
    expect(errorOf(() => board.status('FACT-1', 'active'))).toBe(refusal);
    expect(board.memory('FACT-1').status).toBe('archived');
  });

  test('of a derived conflict says how it is settled', () => {
    const board = new Board([ONE, { id: 'CONF-1', body: 'Two edits.' }]);
    board.conflicts.set('CONF-1', 'FACT-1');
    expect(errorOf(() => board.status('CONF-1', 'archived'))).toBe(
      'conflict: CONF-1 is derived from concurrent edits and cannot be changed itself (Update FACT-1 to what holds; the conflict is then settled.)',
    );
  });
});

describe('[A6] update', () => {
  test('changes what was given, and nothing when nothing differs', () => {
    const board = new Board([{ ...ONE, tags: ['a'] }]);
    expect(board.update('FACT-1', { given: { confidence: 0.9 } })).toEqual({
      id: 'FACT-1',
      version: 2,
      outcome: 'updated',
    });
    expect(board.memory('FACT-1')).toMatchObject({ confidence: 0.9, tags: ['a'], body: 'One' });
    expect(board.update('FACT-1', { given: { confidence: 0.9 } })).toMatchObject({
      outcome: 'unchanged',
    });
  });

  test('with an expected version is refused when it has changed since', () => {
    const board = new Board([ONE]);
    expect(errorOf(() => board.update('FACT-1', { expectVersion: 2 }))).toBe(
      'conflict: FACT-1 is at version 1, not 2 (Get it again, look at what changed, and repeat the update on the new version.)',
    );
  });

  test('to the text of a live or a rejected one is a conflict', () => {
    const board = new Board([ONE, TWO, { ...THREE, status: 'rejected', status_reason: 'no' }]);
    expect(errorOf(() => board.update('FACT-1', { given: { body: 'Two' } }))).toBe(
      'conflict: FACT-2 already holds this text (Change FACT-2 instead, or archive it first.)',
    );
    expect(errorOf(() => board.update('FACT-1', { given: { body: 'Three' } }))).toBe(
      'conflict: the same text was rejected before as FACT-3: no (Restore FACT-3 if it holds after all.)',
    );
    expect(board.memory('FACT-1').body).toBe('One');
  });

  test('to active is a conflict while another one holds the text', () => {
    const board = new Board([ONE, { ...ONE, id: 'FACT-OLD', status: 'archived' }]);
    expect(errorOf(() => board.update('FACT-OLD', { given: { status: 'active' } }))).toBe(
      'conflict: FACT-1 already holds this text (Change FACT-1 instead, or archive it first.)',
    );
  });

  test('to another type moves it to the tier of that type, unless it was put elsewhere', () => {
    const board = new Board([ONE, { ...TWO, tier: 'conversations' }]);
    board.update('FACT-1', { given: { type: 'decision' } });
    board.update('FACT-2', { given: { type: 'decision' } });
    expect(board.memory('FACT-1').tier).toBe('preferences');
    expect(board.memory('FACT-2').tier).toBe('conversations');
  });

  test('of what the view does not see is answered as of what is not there', () => {
    const board = new Board([{ ...ONE, project: 'zeus' }]);
    const unknown =
      ' (Look its id up with search or recall; other projects are not seen from here.)';
    expect(errorOf(() => board.update('FACT-1', {}))).toBe(
      `not_found: there is no memory "FACT-1"${unknown}`,
    );
    expect(errorOf(() => board.update('FACT-9', {}))).toBe(
      `not_found: there is no memory "FACT-9"${unknown}`,
    );
    expect(board.update('FACT-1', {}, VIEW_ALL)).toMatchObject({ outcome: 'unchanged' });
  });

  test('by a foreign id that two memories have takes the same one everywhere', () => {
    for (const memories of [
      [ONE, TWO],
      [TWO, ONE],
    ]) {
      const board = new Board(memories.map((memory) => ({ ...memory, external_ids: ['x'] })));
      expect(board.update('x', { given: { confidence: 0.1 } }).id).toBe('FACT-1');
    }
  });
});

describe('relate', () => {
  test('[A6] adds a typed edge once; its confidence can change', () => {
    const board = new Board([ONE, TWO]);
    expect(board.relate('fact-1', 'Related', 'FACT-2', 0.5)).toEqual([
      { source: 'FACT-1', type: 'related_to', target: 'FACT-2', confidence: 0.5, origin: 'stated' },
    ]);
    board.relate('FACT-1', 'related_to', 'FACT-2', 0.7);
    board.relate('FACT-1', 'depends on', 'FACT-2');
    expect(board.memory('FACT-1').relations).toEqual([
      { type: 'depends_on', target: 'FACT-2', confidence: 1, origin: 'stated' },
      { type: 'related_to', target: 'FACT-2', confidence: 0.7, origin: 'stated' },
    ]);
  });

  test('needs both ends, and sees no other project', () => {
    const board = new Board([ONE, { ...TWO, project: 'zeus' }]);
    for (const target of ['FACT-2', 'FACT-9']) {
      expect(errorOf(() => board.relate('FACT-1', 'supports', target))).toContain(
        `not_found: there is no memory "${target}"`,
      );
    }
    expect(board.memory('FACT-1').relations).toEqual([]);
  });

  test('allows circles', () => {
    const board = new Board([ONE, TWO, THREE]);
    board.relate('FACT-1', 'depends_on', 'FACT-2');
    board.relate('FACT-2', 'depends_on', 'FACT-3');
    board.relate('FACT-3', 'depends_on', 'FACT-1');
    expect(board.memory('FACT-3').relations).toHaveLength(1);
  });
});
