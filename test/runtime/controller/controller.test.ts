import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, type ControllerOptions } from '../../../src/runtime/controller/controller.ts';
import { type ControllerObservers, silentObservers } from '../../../src/runtime/controller/observer.ts';
import {
  checkAgainAfter,
  checkAgainAt,
  done,
  notYet,
  type Reconcile,
  type Result,
  retry,
  TerminalError,
} from '../../../src/runtime/controller/result.ts';
import { silentQueueObserver } from '../../../src/runtime/queue/observer.ts';
import { FakeClock, settle } from '../../support/fake-clock.ts';
import { FakeSource, object, pods } from './fake-source.ts';

let clock: FakeClock;
let source: FakeSource;
let stop: AbortController;
let kill: AbortController;
let running: Promise<void>;

beforeEach(() => {
  clock = new FakeClock();
  source = new FakeSource();
  stop = new AbortController();
  kill = new AbortController();
  running = Promise.resolve();
});

afterEach(async () => {
  stop.abort();
  kill.abort();
  await running;
  expect(source.handlers).toBe(0);
});

function controller(reconcile: Reconcile, options: Partial<ControllerOptions> = {}): Controller {
  return new Controller({ name: 'widgets', reconcile, clock, wallNow: clock.wallNow, ...options }).for(source);
}

function run(reconcile: Reconcile, options: Partial<ControllerOptions> = {}): void {
  running = controller(reconcile, options).start(stop.signal, kill.signal);
}

/** Runs a controller that writes down its keys and answers with `results` in turn, then with done. */
function runRecording(options: Partial<ControllerOptions> = {}, ...results: readonly (Result | Error)[]): string[] {
  const calls: string[] = [];
  run(async (key) => {
    const result = results[calls.push(key) - 1] ?? done;
    if (result instanceof Error) throw result;
    return result;
  }, options);
  return calls;
}

