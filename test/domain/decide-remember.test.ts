import { describe, expect, test } from 'vitest';
import { Board, errorOf } from './decide-support.ts';

const NEW = { id: 'FACT-NEW-1', outcome: 'stored' };

describe('[A12] the same text again', () => {
  test('is the memory that is there, whatever blanks and composition it has', () => {
    const board = new Board([{ id: 'FACT-CAFE', body: 'Café opens at nine' }]);
    expect(board.remember(board.draft('  Cafe\u0301 opens at nine\r\n'))).toEqual([
      { id: 'FACT-CAFE', outcome: 'unchanged' },
    ]);
    expect(board.shown).toEqual({ 'FACT-CAFE': 'active: Café opens at nine' });
  });

  test('in another case is another text', () => {
    const board = new Board([{ id: 'FACT-FLAG', body: 'Use -v' }]);
    expect(board.remember(board.draft('Use -V'))).toEqual([NEW]);
  });

  test('[A6] brings its tags, paths, entities and foreign id, the greater confidence and a title', () => {
    const board = new Board([{ id: 'FACT-1', body: 'Text', tags: ['a'], confidence: 0.5 }]);
    const given = {
      tags: ['b', 'a'],
      paths: ['src'],
      title: 'Title',
      confidence: 0.4,
      entities: [{ kind: 'person', name: 'Ann' }],
    };
    const draft = board.draft('Text', { given, externalId: 'x1' });
    expect(board.remember(draft)).toEqual([{ id: 'FACT-1', outcome: 'merged' }]);
    expect(board.memory('FACT-1')).toMatchObject({
      tags: ['a', 'b'],
      paths: ['src'],
      title: 'Title',
      confidence: 0.5,
      external_ids: ['x1'],
      entities: [{ kind: 'person', name: 'Ann' }],
      updated_at: '2026-03-10T00:00:00.000Z',
    });
    const again = board.draft('Text', { given: { title: 'Other title' } });
    expect(board.remember(again)).toEqual([{ id: 'FACT-1', outcome: 'unchanged' }]);
  });

  test('from a surer source makes a draft active, never an active one a draft', () => {
    const board = new Board([{ id: 'FACT-1', body: 'Text', status: 'draft' }]);
    board.remember(board.draft('Text'));
    expect(board.memory('FACT-1').status).toBe('active');
    board.remember(board.draft('Text', { given: { status: 'draft' } }));
    expect(board.memory('FACT-1').status).toBe('active');
  });

  test('as an archived or superseded one is new', () => {
    for (const status of ['archived', 'superseded'] as const) {
      const board = new Board([{ id: 'FACT-1', body: 'Text', status }]);
      expect(board.remember(board.draft('Text'))).toEqual([NEW]);
    }
  });

  test('in another project is another memory; in another drawer only when agents are isolated', () => {
    const memories = [{ id: 'FACT-1', body: 'Text', agent: 'ann' }];
    const elsewhere = new Board(memories);
    expect(elsewhere.remember(elsewhere.draft('Text', { project: 'apollo' }))).toEqual([NEW]);
    const isolated = new Board(memories, true);
    expect(isolated.remember(isolated.draft('Text', { agent: 'bob' }))).toEqual([NEW]);
    const open = new Board(memories);
    expect(open.remember(open.draft('Text', { agent: 'bob' }))).toEqual([
      { id: 'FACT-1', outcome: 'unchanged' },
    ]);
  });

  test('[A8] as a rejected one is refused, with the reason it was rejected for', () => {
    const board = new Board([
      { id: 'FACT-B', body: 'Text', status: 'rejected' },
      { id: 'FACT-A', body: 'Text', status: 'rejected', status_reason: 'it is a rumour' },
    ]);
    expect(board.remember(board.draft(' Text '))).toEqual([
      {
        id: '',
        outcome: 'refused',
        reason: 'the same text was rejected before as FACT-A: it is a rumour',
      },
    ]);
    expect(board.memories.size).toBe(2);
  });

  test('twice in one batch is one memory', () => {
    const board = new Board();
    const drafts = [1, 2].map((line) => board.draft('Text', { line }));
    expect(board.remember(...drafts)).toEqual([
      { ...NEW, line: 1 },
      { id: 'FACT-NEW-1', outcome: 'unchanged', line: 2 },
    ]);
  });
});

