import { describe, expect, it } from '@jest/globals';
import { deferStep, paceMs, stepSize } from '../../../src/kinds/my-deployment/plan/batching.ts';
import { observe } from '../../../src/kinds/my-deployment/plan/snapshot.ts';
import { myDeployment, NOW, pods, revision, secondsAgo, snapshotOf } from './fixture.ts';

/** A rollout with these pods available, each for so many seconds. */
function rolloutOf(readyFor: readonly number[], replicas = 100, minReadySeconds = 0) {
  const object = myDeployment({ replicas, minReadySeconds });
  const one = revision(object, 'v2', { number: 2, replicas });
  const all = pods(
    object,
    one,
    readyFor.map((seconds) => ({ readyFor: seconds })),
  );
  return observe(snapshotOf(object, [one], all), NOW);
}

describe('the smallest step worth a write', () => {
  it.each([
    { maxSurge: 1, maxUnavailable: 0, step: 1 },
    { maxSurge: 3, maxUnavailable: 2, step: 1 },
    { maxSurge: 4, maxUnavailable: 3, step: 1 },
    { maxSurge: 4, maxUnavailable: 4, step: 2 },
    { maxSurge: 25, maxUnavailable: 25, step: 12 },
    { maxSurge: 250, maxUnavailable: 250, step: 125 },
  ])('surge $maxSurge, unavailable $maxUnavailable: $step', ({ step, ...posts }) => {
    expect(stepSize({ replicas: 1000, ...posts })).toBe(step);
  });
});

describe('how long decisions are apart', () => {
  it.each([
    { name: 'every pod is a step', maxSurge: 1, maxUnavailable: 0, pace: 20 },
    { name: 'a step takes two pods', maxSurge: 4, maxUnavailable: 4, pace: 50 },
    { name: 'a step takes many', maxSurge: 250, maxUnavailable: 250, pace: 50 },
  ])('$name: $pace ms', ({ maxSurge, maxUnavailable, pace }) => {
    expect(paceMs({ replicas: 1000, maxSurge, maxUnavailable })).toBe(pace);
  });
});

describe('a step of 100 replicas at 25 % / 25 %, where steps are batched by 12', () => {
  it.each([
    { name: 'nothing to gain', spare: 0, old: 50, underway: 40, waits: false },
    { name: 'enough has come together', spare: 12, old: 50, underway: 40, waits: false },
    { name: 'more is to come', spare: 3, old: 50, underway: 40, waits: true },
    { name: 'too little is to come', spare: 3, old: 50, underway: 8, waits: false },
    { name: 'just enough is to come', spare: 3, old: 50, underway: 9, waits: true },
    { name: 'these are the last', spare: 3, old: 3, underway: 40, waits: false },
  ])('$name: waits is $waits', ({ waits, ...next }) => {
    const rollout = rolloutOf(Array.from({ length: 60 }, () => 0));
    expect(deferStep(rollout, next)).toBe(waits ? NOW + 2000 : undefined);
  });

  it('waits two seconds from when the first of its pods became available', () => {
    const next = { spare: 3, old: 50, underway: 40 };
    expect(deferStep(rolloutOf([100, 90, 1, 0, 0]), next)).toBe(NOW - 1000 + 2000);
    expect(deferStep(rolloutOf([100, 90, 2, 0, 0]), next)).toBeUndefined();
  });

  it('counts from when they became available, not from when they were ready', () => {
    const next = { spare: 1, old: 50, underway: 40 };
    expect(deferStep(rolloutOf([31, 29, 3], 100, 30), next)).toBe(NOW - 1000 + 2000);
    expect(secondsAgo(0)).toBe('2026-01-01T12:00:00Z');
  });
});
