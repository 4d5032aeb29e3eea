import { beforeEach, describe, expect, it } from '@jest/globals';
import { toInstant } from '../../../src/runtime/instant.ts';
import { type WatchHealth, watchesAlive } from '../../../src/runtime/server/watch-check.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const MINUTE = 60_000;
const healthy: WatchHealth = { phase: 'watching', lastActivityAt: toInstant(0), failures: 0 };

describe('the liveness of watches', () => {
  let clock: FakeClock;
  let pods: WatchHealth;
  let check: () => void;

  beforeEach(() => {
    clock = new FakeClock();
    pods = healthy;
    const nodes = healthy;
    check = watchesAlive(
      () => [
        { name: 'pods', health: pods },
        { name: 'nodes', health: { ...nodes, lastActivityAt: clock.now() } },
      ],
      clock,
      5 * MINUTE,
    );
  });

  it('fails when one shows no sign of life for too long', async () => {
    check();
    await clock.advance(5 * MINUTE - 1);
    expect(check).not.toThrow();
    await clock.advance(1);
    expect(check).toThrow('watches without a sign of life for 300000 ms: pods');
  });

  it('takes five minutes for too long, unless told otherwise', async () => {
    check = watchesAlive(() => [{ name: 'pods', health: healthy }], clock);
    check();
    await clock.advance(5 * MINUTE - 1);
    expect(check).not.toThrow();
    await clock.advance(1);
    expect(check).toThrow('for 300000 ms: pods');
  });

  it.each<{ sign: string; change: Partial<WatchHealth> }>([
    { sign: 'it heard of the server', change: { lastActivityAt: toInstant(1) } },
    { sign: 'it failed once more, so it tries', change: { failures: 1 } },
    { sign: 'it rests before it tries again', change: { phase: 'waiting' } },
  ])('takes this for a sign of life: $sign', async ({ change }) => {
    check();
    await clock.advance(4 * MINUTE);
    pods = { ...pods, ...change };
    check();
    await clock.advance(4 * MINUTE);
    expect(check).not.toThrow();
  });

  it('does not expect life of a watch that was stopped', async () => {
    pods = { ...healthy, phase: 'stopped' };
    check();
    await clock.advance(60 * MINUTE);
    expect(check).not.toThrow();
  });

  it('does not hold the time against a watch in which nobody has looked', async () => {
    await clock.advance(60 * MINUTE);
    expect(check).not.toThrow();
  });
});
