import { beforeEach, describe, expect, it } from '@jest/globals';
import { LeaderElector } from '../../../src/runtime/leader-election/elector.ts';
import type { Lease } from '../../../src/runtime/leader-election/lease.ts';
import type { ElectionOptions } from '../../../src/runtime/leader-election/options.ts';
import { LeadershipLost } from '../../../src/runtime/leader-election/tenure.ts';
import { FakeClock, settle } from '../../support/fake-clock.ts';
import { LeaseServer } from './lease-server.ts';
import { ProcessClock } from './process-clock.ts';

const LEASE_MS = 15_000;
const DEADLINE_MS = 10_000;
const RETRY_MS = 2_000;

/** One process: its elector, whether its `lead` is running, and how it ended. */
class Replica {
  readonly elector: LeaderElector;
  readonly stop = new AbortController();
  readonly finish = Promise.withResolvers<void>();
  readonly master: boolean[] = [];
  slowPaths = 0;
  led = false;
  lost: AbortSignal | undefined;
  outcome: unknown = 'running';

  constructor(server: LeaseServer, clock: FakeClock, identity: string, options: Partial<ElectionOptions> = {}) {
    this.elector = new LeaderElector(server.clientOf(identity), {
      namespace: 'default',
      name: 'operator',
      identity,
      clock,
      wallNow: clock.wallNow,
      random: () => 0,
      observer: {
        leading: (_, leading) => this.master.push(leading),
        slowPath: () => {
          this.slowPaths++;
        },
      },
      ...options,
    });
    const lead = async (lost: AbortSignal): Promise<void> => {
      this.led = true;
      this.lost = lost;
      await this.finish.promise;
    };
    this.elector.run(this.stop.signal, lead).then(
      () => {
        this.outcome = 'ended';
      },
      (error) => {
        this.outcome = error;
      },
    );
  }
}

