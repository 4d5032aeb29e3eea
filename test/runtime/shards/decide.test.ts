import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decideMoves, type Ring, sharesOf } from '../../../src/runtime/shards/decide.ts';

/** One letter for each range, by its holder; `.` is free. */
const holdersOf = (letters: string): Ring['holders'] => [...letters].map((one) => (one === '.' ? undefined : one));

function movesOf(self: string, members: string, letters: string): { take: string; giveAway: string } {
  const holders = holdersOf(letters);
  const mine = new Set(holders.flatMap((holder, index) => (holder === self ? [index] : [])));
  const { take, giveAway } = decideMoves({ self, members: new Set(members), holders, mine });
  return { take: take.join(','), giveAway: giveAway.join(',') };
}

describe('what a replica does about ranges', () => {
  it.each([
    { name: 'alone, it takes everything', self: 'a', members: 'a', holders: '....', take: '0,1,2,3', giveAway: '' },
    { name: 'of two, the first takes one half', self: 'a', members: 'ab', holders: '....', take: '0,1', giveAway: '' },
    { name: 'and the second the other', self: 'b', members: 'ab', holders: '....', take: '2,3', giveAway: '' },
    { name: 'what is left over goes to one', self: 'a', members: 'ab', holders: '...', take: '0,1', giveAway: '' },
    { name: 'and not to the other', self: 'b', members: 'ab', holders: '...', take: '2', giveAway: '' },
    { name: 'it makes room for one that joins', self: 'a', members: 'ab', holders: 'aaaa', take: '', giveAway: '2,3' },
    { name: 'which takes nothing that is held', self: 'b', members: 'ab', holders: 'aaaa', take: '', giveAway: '' },
    { name: 'and takes what becomes free', self: 'b', members: 'ab', holders: 'aaa.', take: '3', giveAway: '' },
    { name: 'a holder that died leaves its share', self: 'b', members: 'bc', holders: '.b.c', take: '0', giveAway: '' },
    { name: 'to each of the others', self: 'c', members: 'bc', holders: '.b.c', take: '2', giveAway: '' },
    {
      name: 'before it counts as dead, nothing moves',
      self: 'b',
      members: 'ab',
      holders: '.b',
      take: '',
      giveAway: '',
    },
    {
      name: 'with more replicas than ranges some wait',
      self: 'c',
      members: 'abc',
      holders: 'ab',
      take: '',
      giveAway: '',
    },
    { name: 'the one more stays where it is', self: 'b', members: 'ab', holders: 'bab', take: '', giveAway: '' },
    { name: 'one that leaves gives all away', self: 'a', members: 'b', holders: 'abab', take: '', giveAway: '0,2' },
  ])('$name', ({ self, members, holders, take, giveAway }) => {
    expect(movesOf(self, members, holders)).toEqual({ take, giveAway });
  });

  it('counts a range that it campaigns for as its own', () => {
    const ring = { self: 'a', members: new Set('ab'), holders: holdersOf('....'), mine: new Set([0]) };
    expect(decideMoves(ring)).toEqual({ take: [1], giveAway: [] });
  });

  it('does not take back at once what it is giving away', () => {
    const ring = { self: 'a', members: new Set('a'), holders: holdersOf('aa'), mine: new Set([0]) };
    expect(decideMoves(ring)).toEqual({ take: [], giveAway: [] });
  });
});

const NAMES = ['a', 'b', 'c', 'd', 'e'];
const course = fc.record({
  holders: fc.array(fc.constantFrom(undefined, ...NAMES), { minLength: 1, maxLength: 12 }),
  members: fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1 }),
});

/** One after the other in any order, each with the leases as they are then; what a dead replica held is free. */
function settle(start: Ring['holders'], members: readonly string[]): { holders: Ring['holders']; moved: number } {
  const live = new Set(members);
  const holders = start.map((holder) => (holder !== undefined && live.has(holder) ? holder : undefined));
  let moved = 0;
  for (let round = 0; round < 3; round++) {
    for (const self of members) {
      const mine = new Set(holders.flatMap((holder, index) => (holder === self ? [index] : [])));
      const { take, giveAway } = decideMoves({ self, members: live, holders: [...holders], mine });
      for (const index of giveAway) holders[index] = undefined;
      for (const index of take) holders[index] = self;
      moved += giveAway.length;
    }
  }
  return { holders, moved };
}

describe('the moves of all replicas', () => {
  it('end with every range held, by live replicas, evenly within one', () => {
    fc.assert(
      fc.property(course, ({ holders, members }) => {
        const settled = settle(holders, members);
        expect(settled.holders).not.toContain(undefined);
        const counts = members.map((member) => settled.holders.filter((holder) => holder === member).length);
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
        expect(settle(settled.holders, members)).toEqual({ holders: settled.holders, moved: 0 });
      }),
    );
  });

  it('take from nobody, and never want the same range when they see the same leases', () => {
    fc.assert(
      fc.property(course, ({ holders, members }) => {
        const wanted = members.flatMap((self) => {
          const mine = new Set(holders.flatMap((holder, index) => (holder === self ? [index] : [])));
          return decideMoves({ self, members: new Set(members), holders, mine }).take;
        });
        expect(wanted.filter((index) => holders[index] !== undefined)).toEqual([]);
        expect(new Set(wanted).size).toBe(wanted.length);
      }),
    );
  });

  it('move no more than it takes', () => {
    fc.assert(
      fc.property(course, ({ holders, members }) => {
        const shares = sharesOf(new Set(members), holders);
        const excess = members.map((member) =>
          Math.max(0, holders.filter((holder) => holder === member).length - (shares.get(member) ?? 0)),
        );
        expect(settle(holders, members).moved).toBe(excess.reduce((sum, each) => sum + each, 0));
      }),
    );
  });
});
