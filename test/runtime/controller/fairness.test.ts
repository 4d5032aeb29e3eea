// Whatever the objects of one tenant do, the objects of another are worked on in time: a tenant is a namespace. And
// however many objects fail, what they cost the API server is bounded.

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sleep } from '../../../src/runtime/clock.ts';
import { Controller } from '../../../src/runtime/controller/controller.ts';
import type { Reconcile } from '../../../src/runtime/controller/result.ts';
import { ExponentialBackOff } from '../../../src/runtime/queue/back-off.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { FakeSource, object } from './fake-source.ts';

const NOISY = 10_000;
const LONGEST_MS = 30_000;
/** What retries get all together. */
const [BURST, PER_SECOND] = [100, 10];

let clock: FakeClock;
let source: FakeSource;
let stop: AbortController;
let running: Promise<void>;
let calls: { readonly key: string; readonly atMs: number }[];
let startMs: number;

beforeEach(() => {
  clock = new FakeClock();
  source = new FakeSource();
  stop = new AbortController();
  calls = [];
  startMs = clock.wallNow();
});

afterEach(async () => {
  stop.abort();
  await running;
});

/** Runs a controller whose every reconcile fails, after this time. */
function runFailing(workMs: number, workers = 1): void {
  const reconcile: Reconcile = async (key) => {
    calls.push({ key, atMs: clock.wallNow() - startMs });
    if (workMs > 0) await sleep(clock, workMs);
    throw new Error('refused');
  };
  const limiter = new ExponentialBackOff({ firstMs: 5, longestMs: LONGEST_MS });
  const breathe = () => Promise.resolve();
  const controller = new Controller({ name: 'widgets', reconcile, workers, clock, breathe, limiter }).for(source);
  running = controller.start(stop.signal, stop.signal);
  source.sync();
}

function createNoisy(namespaceOf: (index: number) => string): void {
  for (let index = 0; index < NOISY; index++) {
    source.put(object({ namespace: namespaceOf(index), name: `noisy-${index}` }));
  }
}

const timesOf = (key: string): number[] => calls.filter((call) => call.key === key).map(({ atMs }) => atMs);
const gapsOf = (times: readonly number[]): number[] =>
  times.slice(1).map((time, index) => time - (times[index] as number));

describe('with ten thousand objects that fail for ever', () => {
  it.each([
    { name: 'in another namespace', namespaceOf: () => 'noisy' },
    { name: 'in a thousand other namespaces', namespaceOf: (index: number) => `noisy-${index % 1000}` },
    { name: 'in the same namespace', namespaceOf: () => 'ns' },
  ])('$name, an object that fails is tried again within a second', async ({ namespaceOf }) => {
    runFailing(0);
    createNoisy(namespaceOf);
    await clock.advance(120_000);
    source.put(object());
    await clock.advance(1_000);
    expect(timesOf('ns/w').length).toBeGreaterThanOrEqual(2);
  });

  it('in another namespace, an object that fails for ever is tried again as often as if it were alone', async () => {
    runFailing(0);
    createNoisy(() => 'noisy');
    await clock.advance(120_000);
    source.put(object());
    await clock.advance(600_000);
    expect(Math.max(...gapsOf(timesOf('ns/w')))).toBeLessThanOrEqual(LONGEST_MS + 1_000);
    expect(timesOf('ns/w').length).toBeGreaterThan(600_000 / LONGEST_MS);
  });

  it('that are all new and take their time, an object of another namespace waits for none of them', async () => {
    runFailing(10, 4);
    createNoisy(() => 'noisy');
    source.put(object());
    await clock.advance(1_000);
    expect(timesOf('ns/w').length).toBeGreaterThanOrEqual(3);
  });

  it('all of them together are tried again ten times a second', async () => {
    runFailing(0);
    createNoisy((index) => `noisy-${index % 7}`);
    await clock.advance(300_000);
    // Each is tried once because it is there, and once more because that failed.
    expect(calls.length).toBeLessThanOrEqual(2 * NOISY + BURST + PER_SECOND * 300);
    const before = calls.length;
    await clock.advance(600_000);
    expect(calls.length - before).toBeGreaterThanOrEqual(PER_SECOND * 600 - 1);
    expect(calls.length - before).toBeLessThanOrEqual(PER_SECOND * 600 + 1);
  });

  it('none is left out', async () => {
    runFailing(0);
    createNoisy((index) => (index % 2 === 0 ? 'even' : 'odd'));
    await clock.advance(1_500_000);
    const tries = new Map<string, number>();
    for (const { key } of calls) tries.set(key, (tries.get(key) ?? 0) + 1);
    expect(tries.size).toBe(NOISY);
    expect(Math.min(...tries.values())).toBeGreaterThanOrEqual(3);
  });
});
