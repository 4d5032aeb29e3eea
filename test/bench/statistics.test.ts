import { describe, expect, it } from '@jest/globals';
import { median, percentile, ratio, spreadOf } from './statistics.ts';

describe('median', () => {
  it.each([
    { name: 'one value', values: [7], expected: 7 },
    { name: 'odd count, unsorted', values: [9, 1, 5], expected: 5 },
    { name: 'even count: between the two middle ones', values: [10, 2, 4, 100], expected: 7 },
    { name: 'sorted as numbers, not as text', values: [10, 9, 100], expected: 10 },
  ])('$name', ({ values, expected }) => {
    expect(median(values)).toBe(expected);
  });

  it('refuses to speak of nothing', () => {
    expect(() => median([])).toThrow('no values');
  });
});

describe('percentile', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

  it.each([
    { percent: 50, expected: 50 },
    { percent: 99, expected: 99 },
    { percent: 100, expected: 100 },
    { percent: 0, expected: 1 },
  ])('$percent of 1 to 100 is $expected', ({ percent, expected }) => {
    expect(percentile(hundred, percent)).toBe(expected);
  });

  it('is a value that was measured, even of few', () => {
    expect(percentile([3, 1, 2], 99)).toBe(3);
    expect(percentile([3, 1, 2], 50)).toBe(2);
  });
});

describe('spreadOf', () => {
  it('keeps the extremes', () => {
    expect(spreadOf([4, 2, 9])).toEqual({ median: 4, min: 2, max: 9 });
  });

  it('is nothing without values', () => {
    expect(spreadOf([])).toBeUndefined();
  });
});

describe('ratio', () => {
  it.each([
    { value: 3, reference: 4, expected: 0.75 },
    { value: 0, reference: 4, expected: 0 },
    { value: 3, reference: 0, expected: undefined },
    { value: undefined, reference: 4, expected: undefined },
    { value: 3, reference: undefined, expected: undefined },
  ])('$value of $reference is $expected', ({ value, reference, expected }) => {
    expect(ratio(value, reference)).toBe(expected);
  });
});
