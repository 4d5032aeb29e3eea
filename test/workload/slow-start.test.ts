import { describe, expect, it } from '@jest/globals';
import { batchSizes, GrantedWrites, slowStart } from '../../src/workload/slow-start.ts';

/** Succeeds `limit` times, then fails. */
function failingAfter(limit: number) {
  const calls: number[] = [];
  const attempt = async (index: number): Promise<void> => {
    calls.push(index);
    if (calls.length > limit) throw new Error(`attempt ${index} refused`);
  };
  return { calls, attempt };
}

describe('replica_set_test.go TestSlowStartBatch', () => {
  it.each([
    { name: 'callLimit = 0', count: 10, limit: 0, succeeded: 0, called: 1, failed: 1 },
    { name: 'callLimit = count', count: 10, limit: 10, succeeded: 10, called: 10, failed: 0 },
    { name: 'callLimit < count', count: 10, limit: 5, succeeded: 5, called: 7, failed: 2 },
    { name: 'nothing to do', count: 0, limit: 0, succeeded: 0, called: 0, failed: 0 },
  ])('$name: $succeeded of $called calls', async ({ count, limit, succeeded, called, failed }) => {
    const { calls, attempt } = failingAfter(limit);
    const result = await slowStart(count, attempt);
    expect(result).toEqual({ succeeded, failures: expect.any(Array), skipped: count - called });
    expect(result.failures).toHaveLength(failed);
    expect(calls).toEqual(Array.from({ length: called }, (_, index) => index));
  });

  it('starts a batch only when the one before it has ended', async () => {
    const running: number[] = [];
    let inFlight = 0;
    await slowStart(7, async () => {
      inFlight += 1;
      running.push(inFlight);
      await Promise.resolve();
      inFlight -= 1;
    });
    expect(running).toEqual([1, 1, 2, 1, 2, 3, 4]);
  });

  it('keeps what the failures were', async () => {
    const { failures } = await slowStart(3, failingAfter(1).attempt);
    expect(failures).toEqual([new Error('attempt 1 refused'), new Error('attempt 2 refused')]);
  });
});

describe('replica_set_test.go TestControllerBurstReplicas: batches', () => {
  it.each([
    { count: 0, sizes: [] },
    { count: 1, sizes: [1] },
    { count: 10, sizes: [1, 2, 4, 3] },
    { count: 500, sizes: [1, 2, 4, 8, 16, 32, 64, 128, 245] },
  ])('$count pods in $sizes', ({ count, sizes }) => {
    expect([...batchSizes(count)]).toEqual(sizes);
  });

  it('can begin with more than one', () => {
    expect([...batchSizes(10, 4)]).toEqual([4, 6]);
  });
});

describe('what was granted lately', () => {
  const went = (succeeded: number, failed = 0) => ({
    succeeded,
    failures: Array.from({ length: failed }, () => new Error('refused')),
    skipped: 0,
  });

  it('lets the next series in the same namespace begin with as many, and no other', () => {
    const granted = new GrantedWrites();
    expect(granted.firstBatch('shop')).toBe(1);
    granted.note('shop', went(5));
    granted.note('shop', went(3));
    expect(granted.firstBatch('shop')).toBe(5);
    expect(granted.firstBatch('other')).toBe(1);
  });

  it('is remembered of several namespaces', () => {
    const granted = new GrantedWrites();
    granted.note('shop', went(5));
    granted.note('other', went(7));
    expect([granted.firstBatch('shop'), granted.firstBatch('other')]).toEqual([5, 7]);
  });

  it('never makes so many at once that a refusal costs hundreds', () => {
    const granted = new GrantedWrites();
    granted.note('shop', went(500));
    expect(granted.firstBatch('shop')).toBe(64);
  });

  it('is forgotten with the first refusal', () => {
    const granted = new GrantedWrites();
    granted.note('shop', went(500));
    granted.note('shop', went(10, 1));
    expect(granted.firstBatch('shop')).toBe(1);
  });

  it('is remembered of a bounded number of namespaces', () => {
    const granted = new GrantedWrites();
    for (let index = 0; index < 1000; index++) granted.note(`team-${index}`, went(5));
    granted.note('team-999', went(5));
    expect(granted.firstBatch('team-0')).toBe(5);
    granted.note('team-1000', went(5));
    expect(granted.firstBatch('team-0')).toBe(1);
    expect(granted.firstBatch('team-1000')).toBe(5);
  });
});
