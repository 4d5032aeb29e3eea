// Who holds which lease, by what was seen of it and when.

import { beforeEach, describe, expect, it } from '@jest/globals';
import { later, toInstant } from '../../../src/runtime/instant.ts';
import type { Lease } from '../../../src/runtime/leader-election/lease.ts';
import { LeaseBook } from '../../../src/runtime/shards/lease-book.ts';

const START = toInstant(0);
const at = (seconds: number) => later(START, seconds * 1_000);

function lease(name: string, holderIdentity: string, leaseDurationSeconds?: number): Lease {
  const spec = { holderIdentity, ...(leaseDurationSeconds !== undefined && { leaseDurationSeconds }) };
  return { metadata: { name, uid: name, resourceVersion: '1' }, spec };
}

let book: LeaseBook;
beforeEach(() => {
  book = new LeaseBook();
});

describe('a lease', () => {
  it('is held until its time is over, and from then on by none', () => {
    book.saw(lease('web-0', 'a', 10), START);
    expect(book.holderOf('web-0', at(9.999))).toBe('a');
    expect(book.holderOf('web-0', at(10))).toBeUndefined();
  });

  it('lasts 15 seconds when its record does not say how long', () => {
    book.saw(lease('web-0', 'a'), START);
    expect(book.nextExpiry(START)).toEqual(at(15));
  });

  it.each([
    { name: 'never seen', see: () => {} },
    { name: 'given away', see: () => book.saw(lease('web-0', '', 10), START) },
    {
      name: 'deleted',
      see: () => {
        book.saw(lease('web-0', 'a', 10), START);
        book.isGone('web-0');
      },
    },
  ])('has no holder: $name', ({ see }) => {
    see();
    expect(book.holderOf('web-0', START)).toBeUndefined();
    expect(book.holders('web-', START)).toEqual([]);
    expect(book.nextExpiry(START)).toBeUndefined();
  });
});

describe('several leases', () => {
  beforeEach(() => {
    book.saw(lease('web-0', 'a', 20), START);
    book.saw(lease('web-1', 'b', 10), START);
    book.saw(lease('web-2', 'a', 15), START);
    book.saw(lease('other', 'c', 5), START);
  });

  it('have the live holders of their prefix', () => {
    expect(book.holders('web-', at(12))).toEqual(['a', 'a']);
  });

  it('run out one after the other', () => {
    const expiries = [0, 5, 10, 15, 20].map((seconds) => book.nextExpiry(at(seconds)));
    expect(expiries).toEqual([at(5), at(10), at(15), at(20), undefined]);
  });

  it('are abandoned so long after they have run out', () => {
    const names = (seconds: number) => book.abandoned(at(seconds), 60_000).map(({ metadata }) => metadata.name);
    expect(names(64.999)).toEqual([]);
    expect(names(65)).toEqual(['other']);
    expect(names(70)).toEqual(['web-1', 'other']);
  });
});
