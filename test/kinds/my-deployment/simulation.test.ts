// Rollouts from beginning to end on a model cluster, with every interleaving that fast-check thinks of. The promises are
// checked after every single write and event, not when things have calmed down.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type MyDeploymentPlan, plan } from '../../../src/kinds/my-deployment/plan/plan.ts';
import { isScalingEvent } from '../../../src/kinds/my-deployment/plan/scale.ts';
import { observe } from '../../../src/kinds/my-deployment/plan/snapshot.ts';
import { statusChange } from '../../../src/kinds/my-deployment/plan/status-change.ts';
import { isAvailable } from '../../../src/workload/pod.ts';
import { ModelCluster } from '../../support/model-cluster.ts';
import { boundsOf, Watch } from '../../support/model-invariants.ts';
import {
  anyStep,
  calmStep,
  oneByOne,
  rolling,
  runToRest,
  storyOf,
  strategy,
  take,
  versionOf,
} from '../../support/model-steps.ts';

const rest = {
  replicas: fc.nat(10),
  minReadySeconds: fc.constantFrom(0, 0, 2),
  revisionHistoryLimit: fc.constantFrom(0, 2),
};
const rollingShape = fc.record({ ...rest, strategy: rolling });
const anyShape = fc.record({ ...rest, strategy });

function clusterAtRest(spec: Partial<ModelCluster['object']['spec']>): ModelCluster {
  const selector = { matchLabels: { app: 'web' } };
  const cluster = new ModelCluster({ selector, template: versionOf(0), ...spec });
  runToRest(cluster);
  return cluster;
}

function available(cluster: ModelCluster): number {
  const { minReadySeconds = 0 } = cluster.object.spec;
  return cluster.active.filter((pod) => isAvailable(pod, minReadySeconds, cluster.now)).length;
}

/** Everybody is of the new template, available, and nobody has anything left to do. */
function expectAtRest(cluster: ModelCluster): void {
  const { replicas, revisionHistoryLimit } = cluster.object.spec;
  const { status } = cluster.object;
  expect(cluster.active).toHaveLength(replicas as number);
  expect(status).toMatchObject({
    observedGeneration: cluster.object.metadata.generation,
    replicas,
    updatedReplicas: replicas,
    availableReplicas: replicas,
    currentReplicas: replicas,
    unavailableReplicas: 0,
    terminatingReplicas: 0,
    currentRevision: status?.updateRevision,
  });
  expect(cluster.revisions.size).toBeLessThanOrEqual((revisionHistoryLimit as number) + 1);
  const planned = plan(cluster.snapshot(), cluster.now + 3_600_000);
  expect(planned).toMatchObject({ actions: [], events: [], checkAgainAt: undefined });
  expect(planned.status && statusChange(status, planned.status)).toBe('none');
}

/** A plan without the order in which claims are listed, which the cache decides. */
function inAnyOrder({ actions, ...rest }: MyDeploymentPlan) {
  return { ...rest, actions: actions.map((action) => JSON.stringify(action)).sort() };
}

/** What each revision is meant to have and has, whichever pods those are. */
function outcome(cluster: ModelCluster) {
  const { revisions } = observe(cluster.snapshot(), cluster.now);
  return revisions.map(({ name, number, desired, available, active }) => ({
    ...{ name, number, desired, available },
    active: active.length,
  }));
}

/** Of a mix that is scaled only this is sure, since rounding may leave a pod to another revision: it adds up. */
function addsUp(cluster: ModelCluster) {
  const { revisions, spec } = observe(cluster.snapshot(), cluster.now);
  const desired = revisions.reduce((sum, revision) => sum + revision.desired, 0);
  return {
    hasWhatItIsMeantToHave: revisions.every(({ active, desired: count }) => active.length === count),
    withinTheCeiling: desired <= boundsOf(spec).ceiling,
  };
}

describe('a rollout that nobody disturbs', () => {
  it('never has more pods than the ceiling or fewer available than the floor, at any write or event', () => {
    fc.assert(
      fc.property(rollingShape, storyOf(calmStep, 50), (spec, steps) => {
        const cluster = clusterAtRest(spec);
        const check = (): void => {
          const { ceiling, floor } = boundsOf(cluster.object.spec);
          expect(cluster.active.length).toBeLessThanOrEqual(ceiling);
          expect(available(cluster)).toBeGreaterThanOrEqual(floor);
        };
        for (const step of steps) {
          take(cluster, step, check);
          check();
        }
        cluster.edit({ paused: false });
        runToRest(cluster);
        expectAtRest(cluster);
      }),
      { numRuns: 300 },
    );
  });
});

describe('whatever happens', () => {
  it('keeps every promise at every write, comes to rest with what was asked for, and then does nothing', () => {
    fc.assert(
      fc.property(anyShape, storyOf(anyStep, 40), (spec, steps) => {
        const cluster = clusterAtRest(spec);
        for (const step of steps) take(cluster, step, new Watch(cluster).look);
        cluster.edit({ paused: false });
        runToRest(cluster);
        expectAtRest(cluster);
      }),
      { numRuns: 300 },
    );
  });

  it('plans the same for the same cluster, in whatever order a cache lists it', () => {
    fc.assert(
      fc.property(anyShape, storyOf(anyStep, 30), (spec, steps) => {
        const cluster = clusterAtRest(spec);
        for (const step of steps) take(cluster, step);
        const { object, revisions, pods } = cluster.snapshot();
        const planned = plan({ object, revisions, pods }, cluster.now);
        const reversed = { object, revisions: revisions.toReversed(), pods: pods.toReversed() };
        expect(plan({ object, revisions, pods }, cluster.now)).toEqual(planned);
        expect(inAnyOrder(plan(reversed, cluster.now))).toEqual(inAnyOrder(planned));
      }),
      { numRuns: 200 },
    );
  });

  it('ends where the whole plan ends when it is cut short anywhere and planned again', () => {
    fc.assert(
      fc.property(anyShape, storyOf(anyStep, 30), fc.nat(), (spec, steps, shuffle) => {
        const cluster = clusterAtRest(spec);
        for (const step of steps) take(cluster, step);
        const { actions } = plan(cluster.snapshot(), cluster.now);
        const before = observe(cluster.snapshot(), cluster.now);
        const compared = isScalingEvent(before) || before.spec.paused ? addsUp : outcome;
        const writes = actions.flatMap(oneByOne).length;
        const [whole, ...cut] = Array.from({ length: writes + 1 }, (_, missing) => {
          const branch = cluster.clone();
          take(branch, { step: 'crash', writes: writes - missing, shuffle });
          branch.settle();
          return compared(branch);
        });
        for (const other of cut) expect(other).toEqual(whole);
      }),
      { numRuns: 200 },
    );
  });
});
