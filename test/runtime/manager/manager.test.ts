import { beforeEach, describe, expect, it } from '@jest/globals';
import { LeadershipLost } from '../../../src/runtime/leader-election/tenure.ts';
import { Manager, type ManagerOptions } from '../../../src/runtime/manager/manager.ts';
import type { Phase, Runnable } from '../../../src/runtime/manager/runnable.ts';
import { FakeClock, settle } from '../../support/fake-clock.ts';

/** A part that writes into a diary what happens to it, and does what the test tells it. */
class Part implements Runnable {
  readonly name: string;
  readonly phase: Phase;
  readonly becomesReady = Promise.withResolvers<void>();
  readonly fails = Promise.withResolvers<never>();
  readonly mayEnd = Promise.withResolvers<void>();
  readonly #diary: string[];
  killedBecause: unknown;

  constructor(diary: string[], phase: Phase, name: string) {
    this.#diary = diary;
    this.phase = phase;
    this.name = name;
  }

  async start(stop: AbortSignal, kill: AbortSignal): Promise<void> {
    this.#diary.push(`${this.name} starts`);
    kill.addEventListener('abort', () => {
      this.killedBecause = kill.reason;
    });
    const stopped = new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve()));
    await Promise.race([stopped, this.fails.promise]);
    this.#diary.push(`${this.name} stops`);
    await this.mayEnd.promise;
    this.#diary.push(`${this.name} ends`);
  }

  ready(): Promise<void> {
    return this.becomesReady.promise;
  }
}

/** An election that the test decides. */
class Election {
  readonly won = Promise.withResolvers<void>();
  readonly lost = new AbortController();
  readonly #diary: string[];

  constructor(diary: string[]) {
    this.#diary = diary;
  }

  async run(signal: AbortSignal, lead: (lost: AbortSignal) => Promise<void>): Promise<void> {
    const stopped = new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('stopped')));
    if ((await Promise.race([this.won.promise, stopped])) === 'stopped') return;
    await lead(this.lost.signal);
    this.lost.signal.throwIfAborted();
    this.#diary.push('lease released');
    this.lost.abort(new LeadershipLost('released'));
  }
}

const PHASES: readonly Phase[] = ['servers', 'webhooks', 'caches', 'standby', 'leader'];

