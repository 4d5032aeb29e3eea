// pods.inPlace, as stories on the model cluster: its kubelet does what the spec of a pod says when a test lets it.

import { describe, expect, it } from '@jest/globals';
import { IN_PLACE, IN_PLACE_READY } from '../../../src/workload/in-place/names.ts';
import { isReady } from '../../../src/workload/pod.ts';
import type { ModelCluster } from '../../support/model-cluster.ts';
import { type Policy, rest, roll, running, untilPromoted, versionOf, versions } from '../../support/rollout-story.ts';
import { template } from './fixture.ts';

const inPlace = (gracePeriod = '0s', policy: Policy = {}): Policy => ({
  ...policy,
  pods: { inPlace: { mode: 'IfPossible', gracePeriod } },
});
const pace = (maxSurge: number, maxUnavailable: number) =>
  ({ strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } } }) as const;

function names({ active }: ModelCluster): string[] {
  return active.map(({ metadata }) => metadata.name).sort();
}

/** The images that the pods of the cluster have been started with. */
function images({ active }: ModelCluster): Set<unknown> {
  return new Set(active.map(({ spec }) => spec?.containers?.[0]?.image));
}

function underChange({ active }: ModelCluster): number {
  return active.filter(({ metadata }) => metadata.annotations?.[IN_PLACE] !== undefined).length;
}

describe('a rollout in place', () => {
  it('keeps the pods, and never has more of them unavailable than may be', () => {
    const cluster = running({ replicas: 4, ...pace(1, 1) }, inPlace());
    const before = names(cluster);
    cluster.edit({ template: template('v2') });
    for (let round = 0; round < 10; round++) {
      cluster.settle();
      expect(cluster.active.length).toBe(4);
      expect(cluster.ready.length).toBeGreaterThanOrEqual(3);
      for (const pod of cluster.active.filter((each) => cluster.isStarting(each))) cluster.makeReady(pod);
    }
    rest(cluster);
    expect(versions(cluster)).toEqual({ v2: 4 });
    expect(names(cluster)).toEqual(before);
    expect(images(cluster)).toEqual(new Set(['web:v2']));
    expect(underChange(cluster)).toBe(0);
  });

  it('writes twice to each pod without a grace period, and thrice with one', () => {
    for (const [gracePeriod, writes] of [
      ['0s', 2],
      ['10s', 3],
    ] as const) {
      const cluster = running({ replicas: 4, ...pace(1, 2) }, inPlace(gracePeriod));
      const before = cluster.writes.updatePod ?? 0;
      roll(cluster, 'v2');
      for (let round = 0; round < 5; round++) {
        cluster.now += 10_000;
        rest(cluster);
      }
      expect(versions(cluster)).toEqual({ v2: 4 });
      expect((cluster.writes.updatePod ?? 0) - before).toBe(4 * writes);
    }
  });

  it('takes a pod out of its Services for the grace period first', () => {
    const cluster = running({ replicas: 2, ...pace(0, 1) }, inPlace('30s'));
    cluster.edit({ template: template('v2') });
    expect(cluster.settle().checkAgainAt).toBe(cluster.now + 30_000);
    const [leaving] = cluster.active.filter((pod) => !isReady(pod));
    expect(leaving?.status?.conditions).toContainEqual(
      expect.objectContaining({ type: IN_PLACE_READY, status: 'False' }),
    );
    expect(versions(cluster)).toEqual({ v1: 2 });
    expect(images(cluster)).toEqual(new Set(['web:v1']));
    cluster.now += 30_000;
    cluster.settle();
    expect(versions(cluster)).toEqual({ v1: 1, v2: 1 });
  });

  it('lets a pod that was leaving return when the template goes back', () => {
    const cluster = running({ replicas: 2, ...pace(0, 1) }, inPlace('30s'));
    const before = names(cluster);
    cluster.edit({ template: template('v2') });
    cluster.settle();
    cluster.edit({ template: template('v1') });
    rest(cluster);
    expect(versions(cluster)).toEqual({ v1: 2 });
    expect([names(cluster), underChange(cluster), cluster.ready.length]).toEqual([before, 0, 2]);
  });

  it('goes back in place from an image that does not start', () => {
    const cluster = running({ replicas: 4, ...pace(1, 1) }, inPlace('0s', { rollback: {} }));
    const before = names(cluster);
    cluster.edit({ template: template('v2') });
    cluster.settle();
    for (const pod of cluster.active.filter((each) => versionOf(cluster, each) === 'v2')) cluster.crash(pod);
    rest(cluster);
    expect(versions(cluster)).toEqual({ v1: 4 });
    expect([names(cluster), underChange(cluster), cluster.ready.length]).toEqual([before, 0, 4]);
  });

  it('works in steps', () => {
    const cluster = running(
      { replicas: 4, ...pace(1, 1) },
      inPlace('0s', { steps: [{ replicas: 1, pause: untilPromoted }] }),
    );
    const before = names(cluster);
    roll(cluster, 'v2');
    expect(versions(cluster)).toEqual({ v1: 3, v2: 1 });
    expect(names(cluster)).toEqual(before);
  });

  it.each([
    { name: 'maxUnavailable 0', limits: pace(1, 0), policy: inPlace() },
    { name: 'mode Never', limits: pace(1, 1), policy: { pods: { inPlace: { mode: 'Never' } } } as Policy },
    { name: 'Recreate', limits: { strategy: { type: 'Recreate' } } as const, policy: inPlace() },
  ])('replaces pods under $name', ({ limits, policy }) => {
    const cluster = running({ replicas: 3, ...limits }, policy);
    const before = names(cluster);
    roll(cluster, 'v2');
    expect(versions(cluster)).toEqual({ v2: 3 });
    expect(names(cluster).filter((name) => before.includes(name))).toEqual([]);
  });
});
