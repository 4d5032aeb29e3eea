// The promises of a group, on any course of events: one holder at a time, nothing planned before its cache is fresh, and in the end
// every range held, evenly. Defects that are planted on purpose show that each promise would be seen to break.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aborted } from '../../../src/runtime/abort.ts';
import { LeaderElector } from '../../../src/runtime/leader-election/elector.ts';
import { type Defect, Group, NAMESPACES, type Replica } from './group.ts';
import type { Fault } from './lease-store.ts';

function heldBy(...replicas: readonly Replica[]): string[] {
  return replicas.map(({ held }) => held.join(','));
}

async function settled(shards: number, replicas: number): Promise<Group> {
  const group = new Group();
  for (let each = 0; each < replicas; each++) group.join(shards);
  await group.advance(2_000);
  return group;
}

describe('replicas that share ranges', () => {
  it('take one half each', async () => {
    const group = await settled(4, 2);
    expect(heldBy(...group.replicas)).toEqual(['0,1', '2,3']);
    expect(await group.neglected()).toEqual([]);
    expect(group.violations).toEqual([]);
  });

  it('give one that joins its share within two seconds', async () => {
    const group = await settled(4, 1);
    expect(heldBy(...group.replicas)).toEqual(['0,1,2,3']);
    group.join(4);
    await group.advance(2_000);
    expect(heldBy(...group.replicas)).toEqual(['0,1', '2,3']);
    expect(await group.neglected()).toEqual([]);
    expect(group.violations).toEqual([]);
  });

  it('take over at once what one that stops has held', async () => {
    const group = await settled(4, 3);
    group.replicas[0]?.stop();
    await group.advance(1_500);
    const [gone, ...rest] = group.replicas;
    expect(gone?.outcome).toBe('stopped');
    expect(rest.flatMap(({ held }) => held).sort()).toEqual([0, 1, 2, 3]);
    expect(await group.neglected()).toEqual([]);
    expect([...group.store.leases.keys()].filter((name) => name.includes('replica'))).toHaveLength(2);
    expect(group.violations).toEqual([]);
  });

  it('take over from one that dies within its lease and a second', async () => {
    const group = await settled(4, 2);
    group.replicas[1]?.kill();
    await group.advance(3_000 + 1_000);
    expect(group.replicas[0]?.held).toEqual([0, 1, 2, 3]);
    expect(await group.neglected()).toEqual([]);
    expect(group.violations).toEqual([]);
  });

  it('go on with the other ranges when one is lost', async () => {
    const group = await settled(4, 1);
    const lease = group.store.leases.get('web-shard-2-of-4');
    if (lease === undefined) throw new Error('no such lease');
    const robbed = {
      ...lease,
      metadata: { ...lease.metadata, resourceVersion: 'x' },
      spec: { holderIdentity: 'thief' },
    };
    group.store.leases.set('web-shard-2-of-4', robbed);
    await group.advance(1_000);
    const [replica] = group.replicas;
    expect(replica?.held).toEqual([0, 1, 3]);
    expect(replica?.outcome).toBe('running');
    await group.advance(20_000); // the thief never renews, and its record says nothing of how long it lasts
    expect(replica?.held).toEqual([0, 1, 2, 3]);
  });

  it('end, and let their leases run out, when the work on a range fails', async () => {
    const group = await settled(2, 1);
    const [replica] = group.replicas;
    const before = group.store.leases.get('web-shard-1-of-2')?.spec?.holderIdentity;
    group.worksNoMore = true;
    await group.advance(1_000);
    expect(before).toBe('r0');
    expect(String(replica?.outcome)).toContain('disk full');
    expect(group.store.leases.get('web-shard-1-of-2')?.spec?.holderIdentity).toBe('r0');
  });

  it.each([
    [2, 4],
    [4, 2],
    [8, 3],
  ])('that split into %d wait for the last of those that split into %d', async (newShards, oldShards) => {
    const group = await settled(oldShards, 2);
    const [first, second] = group.replicas;
    const newcomers = [group.join(newShards), group.join(newShards)];
    await group.advance(5_000);
    first?.stop();
    await group.advance(3_000);
    expect(newcomers.flatMap(({ held }) => held)).toEqual([]);
    expect(second?.held).toHaveLength(oldShards);
    second?.stop();
    await group.advance(6_000);
    expect(newcomers.flatMap(({ held }) => held)).toHaveLength(newShards);
    expect(await group.neglected()).toEqual([]);
    expect(group.violations).toEqual([]);
  });

  it('see one again that they took for dead', async () => {
    const group = await settled(3, 2);
    const [first] = group.replicas as [Replica];
    first.isShownNoMore = true;
    await group.advance(6_000);
    expect(heldBy(...group.replicas)).not.toContain('');
    const seen = (): string[] =>
      [...group.store.leases.values()].flatMap(({ metadata, spec }) =>
        metadata.name.includes('replica') && spec?.holderIdentity === 'r0' ? [spec.renewTime ?? ''] : [],
      );
    first.isShownNoMore = false;
    await group.advance(3_000);
    const [before] = seen();
    await group.advance(1_000);
    expect(seen()).not.toEqual([before]);
    expect(first.outcome).toBe('running');
  });

  it('keep a leader without shards waiting until the last of them is gone', async () => {
    const group = await settled(4, 2);
    let leads = false;
    const stop = new AbortController();
    const leader = new LeaderElector(group.store.clientOf('leader'), {
      namespace: 'system',
      name: 'web',
      identity: 'leader',
      clock: group.clock,
      wallNow: group.clock.wallNow,
      leaseMs: 3_000,
      renewDeadlineMs: 2_000,
      retryMs: 500,
    });
    const led = leader.run(stop.signal, async () => {
      leads = true;
      await aborted(stop.signal);
    });
    group.replicas[0]?.stop();
    await group.advance(8_000);
    expect(leads).toBe(false);
    group.replicas[1]?.stop();
    await group.advance(1_500);
    const written = NAMESPACES.map((each) => group.countOf(each));
    await group.advance(4_000);
    expect(leads).toBe(true);
    expect(NAMESPACES.map((each) => group.countOf(each))).toEqual(written);
    stop.abort();
    await led;
  });

  it('delete the lease of one that is gone', async () => {
    const group = await settled(2, 2);
    const replicas = (): number => [...group.store.leases.keys()].filter((name) => name.includes('replica')).length;
    group.replicas[1]?.kill();
    await group.advance(2_000);
    expect(replicas()).toBe(2);
    await group.advance(1_500);
    expect(replicas()).toBe(1);
  });

  it('give one that comes in place of a dead one its share as soon as that one counts as dead', async () => {
    const group = await settled(4, 2);
    group.replicas[0]?.kill();
    await group.advance(2_500);
    // Named so that it comes after the dead one, for which it would leave a share if it took that one for alive.
    group.join(4);
    await group.advance(2_500);
    expect(heldBy(...group.replicas.slice(1))).toEqual([
      expect.stringMatching(/^\d,\d$/),
      expect.stringMatching(/^\d,\d$/),
    ]);
    expect(await group.neglected()).toEqual([]);
    expect(group.violations).toEqual([]);
  });
});

