import { beforeEach, describe, expect, it } from '@jest/globals';
import { Attempt } from '../../../src/runtime/controller/attempt.ts';
import {
  checkAgainAfter,
  checkAgainAt,
  done,
  type Reconcile,
  type ReconcileContext,
  retry,
  TerminalError,
} from '../../../src/runtime/controller/result.ts';
import { silentLogger } from '../../../src/runtime/log.ts';
import { FakeClock } from '../../support/fake-clock.ts';

let clock: FakeClock;

beforeEach(() => {
  clock = new FakeClock(1_000_000);
});

function attempt(reconcile: Reconcile, timeoutMs?: number): Attempt {
  return new Attempt({ key: 'ns/w', reconcile, timeoutMs, clock, wallNow: clock.wallNow, log: silentLogger });
}

/** Ends only when its signal aborts, with the signal's reason. */
const untilAborted: Reconcile = (_key, { signal }) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

const error = new Error('broken');
const terminal = new TerminalError('no use');

describe('Attempt', () => {
  it.each([
    { name: 'done', reconcile: async () => done, outcome: { kind: 'done' } },
    { name: 'a time', reconcile: async () => checkAgainAt(1_000_250), outcome: { kind: 'checkAgain', delayMs: 250 } },
    { name: 'a delay', reconcile: async () => checkAgainAfter(70), outcome: { kind: 'checkAgain', delayMs: 70 } },
    { name: 'a wish to retry', reconcile: async () => retry('stale'), outcome: { kind: 'retry', because: 'stale' } },
    { name: 'a rejection', reconcile: () => Promise.reject(error), outcome: { kind: 'failed', error } },
    {
      name: 'a rejection that is no error',
      reconcile: () => Promise.reject('oh'),
      outcome: { kind: 'failed', error: 'oh' },
    },
    {
      name: 'a terminal error',
      reconcile: () => Promise.reject(terminal),
      outcome: { kind: 'terminal', error: terminal },
    },
    {
      name: 'an exception before the first await',
      reconcile: () => {
        throw error;
      },
      outcome: { kind: 'failed', error },
    },
  ] satisfies { name: string; reconcile: Reconcile; outcome: object }[])(
    'ends with $name',
    async ({ reconcile, outcome }) => {
      expect(await attempt(reconcile).finished).toEqual(outcome);
    },
  );

  it.each([
    { name: 'a date that is far away', inMs: 600_000, delayMs: 30_000 },
    { name: 'a date that has passed', inMs: -5, delayMs: -5 },
  ])('compares $name with the wall clock again within half a minute, because wall clocks are set', async (row) => {
    const { finished } = attempt(async () => checkAgainAt(clock.wallNow() + row.inMs));
    expect(await finished).toEqual({ kind: 'checkAgain', delayMs: row.delayMs });
  });

  it.each([undefined, { next: 'lunch' }])('takes %p for a failure, as no reconcile may return it', async (result) => {
    const reconcile = (async () => result) as unknown as Reconcile;
    expect(await attempt(reconcile).finished).toMatchObject({ kind: 'failed', error: expect.any(TypeError) });
  });

  it('hands over the key and a signal that is still quiet', async () => {
    let seen: { key: string; aborted: boolean } | undefined;
    await attempt(async (key, { signal }: ReconcileContext) => {
      seen = { key, aborted: signal.aborted };
      return done;
    }).finished;
    expect(seen).toEqual({ key: 'ns/w', aborted: false });
  });

  it('aborts the signal when the time limit has passed, which is a failure', async () => {
    const late = attempt(untilAborted, 100);
    let overdue = false;
    void late.overdue.then(() => {
      overdue = true;
    });
    await clock.advance(99);
    expect(overdue).toBe(false);
    await clock.advance(1);
    expect(overdue).toBe(true);
    expect(await late.finished).toMatchObject({
      kind: 'failed',
      error: { message: 'reconcile took longer than 100 ms' },
    });
  });

  it('leaves no timer behind when it ends in time', async () => {
    await attempt(async () => done, 100).finished;
    expect(clock.timers).toBe(0);
  });

  it("is nobody's fault when it was told to stop", async () => {
    const running = attempt(untilAborted);
    running.abort(new Error('leader no more'));
    expect(await running.finished).toEqual({ kind: 'aborted' });
  });

  it('keeps a result that comes although it was told to stop', async () => {
    const answer = Promise.withResolvers<typeof done>();
    const running = attempt(() => answer.promise);
    running.abort('stop');
    answer.resolve(done);
    expect(await running.finished).toEqual({ kind: 'done' });
  });
});
