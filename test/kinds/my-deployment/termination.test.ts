// podReplacementPolicy: TerminationComplete, as stories on the model cluster. Pods end only when a test says so.

import { describe, expect, it } from '@jest/globals';
import { isReady, isTerminating } from '../../../src/workload/pod.ts';
import type { ModelCluster } from '../../support/model-cluster.ts';
import { type Policy, rest, running, untilPromoted, versions } from '../../support/rollout-story.ts';
import { template } from './fixture.ts';

const complete: Policy = { pods: { podReplacementPolicy: 'TerminationComplete' } };
const pace = (maxSurge: number, maxUnavailable: number) =>
  ({ strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } } }) as const;

function terminating({ pods }: ModelCluster): number {
  return [...pods.values()].filter(isTerminating).length;
}

/** Everything that starts comes up, and nothing ends. Returns the most pods there were, terminating ones included. */
function withoutEnds(cluster: ModelCluster): number {
  let most = 0;
  for (let round = 0; round < 20; round++) {
    cluster.settle();
    for (const pod of cluster.active.filter((each) => !isReady(each))) cluster.makeReady(pod);
    most = Math.max(most, cluster.pods.size);
  }
  return most;
}

function endOne(cluster: ModelCluster): void {
  const [pod] = [...cluster.pods.values()].filter(isTerminating);
  if (pod !== undefined) cluster.remove(pod);
}

describe('podReplacementPolicy: TerminationComplete', () => {
  it('keeps a rolling update within replicas + maxSurge, terminating pods included', () => {
    const cluster = running({ replicas: 4, ...pace(1, 1) }, complete);
    cluster.edit({ template: template('v2') });
    expect(withoutEnds(cluster)).toBe(5);
    expect(versions(cluster)).toEqual({ v1: 2, v2: 1 });
    expect(terminating(cluster)).toBe(2);
    for (let ended = 0; ended < 10; ended++) {
      endOne(cluster);
      expect(withoutEnds(cluster)).toBeLessThanOrEqual(5);
    }
    expect(versions(cluster)).toEqual({ v2: 4 });
  });

  it.each([
    { name: 'no policy', policy: 'none' as const },
    { name: 'a policy that says nothing of it', policy: {} },
    { name: 'TerminationStarted', policy: { pods: { podReplacementPolicy: 'TerminationStarted' } } as Policy },
  ])('is off with $name: a rollout waits for no pod to end', ({ policy }) => {
    const cluster = running({ replicas: 4, ...pace(1, 1) }, policy);
    cluster.edit({ template: template('v2') });
    withoutEnds(cluster);
    expect(versions(cluster)).toEqual({ v2: 4 });
    expect(terminating(cluster)).toBe(4);
  });

  it('replaces a lost pod at once within the surge, and otherwise when it has ended', () => {
    const tight = running({ replicas: 3, ...pace(0, 1) }, complete);
    const loose = running({ replicas: 3, ...pace(1, 1) }, complete);
    for (const cluster of [tight, loose]) cluster.terminate(cluster.active[0] as never);
    withoutEnds(tight);
    withoutEnds(loose);
    expect(tight.active).toHaveLength(2);
    expect(loose.active).toHaveLength(3);
    endOne(tight);
    withoutEnds(tight);
    expect(tight.active).toHaveLength(3);
  });

  it('waits when it is scaled down and up again', () => {
    const cluster = running({ replicas: 6, ...pace(0, 1) }, complete);
    cluster.edit({ replicas: 1 });
    withoutEnds(cluster);
    cluster.edit({ replicas: 4 });
    expect(withoutEnds(cluster)).toBe(6);
    expect([cluster.active.length, terminating(cluster)]).toEqual([1, 5]);
    rest(cluster);
    expect(cluster.active).toHaveLength(4);
  });

  it('waits in a step and on the way back', () => {
    const policy: Policy = { ...complete, steps: [{ replicas: 2, pause: untilPromoted }], rollback: {} };
    const cluster = running({ replicas: 4, ...pace(1, 0) }, policy);
    cluster.edit({ template: template('v2') });
    expect(withoutEnds(cluster)).toBe(5);
    expect(versions(cluster)).toEqual({ v1: 3, v2: 1 });
    rest(cluster);
    expect(versions(cluster)).toEqual({ v1: 2, v2: 2 });
    cluster.edit({ template: template('v1') });
    expect(withoutEnds(cluster)).toBe(5);
    expect(versions(cluster)).toEqual({ v1: 3, v2: 1 });
    rest(cluster);
    expect(versions(cluster)).toEqual({ v1: 4 });
  });

  it('counts pods whose containers have ended no longer', () => {
    const cluster = running({ replicas: 2, ...pace(0, 1) }, complete);
    const [pod] = cluster.active;
    cluster.terminate(pod as never);
    withoutEnds(cluster);
    expect(cluster.active).toHaveLength(1);
    cluster.fail(pod as never);
    const failed = cluster.pods.get(pod?.metadata.name as string);
    cluster.patchPod(failed as never, { deletionTimestamp: '2026-01-01T00:00:00Z' });
    withoutEnds(cluster);
    expect(cluster.active).toHaveLength(2);
  });

  it.each([
    { native: 'TerminationStarted', policy: complete, left: 0 },
    { native: 'TerminationComplete', policy: {}, left: 3 },
  ])('gives way to the field of the same name in the spec, once that has it: $native', ({ native, policy, left }) => {
    const spec = { replicas: 3, ...pace(0, 1), podReplacementPolicy: native };
    const cluster = running(spec, policy);
    for (const pod of cluster.active) cluster.terminate(pod);
    withoutEnds(cluster);
    expect(cluster.active).toHaveLength(3 - left);
  });
});