/** Lets everything happen that needs no time to pass. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await settle();
}

async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let pending = true;
  void promise.then(() => {
    pending = false;
  });
  await quiet();
  return pending;
}

describe('start', () => {
  it('asks its sources to catch up when it is started, and not before', async () => {
    const elected = controller(async () => done);
    source.sync(object());
    await quiet();
    expect(source.catchUps).toBe(0);
    running = elected.start(stop.signal);
    expect(source.catchUps).toBe(1);
  });

  it('reconciles nothing before every source has caught up', async () => {
    const children = new FakeSource(pods);
    const calls: string[] = [];
    const both = controller(async (key) => {
      calls.push(key);
      return done;
    }).owns(children);
    running = both.start(stop.signal);
    source.sync(object());
    await quiet();
    expect(calls).toEqual([]);
    children.sync();
    await quiet();
    expect(calls).toEqual(['ns/w']);
  });

  it('can be stopped before the sources have caught up', async () => {
    run(async () => done);
    stop.abort();
    expect(await isPending(running)).toBe(false);
  });

  it('works on live changes before what the initial list brought', async () => {
    const calls = runRecording();
    source.sync(object({ name: 'listed-1' }), object({ name: 'listed-2' }));
    source.put(object({ name: 'live' }));
    await quiet();
    expect(calls).toEqual(['ns/live', 'ns/listed-1', 'ns/listed-2']);
  });

  it.each([0, -1, 1.5])('refuses %d workers', (workers) => {
    expect(() => controller(async () => done, { workers })).toThrow(
      `workers must be a whole number from 1, got ${workers}`,
    );
  });

  it('is for one kind, which has to be named before what it owns', () => {
    const options = { name: 'x', reconcile: async () => done };
    expect(() => new Controller(options).owns(new FakeSource(pods))).toThrow('say what it is for');
    expect(() => new Controller(options).for(source).for(new FakeSource(pods))).toThrow('is for Widget');
  });

  it('is started once', async () => {
    const once = controller(async () => done);
    running = once.start(stop.signal);
    await expect(once.start(stop.signal)).rejects.toThrow('has been started before');
  });
});

describe('sources', () => {
  it('reconciles the owner of what it owns, and whatever a mapping names', async () => {
    const children = new FakeSource(pods).sync();
    const nodes = new FakeSource({ ...pods, kind: 'Node', namespaced: false }).sync();
    const calls: string[] = [];
    running = controller(async (key) => {
      calls.push(key);
      return done;
    })
      .owns(children)
      .watches(
        nodes,
        (node) => [`ns/on-${node.metadata.name}`],
        (change) => change.object.metadata.name !== 'boring',
      )
      .start(stop.signal);
    source.sync();
    const owner = { apiVersion: 'test.io/v1', kind: 'Widget', name: 'parent', uid: 'u', controller: true };
    children.put(object({ name: 'child', ownerReferences: [owner] }));
    nodes.put(object({ name: 'n1' }));
    nodes.put(object({ name: 'boring' }));
    await quiet();
    expect(calls.sort()).toEqual(['ns/on-n1', 'ns/parent']);
  });

  it('works on the first changes at once, and on those that follow them together', async () => {
    const calls = runRecording({ paceMs: 100 });
    source.sync();
    source.put(object({ resourceVersion: '1' }));
    await quiet();
    expect(calls).toEqual(['ns/w']);
    for (let version = 2; version < 52; version++) {
      source.put(object({ resourceVersion: String(version) }));
      await clock.advance(1);
    }
    await quiet();
    expect(calls).toEqual(['ns/w', 'ns/w', 'ns/w']);
    await clock.advance(50);
    await quiet();
    expect(calls).toHaveLength(4);
  });

  it('counts only failures and what is looked at again as added with a delay, not changes that wait for the pace', async () => {
    const delayed: string[] = [];
    const queue = () => ({ ...silentQueueObserver, delayed: (key: string) => delayed.push(key) });
    const calls = runRecording({ paceMs: 100, metrics: { ...silentObservers, queue } });
    source.sync();
    for (let version = 1; version <= 20; version++) {
      source.put(object({ resourceVersion: String(version) }));
      await clock.advance(10);
      await quiet();
    }
    expect(calls.length).toBeGreaterThan(3);
    expect(delayed).toEqual([]);
  });
});

describe('outcomes', () => {
  it('checks again when the reconcile asked for it, and not before', async () => {
    const calls = runRecording({}, checkAgainAfter(500));
    source.sync(object());
    await quiet();
    await clock.advance(499);
    expect(calls).toHaveLength(1);
    await clock.advance(1);
    await quiet();
    expect(calls).toHaveLength(2);
  });

  it.each([
    { name: 'is set forwards past it', dueMs: 600_000, stepMs: 600_000, passMs: 0, backMs: 0 },
    { name: 'is set back, and right again later', dueMs: 60_000, stepMs: -600_000, passMs: 61_000, backMs: 600_000 },
  ])('reaches a date at most half a minute late when the wall clock $name', async (row) => {
    const due = clock.wallNow() + row.dueMs;
    let isReached = false;
    run(async () => {
      isReached = clock.wallNow() >= due;
      return isReached ? done : checkAgainAt(due);
    });
    source.sync(object());
    await quiet();
    clock.stepWall(row.stepMs);
    await clock.advance(row.passMs);
    expect(isReached).toBe(false);
    clock.stepWall(row.backMs);
    await clock.advance(30_000);
    await quiet();
    expect(isReached).toBe(true);
  });

  it.each([
    { name: 'a failure', again: new Error('broken') },
    { name: 'a wish to retry', again: retry('the cache lags') },
  ])('tries again after a growing delay upon $name', async ({ again }) => {
    const calls = runRecording({}, again, again, again);
    source.sync(object());
    await quiet();
    for (const [delay, count] of [
      [5, 2],
      [10, 3],
      [20, 4],
    ] as const) {
      await clock.advance(delay - 1);
      expect(calls).toHaveLength(count - 1);
      await clock.advance(1);
      await quiet();
      expect(calls).toHaveLength(count);
    }
  });

  it.each([
    { name: 'success', between: done },
    { name: 'a wish to check again', between: checkAgainAfter(1) },
    { name: 'a terminal error', between: new TerminalError('no use') },
  ])('starts back-off over after $name', async ({ between }) => {
    const failure = new Error('broken');
    const calls = runRecording({}, failure, failure, between, failure);
    source.sync(object());
    await clock.advance(20);
    await quiet();
    if (calls.length === 3) source.put(object({ resourceVersion: '2' }));
    await quiet();
    expect(calls).toHaveLength(4);
    await clock.advance(5);
    await quiet();
    expect(calls).toHaveLength(5);
  });

  it('goes on with back-off where it was when nothing was decided in between', async () => {
    const failure = new Error('broken');
    const calls = runRecording({}, failure, notYet(0), failure, notYet(1), failure);
    source.sync(object());
    await clock.advance(5);
    await quiet();
    expect(calls).toHaveLength(3);
    await clock.advance(9);
    expect(calls).toHaveLength(3);
    await clock.advance(2);
    await quiet();
    expect(calls).toHaveLength(5);
    await clock.advance(19);
    expect(calls).toHaveLength(5);
    await clock.advance(1);
    await quiet();
    expect(calls).toHaveLength(6);
  });

  it('does not try again upon a terminal error until something changes', async () => {
    const calls = runRecording({}, new TerminalError('no use'));
    source.sync(object());
    await clock.advance(10_000_000);
    expect(calls).toHaveLength(1);
    source.put(object({ resourceVersion: '2' }));
    await quiet();
    expect(calls).toHaveLength(2);
  });

  it('never gives a key up', async () => {
    const calls = runRecording({}, ...Array.from({ length: 40 }, () => new Error('broken')));
    source.sync(object());
    for (let i = 0; i < 40; i++) {
      await quiet();
      await clock.advance(1_000_000);
    }
    await quiet();
    expect(calls).toHaveLength(41);
  });

  it('goes on with other keys while one fails over and over', async () => {
    const calls: string[] = [];
    run(async (key) => {
      calls.push(key);
      if (key === 'ns/bad') throw new Error('broken');
      return done;
    });
    source.sync(object({ name: 'bad' }), object({ name: 'good' }));
    for (const backOffMs of [5, 10, 20]) {
      await quiet();
      await clock.advance(backOffMs);
    }
    source.put(object({ name: 'good', resourceVersion: '2' }));
    await quiet();
    expect(calls.filter((key) => key === 'ns/good')).toHaveLength(2);
    expect(calls.filter((key) => key === 'ns/bad')).toHaveLength(4);
  });
});

/** A reconcile whose calls end when the test says so. */
class Held {
  readonly started: string[] = [];
  readonly signals = new Map<string, AbortSignal>();
  readonly #ends = new Map<string, (result: Result) => void>();

