import { describe, expect, it } from '@jest/globals';
import { isAmount, sameAmount } from '../../src/runtime/quantity.ts';

describe('an amount of a resource', () => {
  it.each(['0', '1', 2, '500m', '1.5', '.5', '1.', '128Mi', '2Gi', '1e3', '1E-3', '5k', '10n', '+1'])(
    'is %j',
    (value) => {
      expect(isAmount(value)).toBe(true);
    },
  );

  it.each(['', 'lots', '1 Gi', '1gi', '128MB', '-1', '1e', '1.2.3', 'Mi', Number.NaN])('is not %j', (value) => {
    expect(isAmount(value)).toBe(false);
  });
});

describe('two ways to write an amount', () => {
  it.each([
    ['1000000000n', '1'],
    ['1000000u', '1'],
    ['1000m', '1'],
    ['0.5', '500m'],
    ['1k', '1000'],
    ['1M', '1000k'],
    ['1G', '1000M'],
    ['1T', '1000G'],
    ['1P', '1000T'],
    ['1E', '1000P'],
    ['1Ki', '1024'],
    ['1Mi', '1024Ki'],
    ['1Gi', '1024Mi'],
    ['1Ti', '1024Gi'],
    ['1Pi', '1024Ti'],
    ['1Ei', '1024Pi'],
    ['1e3', '1k'],
    ['1E-3', '1m'],
    ['+1.', 1],
    ['.3', '300m'],
    ['0', '0m'],
  ])('are the same: %j and %j', (one, other) => {
    expect([sameAmount(one, other), sameAmount(other, one)]).toEqual([true, true]);
  });

  it.each([
    ['1', '1001m'],
    ['1k', '1Ki'],
    ['1M', '1m'],
    ['1T', '1000000000002'],
    ['0', '1n'],
    ['lots', '0'],
    ['', '0'],
    ['1kb', '1'],
    ['-1', '-1000m'],
  ])('are not: %j and %j', (one, other) => {
    expect([sameAmount(one, other), sameAmount(other, one)]).toEqual([false, false]);
  });

  it('of what is no amount are the same only where they are equal', () => {
    expect([sameAmount('lots', 'lots'), sameAmount('lots', 'more')]).toEqual([true, false]);
  });
});