describe('[A6] an id that is given', () => {
  test('of a known memory updates it, in any case', () => {
    const board = new Board([{ id: 'FACT-KNOWN', body: 'Old', tags: ['kept'] }]);
    const draft = board.draft('New', { ref: 'fact-known', externalId: 'fact-known' });
    expect(board.remember(draft)).toEqual([{ id: 'FACT-KNOWN', outcome: 'updated' }]);
    expect(board.memory('FACT-KNOWN')).toMatchObject({ body: 'New', tags: ['kept'] });
  });

  test('that is new is the id of the memory', () => {
    const board = new Board();
    const draft = board.draft('Text', { ref: 'FACT-OF-MINE', newId: 'FACT-OF-MINE' });
    expect(board.remember(draft)).toEqual([{ id: 'FACT-OF-MINE', outcome: 'stored' }]);
  });

  test('of another system is kept, and means the same memory the next time', () => {
    const board = new Board();
    const first = board.draft('Text', { ref: 'jira 7', externalId: 'jira 7' });
    expect(board.remember(first)).toEqual([NEW]);
    expect(board.memory('FACT-NEW-1').external_ids).toEqual(['jira 7']);
    const second = board.draft('Other text', { ref: 'jira 7', externalId: 'jira 7' });
    expect(board.remember(second)).toEqual([{ id: 'FACT-NEW-1', outcome: 'updated' }]);
    const elsewhere = { ref: 'jira 7', externalId: 'jira 7', project: 'apollo' };
    expect(board.remember(board.draft('Third text', elsewhere))).toEqual([
      { id: 'FACT-NEW-3', outcome: 'stored' },
    ]);
  });

  test('[G1] of a memory that the writer does not see is as good as unknown', () => {
    const board = new Board([{ id: 'FACT-SECRET', body: 'Hidden', project: 'zeus' }]);
    const draft = board.draft('Text', { ref: 'FACT-SECRET', newId: 'FACT-SECRET' });
    expect(board.remember(draft)).toEqual([{ id: 'FACT-SECRET-OTHER', outcome: 'stored' }]);
    expect(board.memory('FACT-SECRET-OTHER').external_ids).toEqual(['FACT-SECRET']);
    const again = board.draft('Other text', { ref: 'FACT-SECRET', newId: 'FACT-SECRET' });
    expect(board.remember(again)).toEqual([{ id: 'FACT-SECRET-OTHER', outcome: 'updated' }]);
    expect(board.shown).toEqual({
      'FACT-SECRET': 'active: Hidden',
      'FACT-SECRET-OTHER': 'active: Other text',
    });
  });

  test('by chance of another memory gives way to a longer one', () => {
    const board = new Board([{ id: 'FACT-NEW-1', body: 'There first', project: 'zeus' }]);
    expect(board.remember(board.draft('Text'))).toEqual([
      { id: 'FACT-NEW-1-OTHER', outcome: 'stored' },
    ]);
  });

  test('whose memory would come to hold the text of another is a conflict', () => {
    const board = new Board([
      { id: 'FACT-1', body: 'One' },
      { id: 'FACT-2', body: 'Two' },
    ]);
    expect(errorOf(() => board.remember(board.draft('One', { ref: 'FACT-2' })))).toBe(
      'conflict: FACT-1 already holds this text (Change FACT-1 instead, or archive it first.)',
    );
  });
});

