import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { WorkQueue } from '../../../src/runtime/queue/queue.ts';
import { FakeClock, settle } from '../../support/fake-clock.ts';
import { NaiveQueue } from './naive-queue.ts';

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const priority = fc.constantFrom(-100, 0, 0, 0, 5);
const ms = fc.integer({ min: 0, max: 30 });

const step = fc.oneof(
  fc.record({ do: fc.constant('add' as const), key, priority }),
  fc.record({ do: fc.constant('addAfter' as const), key, priority, ms }),
  fc.record({ do: fc.constant('addPaced' as const), key, priority, ms }),
  fc.record({ do: fc.constant('addRateLimited' as const), key, priority }),
  fc.record({ do: fc.constant('forget' as const), key }),
  { weight: 3, arbitrary: fc.constant({ do: 'get' as const }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('done' as const), nth: fc.nat({ max: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('advance' as const), ms }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** The real queue on a fake clock, with a record of what it handed out, and of any key that was out twice at once. */
class Bench {
  readonly clock = new FakeClock(0);
  readonly queue = new WorkQueue({ clock: this.clock });
  readonly handedOut: string[] = [];
  readonly outNow = new Set<string>();
  readonly outTwice: string[] = [];

  get(): void {
    void this.queue.get().then((taken) => {
      if (taken === undefined) return;
      if (this.outNow.has(taken.key)) this.outTwice.push(taken.key);
      this.outNow.add(taken.key);
      this.handedOut.push(`${taken.key}@${taken.priority}`);
    });
  }

  done(key: string): void {
    this.outNow.delete(key);
    this.queue.done(key);
  }
}

async function run(step: Step, real: Bench, naive: NaiveQueue): Promise<void> {
  switch (step.do) {
    case 'add':
      real.queue.add(step.key, step.priority);
      return naive.add(step.key, step.priority);
    case 'addAfter':
      real.queue.addAfter(step.key, step.ms, step.priority);
      return naive.addAfter(step.key, step.ms, step.priority);
    case 'addPaced':
      real.queue.addPaced(step.key, step.ms, step.priority);
      return naive.addAfter(step.key, step.ms, step.priority);
    case 'addRateLimited':
      real.queue.addRateLimited(step.key, step.priority);
      return naive.addRateLimited(step.key, step.priority);
    case 'forget':
      real.queue.forget(step.key);
      return naive.forget(step.key);
    case 'get':
      real.get();
      return naive.get();
    case 'done': {
      const finished = [...naive.inWork][step.nth % Math.max(1, naive.inWork.size)];
      if (finished === undefined) return;
      real.done(finished);
      return naive.done(finished);
    }
    case 'advance':
      await real.clock.advance(step.ms);
      return naive.advance(step.ms);
  }
}

describe('any interleaving of adds, delays, work and time', () => {
  it('hands out the same keys in the same order as a naive queue', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
        const real = new Bench();
        const naive = new NaiveQueue();
        for (const each of steps) {
          await run(each, real, naive);
          await settle();
          expect(real.outTwice).toEqual([]);
          expect(real.handedOut).toEqual(naive.handedOut);
          expect(new Set(real.queue.inWork)).toEqual(naive.inWork);
          expect(real.queue.size).toBe(naive.ready.length + naive.again.size);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('loses no key: each is handed out after it was last added', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
        const real = new Bench();
        const naive = new NaiveQueue();
        const lastAdded = new Map<string, number>();
        for (const each of steps) {
          if (each.do.startsWith('add') && 'key' in each) lastAdded.set(each.key, real.handedOut.length);
          await run(each, real, naive);
          await settle();
        }
        await workEverything(real);
        for (const [key, before] of lastAdded) {
          expect(real.handedOut.slice(before).some((entry) => entry.startsWith(`${key}@`))).toBe(true);
        }
        expect(real.queue.size).toBe(0);
        expect(real.clock.timers).toBe(0);
      }),
      { numRuns: 200 },
    );
  });
});

/** Works until nothing waits any more, however far ahead its date is. */
async function workEverything(bench: Bench): Promise<void> {
  for (let round = 0; round < 12; round++) {
    for (const key of [...bench.outNow]) bench.done(key);
    await bench.clock.advance(10_000_000);
    bench.get();
    await settle();
  }
}