describe('leader election', () => {
  let clock: FakeClock;
  let server: LeaseServer;
  const replica = (identity: string, options?: Partial<ElectionOptions>): Replica =>
    new Replica(server, clock, identity, options);

  beforeEach(() => {
    clock = new FakeClock();
    server = new LeaseServer();
  });

  it('elects the first who comes, and only that one', async () => {
    const [a, b] = [replica('a'), replica('b')];
    await clock.advance(60_000);
    expect([a.led, b.led]).toEqual([true, false]);
    expect([a.elector.leading, b.elector.leading]).toEqual([true, false]);
    expect(server.lease?.spec).toMatchObject({ holderIdentity: 'a', leaseTransitions: 0, leaseDurationSeconds: 15 });
    expect([a.master, b.master]).toEqual([[false, true], [false]]);
  });

  it('renews every retry period with one request', async () => {
    replica('a');
    await settle();
    server.requests.length = 0;
    await clock.advance(5 * RETRY_MS);
    expect(server.requests.map(({ verb }) => verb)).toEqual(Array(5).fill('update'));
  });

  it('lets a candidate take over when the leader has been silent for its whole lease, not before', async () => {
    replica('a');
    await clock.advance(30_000);
    const b = replica('b');
    await settle();
    server.fault = (who) => (who === 'a' ? 'refuse' : 'none');
    await clock.advance(LEASE_MS - RETRY_MS);
    expect(b.led).toBe(false);
    await clock.advance(2 * RETRY_MS);
    expect(b.led).toBe(true);
    expect(server.lease?.spec).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 });
  });

  it('stops leading before a candidate may begin', async () => {
    const a = replica('a');
    await settle();
    server.fault = () => 'refuse';
    await clock.advance(DEADLINE_MS - 1);
    expect(a.lost?.aborted).toBe(false);
    await clock.advance(1);
    expect(a.lost?.aborted).toBe(true);
    expect(() => a.elector.fence.gate?.()).toThrow('not the leader');
    a.finish.resolve();
    await settle();
    expect(a.outcome).toEqual(new LeadershipLost('lease was not renewed within 10000 ms'));
    expect(a.master).toEqual([false, true, false]);
    expect(clock.timers).toBe(0);
  });

  it('sends nothing more after the loss', async () => {
    const a = replica('a');
    await settle();
    server.fault = () => 'refuse';
    await clock.advance(DEADLINE_MS);
    server.requests.length = 0;
    a.finish.resolve();
    await clock.advance(60_000);
    expect(server.requests).toEqual([]);
  });

  it('sends nothing, not even a renewal, when it wakes from a freeze longer than its deadline', async () => {
    const process = new ProcessClock(clock);
    const a = replica('a', { clock: process });
    await settle();
    process.freeze();
    await clock.advance(DEADLINE_MS);
    server.requests.length = 0;
    process.thaw(false);
    await settle();
    expect(a.lost?.aborted).toBe(true);
    expect(server.requests).toEqual([]);
  });

  it('survives requests that fail for less than the renew deadline', async () => {
    const a = replica('a');
    await settle();
    server.fault = () => 'refuse';
    await clock.advance(DEADLINE_MS - RETRY_MS - 1);
    server.fault = () => 'none';
    await clock.advance(60_000);
    expect(a.elector.leading).toBe(true);
    expect(a.slowPaths).toBeGreaterThan(0);
  });

  it('survives answers that are lost, by looking at what was stored', async () => {
    let requests = 0;
    server.fault = (_, verb) => (verb !== 'get' && requests++ % 2 === 0 ? 'loseAnswer' : 'none');
    const a = replica('a');
    await clock.advance(60_000);
    expect(a.led).toBe(true);
    expect(a.elector.leading).toBe(true);
    expect(server.lease?.spec?.leaseTransitions).toBe(0);
  });

  it('is not confused by others who write to the same object', async () => {
    const a = replica('a');
    await clock.advance(5_000);
    const { lease } = server;
    if (lease === undefined) throw new Error('no lease');
    server.lease = { ...lease, metadata: { ...lease.metadata, resourceVersion: 'annotated' } };
    await clock.advance(60_000);
    expect(a.elector.leading).toBe(true);
    expect(a.slowPaths).toBe(1);
  });

  it('is lost at once when the record names somebody else', async () => {
    const a = replica('a');
    await settle();
    const { lease } = server;
    if (lease === undefined) throw new Error('no lease');
    const metadata = { ...lease.metadata, resourceVersion: 'stolen' };
    server.lease = { ...lease, metadata, spec: { ...lease.spec, holderIdentity: 'thief' } };
    await clock.advance(RETRY_MS);
    a.finish.resolve();
    await settle();
    expect(a.outcome).toEqual(new LeadershipLost('lease was taken by "thief"'));
    expect(server.lease.spec?.holderIdentity).toBe('thief');
  });

  it('gives the lease away when `lead` is done, so that the next one need not wait for it to expire', async () => {
    const [a, b] = [replica('a'), replica('b')];
    await settle();
    a.finish.resolve();
    await settle();
    expect(a.outcome).toBe('ended');
    expect(server.lease?.spec).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1 });
    expect(() => a.elector.fence.gate?.()).toThrow('not the leader');
    await clock.advance(RETRY_MS);
    expect(b.led).toBe(true);
    expect(server.lease?.spec).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 });
  });

  it('renews while `lead` winds down, however long that takes', async () => {
    const [a, b] = [replica('a'), replica('b')];
    await settle();
    a.stop.abort();
    await clock.advance(60_000);
    expect([a.elector.leading, b.led]).toEqual([true, false]);
  });

  it('passes the error of `lead` on, and gives the lease away', async () => {
    const a = replica('a');
    await settle();
    a.finish.reject(new Error('cannot lead'));
    await settle();
    expect(a.outcome).toEqual(new Error('cannot lead'));
    expect(server.lease?.spec?.holderIdentity).toBe('');
  });

  it('names the loss, not what failed because of it', async () => {
    const a = replica('a');
    await settle();
    server.fault = () => 'refuse';
    await clock.advance(DEADLINE_MS);
    a.finish.reject(new Error('write was abandoned'));
    await settle();
    expect(a.outcome).toBeInstanceOf(LeadershipLost);
  });

  it('stops campaigning when told to, without having led', async () => {
    replica('a');
    const b = replica('b');
    await clock.advance(5_000);
    b.stop.abort();
    await settle();
    expect([b.outcome, b.led]).toEqual(['ended', false]);
  });

  describe('of a shared lease', () => {
    const shared = { identity: 'group', shared: true };

    /** Whenever `b` has read the lease, it changes before `b` can write. */
    function alwaysQuicker(change: (lease: Lease) => Partial<Lease>): void {
      let changes = 0;
      server.fault = (who, verb) => {
        const { lease } = server;
        if (who !== 'b' || verb !== 'update' || lease === undefined) return 'none';
        const metadata = { ...lease.metadata, resourceVersion: `changed-${++changes}` };
        server.lease = { ...lease, ...change(lease), metadata };
        return 'none';
      };
    }

    async function holders(): Promise<Replica> {
      replica('a', shared);
      const b = replica('b', shared);
      await clock.advance(RETRY_MS);
      expect(b.led).toBe(true);
      return b;
    }

    it('counts the renewal of another holder, who is always quicker', async () => {
      const b = await holders();
      alwaysQuicker(({ spec }) => ({ spec: { ...spec, renewTime: new Date(clock.wallNow()).toISOString() } }));
      await clock.advance(60_000);
      expect(b.lost?.aborted).toBe(false);
    });

    it('does not count a change that is no renewal', async () => {
      const b = await holders();
      alwaysQuicker(() => ({}));
      await clock.advance(DEADLINE_MS + RETRY_MS);
      expect(b.lost?.reason).toBeInstanceOf(LeadershipLost);
    });

    it('does not count the renewal of another group', async () => {
      const b = await holders();
      alwaysQuicker(({ spec }) => ({ spec: { ...spec, holderIdentity: 'others', renewTime: `${clock.wallNow()}` } }));
      await clock.advance(DEADLINE_MS + RETRY_MS);
      expect(b.lost?.reason).toBeInstanceOf(LeadershipLost);
    });
  });

  it('gives up a request that hangs when told to stop', async () => {
    server.fault = () => 'hang';
    const a = replica('a');
    await settle();
    a.stop.abort();
    await settle();
    expect(a.outcome).toBe('ended');
    expect(clock.timers).toBe(0);
  });

  it('spreads candidates over the last quarter of the retry period', async () => {
    replica('a');
    const early = replica('early', { random: () => 0.999 });
    await settle();
    server.requests.length = 0;
    await clock.advance(1_501);
    expect(server.requests).toEqual([{ who: 'early', verb: 'get' }]);
    expect(early.led).toBe(false);
  });

  it.each([
    { options: { leaseMs: 1_500 }, refused: 'lease must be whole seconds' },
    { options: { leaseMs: 0 }, refused: 'lease must be whole seconds' },
    { options: { renewDeadlineMs: 15_000 }, refused: 'renew deadline must be shorter than the lease' },
    { options: { retryMs: 10_000 }, refused: 'retry must be shorter than the deadline' },
    { options: { retryMs: 0 }, refused: 'retry must be shorter than the deadline' },
    { options: { identity: '' }, refused: 'needs an identity' },
  ])('refuses settings that could give two leaders: $options', ({ options, refused }) => {
    const create = () => new LeaderElector(server.clientOf('a'), { namespace: 'x', name: 'y', ...options });
    expect(create).toThrow(refused);
  });
});
