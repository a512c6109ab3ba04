import { describe, expect, test } from 'vitest';
import { DEFAULT_WEIGHTS, weightsOf } from '../../src/domain/ranking/settings.ts';

describe('[C2] weights of a setting', () => {
  test('change what is named and leave the rest', () => {
    const weights = weightsOf(
      'recency.weight=0.2, types.fact: 1.5\nchoice.min_score = 0.3',
      'config.yaml',
    );
    expect(weights.recency).toEqual({ weight: 0.2, halfLifeDays: 30 });
    expect(weights.types).toEqual({ ...DEFAULT_WEIGHTS.types, fact: 1.5 });
    expect(weights.choice).toEqual({ ...DEFAULT_WEIGHTS.choice, minScore: 0.3 });
    expect(weights.keyword).toBe(DEFAULT_WEIGHTS.keyword);
  });

  test('nothing set is what was measured', () => {
    expect(weightsOf(' , ', 'flag')).toEqual(DEFAULT_WEIGHTS);
  });

  test.each([
    ['keyword.k2=1', 'weights (flag) names "keyword.k2", which is no weight', 'Did you mean'],
    ['everything', 'weights (flag) names "everything", which is no weight', 'Write name=number'],
    ['keyword.b=1.1', 'weights (flag): keyword.b is "1.1"', 'It is a number from 0 to 1.'],
    ['keyword.b=', 'weights (flag): keyword.b is ""', 'It is a number from 0 to 1.'],
    ['keyword.k1=two', 'weights (flag): keyword.k1 is "two"', 'It is a number from 0 to 10.'],
    ['__proto__.k=1', 'weights (flag) names "__proto__.k", which is no weight', 'Write name'],
  ])('%s is refused with what is accepted', (setting, message, hint) => {
    expect(() => weightsOf(setting, 'flag')).toThrow(
      expect.objectContaining({ message, hint: expect.stringContaining(hint) }),
    );
  });
});
