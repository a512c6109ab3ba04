import { describe, expect, test } from 'vitest';
import { decideSteps } from '../../src/domain/decide/steps.ts';
import { nearDuplicates } from '../../src/domain/lint/near-duplicates.ts';
import { fixesOf } from '../../src/domain/lint/fixes.ts';
import { supersededUnflagged } from '../../src/domain/lint/contradictions.ts';
import type { LintSubjects } from '../../src/domain/lint/subjects.ts';
import { unclassifiedPairs } from '../../src/domain/lint/unclassified-pairs.ts';
import type { Memory } from '../../src/domain/memory.ts';
import { memoryOf } from '../../src/testing/memories.ts';
import type { CommitState } from '../../src/domain/change.ts';

/** What a commit sees of these memories. */
function stateOf(...memories: readonly Memory[]): CommitState {
  return {
    get(id) {
      const memory = memories.find((one) => one.id === id);
      return memory && { memory, version: 1, heads: ['E1'] };
    },
    byExternalId: () => [],
    byContent: () => [],
    alike: () => [],
    projects: [],
    record: () => undefined,
    purged: () => false,
    conflictSubject: () => undefined,
  };
}

function subjectsOf(...memories: readonly Memory[]): LintSubjects {
  const edges = memories.flatMap(({ id, relations }) =>
    relations.map((relation) => ({ source: id, ...relation })),
  );
  const by = (end: 'source' | 'target') =>
    new Map(memories.map(({ id }) => [id, edges.filter((edge) => edge[end] === id)]));
  return {
    memories: new Map(memories.map((memory) => [memory.id, memory])),
    neighbours: new Map(),
    incoming: by('target'),
    outgoing: by('source'),
    anchors: new Map(),
    isolated: false,
    nowMs: Date.parse('2026-03-09T12:00:00.000Z'),
    staleDays: 90,
    expiringDays: 14,
  };
}

describe('[E5] a tag that nearly all memories bear', () => {
  const hub = Array.from({ length: 3000 }, (_, i) =>
    memoryOf({
      id: `FACT-${10_000 + i}`,
      tags: ['hub', 'everything', ...(i < 2 ? ['rare'] : [])],
      created_at: new Date(Date.parse('2026-01-01') + i * 1000).toISOString(),
    }),
  );

  test('is compared among the newest only, and that is said', () => {
    const { findings, notes } = unclassifiedPairs(subjectsOf(...hub));
    expect(notes).toEqual([
      'unclassified_pairs: 3000 memories share everything + hub; the newest 12 were compared',
    ]);
    expect(findings.length).toBe((12 * 11) / 2);
    expect(findings[0]?.ids).toEqual(['FACT-12988', 'FACT-12989']);
  });

  test('gives the same findings in any order of the memories', () => {
    const there = unclassifiedPairs(subjectsOf(...hub));
    expect(unclassifiedPairs(subjectsOf(...hub.toReversed()))).toEqual(there);
  });
});

test('[E5] texts that are all alike are not all compared', () => {
  const alike = Array.from({ length: 1000 }, (_, i) =>
    memoryOf({ id: `FACT-${10_000 + i}`, body: `The nightly build of the harbour finished well.` }),
  );
  const { findings, notes } = nearDuplicates(subjectsOf(...alike));
  expect(findings).toHaveLength(200);
  expect(notes[0]).toMatch(/^near_duplicates: 950 memories resemble too many others/);
});

describe('[E5] a succession', () => {
  const older = memoryOf({ id: 'FACT-OLDER', created_at: '2025-01-01T00:00:00.000Z' });
  const newer = memoryOf({
    id: 'FACT-NEWER',
    relations: [{ type: 'contradicts', target: 'FACT-OLDER', confidence: 1, origin: 'stated' }],
  });

  test('is not half made when one side was changed meanwhile', () => {
    const subjects = subjectsOf(older, newer);
    const { steps } = fixesOf(supersededUnflagged(subjects), subjects);
    const context = { isolated: false, now: '2026-03-09T12:00:00.000Z', recordOf: () => undefined };
    const changed = { ...older, confidence: 0.2 };
    const { changes, result } = decideSteps(stateOf(changed, newer), steps, context);
    expect(changes).toEqual([]);
    expect(result.skipped.map(({ id, reason }) => [id, reason]).sort()).toEqual([
      ['FACT-NEWER', 'FACT-OLDER was changed meanwhile'],
    ]);
    expect(decideSteps(stateOf(older, newer), steps, context).result.applied).toHaveLength(2);
  });
});
