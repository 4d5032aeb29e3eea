import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compareResourceVersions, hasReached, isOlder } from '../../../src/runtime/cache/resource-version.ts';

const version = fc.bigInt({ min: 1n, max: 10n ** 30n });

describe('resourceVersions', () => {
  it('compare as the numbers they are, of any length', () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        const expected = a < b ? -1 : a > b ? 1 : 0;
        expect(Math.sign(compareResourceVersions(String(a), String(b)))).toBe(expected);
      }),
    );
  });

  it.each(['', '0', '01', '-1', '1.5', 'abc', ' 7'])('refuse "%s"', (malformed) => {
    expect(() => compareResourceVersions(malformed, '1')).toThrow(`resourceVersion "${malformed}"`);
    expect(() => compareResourceVersions('1', malformed)).toThrow(`resourceVersion "${malformed}"`);
  });

  it.each([
    { a: '6', b: '7', older: true },
    { a: '7', b: '7', older: false },
    { a: '8', b: '7', older: false },
    { a: undefined, b: '7', older: true },
    { a: '7', b: undefined, older: false },
    { a: undefined, b: undefined, older: false },
  ])('$a is older than $b: $older', ({ a, b, older }) => {
    expect(isOlder(a, b)).toBe(older);
  });

  it.each([
    { synced: undefined, written: '7', reached: false },
    { synced: '6', written: '7', reached: false },
    { synced: '7', written: '7', reached: true },
    { synced: '10', written: '9', reached: true },
  ])('a cache at $synced has seen the write of $written: $reached', ({ synced, written, reached }) => {
    expect(hasReached(synced, written)).toBe(reached);
  });
});