  readonly reconcile: Reconcile = (key, { signal }) => {
    this.started.push(key);
    this.signals.set(key, signal);
    return new Promise((resolve) => this.#ends.set(key, resolve));
  };

  end(key: string, result: Result = done): void {
    this.#ends.get(key)?.(result);
  }
}

describe('workers', () => {
  it('work on as many keys at once as there are workers', async () => {
    const held = new Held();
    run(held.reconcile, { workers: 2 });
    source.sync(object({ name: 'a' }), object({ name: 'b' }), object({ name: 'c' }));
    await quiet();
    expect(held.started).toEqual(['ns/a', 'ns/b']);
    held.end('ns/b');
    await quiet();
    expect(held.started).toEqual(['ns/a', 'ns/b', 'ns/c']);
  });

  it('work on one key once at a time, and once more when it changed meanwhile', async () => {
    const held = new Held();
    run(held.reconcile, { workers: 3 });
    source.sync(object());
    await quiet();
    for (const resourceVersion of ['2', '3', '4']) source.put(object({ resourceVersion }));
    await quiet();
    expect(held.started).toHaveLength(1);
    held.end('ns/w');
    await quiet();
    expect(held.started).toHaveLength(2);
    held.end('ns/w');
    await quiet();
    expect(held.started).toHaveLength(2);
  });

  it('try a replayed key again after what has changed meanwhile', async () => {
    const held = new Held();
    run(held.reconcile);
    source.sync(object({ name: 'replayed' }), object({ name: 'blocker' }));
    await quiet();
    held.end('ns/replayed', retry('the cache lags'));
    await quiet();
    await clock.advance(5);
    source.put(object({ name: 'live' }));
    held.end('ns/blocker');
    await quiet();
    expect(held.started).toEqual(['ns/replayed', 'ns/blocker', 'ns/live']);
  });

  it('let the event loop turn while a backlog needs no I/O', async () => {
    let calls = 0;
    run(async () => {
      calls++;
      return done;
    });
    source.sync(...Array.from({ length: 1000 }, (_, i) => object({ name: `w${i}` })));
    await settle();
    await settle();
    expect(calls).toBeLessThan(10);
  });

  it('leave an overdue reconcile behind, but keep its key until it ends', async () => {
    const held = new Held();
    run(held.reconcile, { timeoutMs: 100 });
    source.sync(object({ name: 'stuck' }), object({ name: 'next' }));
    await quiet();
    await clock.advance(100);
    await quiet();
    expect(held.started).toEqual(['ns/stuck', 'ns/next']);
    expect(held.signals.get('ns/stuck')?.aborted).toBe(true);
    held.end('ns/next');
    source.put(object({ name: 'stuck', resourceVersion: '2' }));
    await quiet();
    expect(held.started).toHaveLength(2);
    held.end('ns/stuck');
    await quiet();
    expect(held.started).toEqual(['ns/stuck', 'ns/next', 'ns/stuck']);
  });
});

describe('stop', () => {
  it('begins nothing new, and waits for what is running', async () => {
    const held = new Held();
    run(held.reconcile);
    source.sync(object({ name: 'a' }), object({ name: 'b' }));
    await quiet();
    stop.abort();
    expect(await isPending(running)).toBe(true);
    expect(held.signals.get('ns/a')?.aborted).toBe(false);
    held.end('ns/a');
    expect(await isPending(running)).toBe(false);
    expect(held.started).toEqual(['ns/a']);
  });

  it('waits for an overdue reconcile, too', async () => {
    const held = new Held();
    run(held.reconcile, { timeoutMs: 100 });
    source.sync(object());
    await clock.advance(100);
    stop.abort();
    expect(await isPending(running)).toBe(true);
    held.end('ns/w');
    expect(await isPending(running)).toBe(false);
  });

  it.each([
    { name: 'after a stop', before: () => stop.abort() },
    { name: 'without one', before: () => {} },
  ])('aborts what is running and returns when killed $name', async ({ before }) => {
    const held = new Held();
    run(held.reconcile);
    source.sync(object());
    await quiet();
    before();
    kill.abort(new Error('leader no more'));
    expect(await isPending(running)).toBe(false);
    expect(held.signals.get('ns/w')?.reason).toEqual(new Error('leader no more'));
  });

  it('leaves no timer behind', async () => {
    runRecording({ timeoutMs: 1000 }, checkAgainAfter(60_000));
    source.sync(object());
    await quiet();
    expect(clock.timers).toBe(1);
    stop.abort();
    await running;
    expect(clock.timers).toBe(0);
  });
});

describe('metrics', () => {
  it('hear of every step of a reconcile', async () => {
    const steps: string[] = [];
    const metrics: ControllerObservers = {
      reconciles(controller, workers) {
        steps.push(`${controller} with ${workers}`);
        return {
          busy: () => steps.push('busy'),
          free: () => steps.push('free'),
          timedOut: () => steps.push('timed out'),
          finished: (outcome, durationMs) => steps.push(`${outcome.kind} after ${durationMs}`),
        };
      },
      queue: () => silentQueueObserver,
    };
    const held = new Held();
    run(held.reconcile, { metrics, workers: 2, timeoutMs: 100 });
    source.sync(object());
    await clock.advance(30);
    held.end('ns/w', retry('later'));
    await quiet();
    await clock.advance(200);
    await quiet();
    held.end('ns/w');
    await quiet();
    expect(steps).toEqual([
      'widgets with 2',
      ...['busy', 'retry after 30', 'free'],
      ...['busy', 'timed out', 'free', 'done after 195'],
    ]);
  });
});