describe('a manager', () => {
  let clock: FakeClock;
  let diary: string[];
  let stop: AbortController;
  let parts: Record<Phase, Part>;
  let outcome: unknown;

  const run = (options: ManagerOptions = {}, more: readonly Runnable[] = []): void => {
    const manager = new Manager({ clock, ...options });
    // Added in the wrong order: the phase decides, not the order.
    for (const part of [...Object.values(parts).reverse(), ...more]) manager.add(part);
    outcome = 'running';
    manager.run(stop.signal).then(
      () => {
        outcome = 'stopped';
      },
      (error) => {
        outcome = error;
      },
    );
  };
  const allReady = (): void => {
    for (const part of Object.values(parts)) part.becomesReady.resolve();
  };
  const allMayEnd = (): void => {
    for (const part of Object.values(parts)) part.mayEnd.resolve();
  };

  beforeEach(() => {
    clock = new FakeClock();
    diary = [];
    stop = new AbortController();
    parts = Object.fromEntries(PHASES.map((phase) => [phase, new Part(diary, phase, phase)])) as Record<Phase, Part>;
  });

  it('starts each phase when the one before it is ready', async () => {
    run();
    for (const [index, phase] of PHASES.entries()) {
      await settle();
      expect(diary).toEqual(PHASES.slice(0, index + 1).map((name) => `${name} starts`));
      parts[phase].becomesReady.resolve();
    }
  });

  it('stops in the reverse order, each phase when the one after it has ended', async () => {
    run();
    allReady();
    await settle();
    diary.length = 0;
    stop.abort();
    const expected: string[] = [];
    for (const phase of PHASES.toReversed()) {
      expected.push(`${phase} stops`);
      await settle();
      expect(diary).toEqual(expected);
      parts[phase].mayEnd.resolve();
      expected.push(`${phase} ends`);
    }
    await settle();
    expect(outcome).toBe('stopped');
    expect(parts.leader.killedBecause).toBeUndefined();
    expect(clock.timers).toBe(0);
  });

  it('keeps a replica that does not lead warm: everything runs but what only the leader does', async () => {
    const elector = new Election(diary);
    run({ elector });
    allReady();
    await settle();
    expect(diary).toEqual(['servers starts', 'webhooks starts', 'caches starts', 'standby starts']);
    elector.won.resolve();
    await settle();
    expect(diary.at(-1)).toBe('leader starts');
  });

  it('gives the lease away when the leader’s parts have ended, and before anything else stops', async () => {
    const elector = new Election(diary);
    run({ elector });
    allReady();
    elector.won.resolve();
    await settle();
    diary.length = 0;
    stop.abort();
    allMayEnd();
    await settle();
    expect(diary.slice(0, 4)).toEqual(['leader stops', 'leader ends', 'lease released', 'standby stops']);
    expect(outcome).toBe('stopped');
  });

  it('stops a replica that waits for leadership', async () => {
    run({ elector: new Election(diary) });
    allReady();
    allMayEnd();
    await settle();
    stop.abort();
    await settle();
    expect(outcome).toBe('stopped');
    expect(diary).not.toContain('leader starts');
  });

  it('stops everything and rejects when leadership is lost, without time for what is under way', async () => {
    const elector = new Election(diary);
    const loss = new LeadershipLost('taken');
    run({ elector });
    allReady();
    allMayEnd();
    elector.won.resolve();
    await settle();
    elector.lost.abort(loss);
    await settle();
    expect(outcome).toBe(loss);
    expect(parts.leader.killedBecause).toBe(loss);
    expect(diary.at(-1)).toBe('servers ends');
  });

  it.each(PHASES)('stops everything when a part of "%s" fails, and rejects with its error', async (phase) => {
    run();
    allReady();
    allMayEnd();
    await settle();
    const cause = new Error('broken pipe');
    parts[phase].fails.reject(cause);
    await settle();
    expect(outcome).toEqual(new Error(`"${phase}" failed: broken pipe`));
    expect((outcome as Error).cause).toBe(cause);
    const others = PHASES.filter((other) => other !== phase);
    expect(diary).toEqual(expect.arrayContaining(others.map((other) => `${other} ends`)));
  });

  it('does not wait for parts to become ready once one of them has failed', async () => {
    run();
    await settle();
    allMayEnd();
    parts.servers.fails.reject(new Error('port is taken'));
    await settle();
    expect(outcome).toEqual(new Error('"servers" failed: port is taken'));
    expect(diary).toEqual(['servers starts']);
  });

  it('fails when a part cannot become ready', async () => {
    run();
    await settle();
    allMayEnd();
    parts.servers.becomesReady.reject(new Error('no certificate'));
    await settle();
    expect(outcome).toEqual(new Error('no certificate'));
  });

  it('rejects with what failed first', async () => {
    run();
    allReady();
    await settle();
    parts.caches.fails.reject(new Error('first'));
    parts.servers.fails.reject(new Error('second'));
    allMayEnd();
    await settle();
    expect(outcome).toEqual(new Error('"caches" failed: first'));
  });

  it('lets parts end by themselves', async () => {
    run({}, [{ name: 'once', phase: 'caches', start: () => Promise.resolve() }]);
    allReady();
    await settle();
    expect([outcome, diary.at(-1)]).toEqual(['running', 'leader starts']);
  });

  it('names what has not stopped within the grace period, and kills it', async () => {
    run({ gracePeriodMs: 30_000 });
    allReady();
    await settle();
    stop.abort();
    parts.leader.mayEnd.resolve();
    await clock.advance(29_999);
    expect([outcome, parts.standby.killedBecause]).toEqual(['running', undefined]);
    await clock.advance(1);
    expect(outcome).toEqual(new Error('not stopped within 30000 ms: servers, webhooks, caches, standby'));
    expect(parts.standby.killedBecause).toBe(outcome);
  });

  it('starts nothing when it is told to stop before it starts', async () => {
    stop.abort();
    run();
    await settle();
    expect([outcome, diary]).toEqual(['stopped', []]);
  });

  it('takes parts before it runs only, and runs once only', async () => {
    const manager = new Manager({ clock });
    const running = manager.run(stop.signal);
    expect(() => manager.add(parts.caches)).toThrow('cannot add "caches": the manager was started');
    await expect(manager.run(stop.signal)).rejects.toThrow('the manager was started before');
    stop.abort();
    await running;
  });
});