const MOST = 4;

type Step =
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'join' }
  | { readonly do: 'freeze' | 'kill' | 'stop' | 'blind'; readonly who: number }
  | { readonly do: 'thaw'; readonly who: number; readonly lastFirst: boolean }
  | { readonly do: 'fault'; readonly who: number; readonly fault: Fault };

const who = fc.nat({ max: MOST - 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 50, max: 5_000 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('freeze' as const, 'blind' as const), who }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('thaw' as const), who, lastFirst: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('join' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('kill' as const, 'stop' as const), who }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('fault' as const),
      who,
      fault: fc.constantFrom<Fault>('none', 'refuse', 'loseAnswer', 'hang'),
    }),
  },
);
const course = fc.record({
  shards: fc.integer({ min: 1, max: 6 }),
  steps: fc.array(step, { minLength: 5, maxLength: 25 }),
});

async function play(group: Group, shards: number, steps: readonly Step[]): Promise<void> {
  group.join(shards);
  group.join(shards);
  for (const each of steps) {
    if (each.do === 'wait') await group.advance(each.ms);
    else if (each.do !== 'join') befall(group.replicas[each.who], each);
    else if (group.replicas.length < MOST) group.join(shards);
  }
}

function befall(replica: Replica | undefined, event: Exclude<Step, { readonly do: 'wait' | 'join' }>): void {
  if (replica === undefined) return;
  if (event.do === 'fault') replica.fault = event.fault;
  else if (event.do === 'thaw') replica.thaw(event.lastFirst);
  else if (event.do === 'blind') replica.isBlind = true;
  else replica[event.do]();
}

/** Everything that still runs sees and reaches the API server again; a fresh replica comes for each that has ended. */
async function calm(group: Group, shards: number): Promise<void> {
  for (const replica of group.replicas) {
    replica.fault = 'none';
    replica.thaw(false);
  }
  await group.advance(1_000);
  group.join(shards);
  await group.advance(20_000);
}

describe('on any course of events', () => {
  it('there is one holder at a time, nothing is planned before it is fresh, and in the end all is shared evenly', async () => {
    await fc.assert(
      fc.asyncProperty(course, async ({ shards, steps }) => {
        const group = new Group();
        await play(group, shards, steps);
        await calm(group, shards);
        expect(group.violations).toEqual([]);
        const live = group.replicas.filter(({ isAlive }) => isAlive);
        const counts = live.map(({ held }) => held.length);
        expect(live.flatMap(({ held }) => held).sort()).toEqual(Array.from({ length: shards }, (_, index) => index));
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
        expect(await group.neglected()).toEqual([]);
      }),
      { numRuns: Number(process.env.RUNS ?? 25), endOnFailure: true },
    );
  }, 120_000);
});

describe('a planted defect is seen', () => {
  async function playWith(defect: Defect): Promise<{ violations: readonly string[]; neglected: readonly string[] }> {
    const group = new Group(defect);
    group.join(2);
    group.join(2);
    await group.advance(2_000);
    group.replicas[0]?.freeze();
    await group.advance(6_000);
    group.replicas[0]?.thaw(true);
    group.join(4);
    await group.advance(3_000);
    return { violations: group.violations, neglected: await group.neglected() };
  }

  it('and without one nothing is', async () => {
    expect(await playWith('none')).toEqual({ violations: [], neglected: [] });
  });

  it.each([
    ['no fence', /two holders/],
    ['no group lease', /two holders/],
    ['plans before fresh', /before it is fresh/],
  ] as const)('%s', async (defect, words) => {
    expect((await playWith(defect)).violations.join('\n')).toMatch(words);
  });

  it('a gap between ranges', async () => {
    expect((await playWith('a gap between ranges')).neglected).not.toEqual([]);
  });
});
