// The promise of an election, on any course of events: processes that freeze and wake, die, stop, lose requests and
// answers, with wall clocks that disagree. A writer tries to write all the time in each of them. Once the writes of one
// process have given way to those of another, they never come back.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LeaderElector } from '../../../src/runtime/leader-election/elector.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { type Fault, LeaseServer } from './lease-server.ts';
import { ProcessClock } from './process-clock.ts';

const REPLICAS = 3;
const WRITE_EVERY_MS = 400;

class Process {
  readonly clock: ProcessClock;
  readonly #stop = new AbortController();
  readonly #finish = Promise.withResolvers<void>();
  #alive = true;

  constructor(server: LeaseServer, clock: FakeClock, who: string, write: () => void) {
    this.clock = new ProcessClock(clock);
    const skewMs = who.charCodeAt(0) * 1_000_000;
    const elector = new LeaderElector(server.clientOf(who), {
      namespace: 'default',
      name: 'operator',
      identity: who,
      clock: this.clock,
      wallNow: () => clock.wallNow() + skewMs,
      leaseMs: 3_000,
      renewDeadlineMs: 2_000,
      retryMs: 500,
    });
    // How it ends is not what this test is about.
    elector.run(this.#stop.signal, () => this.#finish.promise).catch(() => {});
    this.#writeForever(elector, write);
  }

  stop(): void {
    this.#stop.abort();
    this.#finish.resolve();
  }

  kill(): void {
    this.#alive = false;
    this.clock.freeze();
  }

  thaw(lastFirst: boolean): void {
    if (this.#alive) this.clock.thaw(lastFirst);
  }

  #writeForever(elector: LeaderElector, write: () => void): void {
    this.clock.after(WRITE_EVERY_MS, () => {
      try {
        elector.fence.gate?.();
        write();
      } catch {
        // Not the leader: nothing is written.
      }
      this.#writeForever(elector, write);
    });
  }
}

type Step =
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'freeze' | 'kill' | 'stop'; readonly who: number }
  | { readonly do: 'thaw'; readonly who: number; readonly lastFirst: boolean }
  | { readonly do: 'fault'; readonly who: number; readonly fault: Fault };

const who = fc.nat({ max: REPLICAS - 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 5_000 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('freeze' as const), who }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('thaw' as const), who, lastFirst: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('kill' as const, 'stop' as const), who }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('fault' as const),
      who,
      fault: fc.constantFrom<Fault>('none', 'refuse', 'loseAnswer', 'hang'),
    }),
  },
);

/** Who wrote, one letter for each run of writes by the same process. */
async function writersOf(steps: readonly Step[]): Promise<string[]> {
  const clock = new FakeClock();
  const server = new LeaseServer();
  const faults = Array<Fault>(REPLICAS).fill('none');
  const names = ['a', 'b', 'c'];
  server.fault = (name) => faults[names.indexOf(name)] ?? 'none';
  const writers: string[] = [];
  const processes = names.map((name) => {
    return new Process(server, clock, name, () => {
      if (writers.at(-1) !== name) writers.push(name);
    });
  });
  for (const each of steps) {
    if (each.do === 'wait') await clock.advance(each.ms);
    else if (each.do === 'fault') faults[each.who] = each.fault;
    else if (each.do === 'thaw') processes[each.who]?.thaw(each.lastFirst);
    else if (each.do === 'freeze') processes[each.who]?.clock.freeze();
    else processes[each.who]?.[each.do]();
  }
  return writers;
}

describe('never two writers', () => {
  it('holds on any course of events', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        const writers = await writersOf(steps);
        expect(new Set(writers).size).toBe(writers.length);
      }),
      { numRuns: 200 },
    );
  });

  it.each(['freeze', 'kill', 'stop'] as const)(
    'is not held by nobody writing: another goes on after %s',
    async (event) => {
      const writers = await writersOf([
        { do: 'wait', ms: 1_000 },
        { do: event, who: 0 },
        { do: 'wait', ms: 5_000 },
      ]);
      expect(writers).toEqual(['a', expect.stringMatching(/^[bc]$/)]);
    },
  );
});
