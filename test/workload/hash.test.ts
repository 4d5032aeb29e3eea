import { describe, expect, it } from '@jest/globals';
import { fnv1, revisionHash, safeEncode } from '../../src/workload/hash.ts';

const DATA =
  '{"spec":{"template":{"$patch":"replace","metadata":{"labels":{"app":"web"}},' +
  '"spec":{"containers":[{"image":"nginx:1.25","name":"web"}]}}}}';

describe('the hash of a ControllerRevision, as Go computes it', () => {
  it.each([
    { data: DATA, collisionCount: undefined, hash: '564bd96b6b' },
    { data: DATA, collisionCount: 0, hash: '57766f7c78' },
    { data: DATA, collisionCount: 1, hash: '57766f7c79' },
    { data: '', collisionCount: undefined, hash: '65bb57b6b5' },
  ])('collision count $collisionCount gives $hash', ({ data, collisionCount, hash }) => {
    expect(revisionHash(data, collisionCount)).toBe(hash);
  });

  it('is FNV-1, not FNV-1a', () => {
    expect(fnv1(DATA)).toBe(1206852626);
    expect(fnv1('')).toBe(2166136261);
    expect(fnv1('a')).toBe(0x050c5d7e);
  });

  it('reads text as UTF-8', () => {
    expect(fnv1('é')).not.toBe(fnv1('e'));
    expect(fnv1('é')).toBe(fnv1(Buffer.from([0xc3, 0xa9]).toString('utf8')));
  });

  it('spells digits without vowels and look-alikes', () => {
    expect(safeEncode('0123456789')).toBe('456789bcdf');
  });
});

describe('controller_utils_test.go TestComputeHash', () => {
  it.each([
    { name: 'simple', one: 1, other: 2 },
    { name: 'no count against the largest', one: undefined, other: 2 ** 31 - 1 },
  ])('$name: another collision count is another hash', ({ one, other }) => {
    expect(revisionHash('{}', one)).not.toBe(revisionHash('{}', other));
  });
});