describe('[A6] a batch', () => {
  test('with a bad item keeps the others; the bad one leaves nothing behind', () => {
    const board = new Board([{ id: 'FACT-1', body: 'One' }]);
    const relation = { type: 'supports', target: 'FACT-NOWHERE', confidence: 1 };
    const receipts = board.remember(
      board.draft('First', { line: 1 }),
      board.draft('Second', { line: 2, supersedes: 'FACT-1', relations: [relation] }),
      board.draft('   ', { line: 3 }),
      board.draft('Second', { line: 4 }),
    );
    expect(receipts).toEqual([
      { id: 'FACT-NEW-1', outcome: 'stored', line: 1 },
      {
        id: '',
        outcome: 'refused',
        reason:
          'there is no memory "FACT-NOWHERE" (Look its id up with search or recall; other projects are not seen from here.)',
        line: 2,
      },
      { id: '', outcome: 'refused', reason: 'body is empty (Give the text to remember.)', line: 3 },
      { id: 'FACT-NEW-4', outcome: 'stored', line: 4 },
    ]);
    expect(board.shown).toEqual({
      'FACT-1': 'active: One',
      'FACT-NEW-1': 'active: First',
      'FACT-NEW-4': 'active: Second',
    });
  });

  test('a bad item hides nothing of a good one that it was about to change', () => {
    const board = new Board();
    const nowhere = { supersedes: 'FACT-NOWHERE' };
    const receipts = board.remember(
      board.draft('The staging database listens on port 5433.', { line: 1, externalId: 'a' }),
      board.draft('The staging database listens on port 5433.', { line: 2, ...nowhere }),
      board.draft('A deploy needs two reviews.', { line: 3, externalId: 'b', ...nowhere }),
      board.draft('The staging database listens on port 5434.', { line: 4, ref: 'a', ...nowhere }),
      board.draft('The staging database listens on port 5433.', { line: 5 }),
      board.draft('the staging database listens on port 5433', { line: 6 }),
      board.draft('A deploy needs three reviews.', { line: 7, externalId: 'b' }),
    );
    const outcomes = ['stored', 'refused', 'refused', 'refused', 'unchanged', 'merged', 'stored'];
    expect(receipts.map(({ outcome }) => outcome)).toEqual(outcomes);
    expect(board.shown).toEqual({
      'FACT-NEW-1': 'active: The staging database listens on port 5433.',
      'FACT-NEW-7': 'active: A deploy needs three reviews.',
    });
    expect(board.memory('FACT-NEW-1').external_ids).toEqual(['a']);
  });

  test('takes time in proportion to its items, however many are bad or say the same', () => {
    const batches = {
      bad: (i: number) => (i % 2 ? { supersedes: 'FACT-NOWHERE' } : {}),
      archived: () => ({ given: { status: 'archived' as const } }),
    };
    for (const [kind, more] of Object.entries(batches)) {
      const board = new Board();
      const drafts = Array.from({ length: 8000 }, (_, i) => {
        const text = kind === 'bad' ? `Machine ${i} stands in room ${i * 7}.` : 'The same text.';
        return board.draft(text, { line: i + 1, ...more(i) });
      });
      const start = performance.now();
      board.remember(...drafts);
      expect(performance.now() - start).toBeLessThan(5000);
    }
  });

  test('of one bad item refuses it as well; a single bad memory is an error', () => {
    const board = new Board();
    expect(board.remember(board.draft('', { line: 1 }))).toMatchObject([{ outcome: 'refused' }]);
    expect(errorOf(() => board.remember(board.draft('')))).toBe(
      'invalid_input: body is empty (Give the text to remember.)',
    );
  });

  test('may name in an item what an earlier one stored', () => {
    const board = new Board();
    const receipts = board.remember(
      board.draft('First', { line: 1, externalId: 'a' }),
      board.draft('Second', { line: 2, supersedes: 'a' }),
      board.draft('Third', { line: 3, ref: 'a', externalId: 'a' }),
    );
    expect(receipts.map(({ outcome }) => outcome)).toEqual(['stored', 'superseded', 'updated']);
    expect(board.memory('FACT-NEW-1')).toMatchObject({
      status: 'superseded',
      superseded_by: 'FACT-NEW-2',
      body: 'Third',
    });
  });

  test('what an item that was rolled back changed is as before for the next', () => {
    const board = new Board([{ id: 'FACT-1', body: 'One', tags: ['a'] }]);
    const bad = [{ type: 'supports', target: 'FACT-NOWHERE', confidence: 1 }];
    board.remember(
      board.draft('Kept', { line: 1, ref: 'FACT-1', given: { tags: ['b'] } }),
      board.draft('Lost', { line: 2, ref: 'FACT-1', given: { tags: ['c'] }, relations: bad }),
      board.draft(undefined, { line: 3, ref: 'FACT-1', given: { confidence: 0.1 } }),
    );
    expect(board.memory('FACT-1')).toMatchObject({ body: 'Kept', tags: ['b'], confidence: 0.1 });
  });
});
