// Rollouts under policies from beginning to end on a model cluster, with every interleaving that fast-check thinks of. The
// promises are checked after every single write, those of a rollout without a policy among them.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { plan } from '../../../src/kinds/my-deployment/plan/plan.ts';
import { ABORT, PROMOTE } from '../../../src/policy/requests.ts';
import { ModelCluster } from '../../support/model-cluster.ts';
import { Watch } from '../../support/model-invariants.ts';
import { attemptIn, PolicyWatch } from '../../support/model-policy-invariants.ts';
import { type AnyStep, policySpec, policyStory as story, takeAny } from '../../support/model-policy-steps.ts';
import { anyStep, rolling, runToRest, storyOf, strategy, take, versionOf } from '../../support/model-steps.ts';

const RUNS = 60;

const shape = fc.record({
  replicas: fc.oneof(fc.nat(10), fc.integer({ min: 2, max: 10 })),
  minReadySeconds: fc.constantFrom(0, 0, 2),
  revisionHistoryLimit: fc.constantFrom(0, 2),
  strategy: fc.oneof({ weight: 4, arbitrary: rolling }, { weight: 1, arbitrary: strategy }),
});

const selector = { matchLabels: { app: 'web' } };

function atRest(spec: Partial<ModelCluster['object']['spec']>): ModelCluster {
  const cluster = new ModelCluster({ selector, template: versionOf(0), ...spec });
  runToRest(cluster);
  return cluster;
}

/** Takes a step, with both watches on each write. */
function takeWatched(cluster: ModelCluster, step: AnyStep): void {
  const [always, governed] = [
    new Watch(cluster),
    new PolicyWatch(cluster, step.step === 'reconcile' ? 'in order' : 'in any order'),
  ];
  takeAny(cluster, step, (action) => {
    always.look(action);
    governed.look(action);
  });
  if (step.step === 'reconcile') expectConditions(cluster);
}

function images(cluster: ModelCluster): string[] {
  const byHash = new Map(
    [...cluster.revisions.values()].map(({ metadata, data }) => [
      metadata.labels?.['controller.kubernetes.io/hash'],
      /"image":"([^"]+)"/.exec(JSON.stringify(data))?.[1] ?? '',
    ]),
  );
  return [...new Set(cluster.active.map((pod) => byHash.get(pod.metadata.labels?.['pod-template-hash']) ?? '?'))];
}

function expectConditions(cluster: ModelCluster): void {
  const { status } = cluster.object;
  const reasons = new Map(status?.conditions?.map(({ type, status: holds, reason }) => [type, `${holds} ${reason}`]));
  expect([reasons.has('Reconciling'), reasons.has('Stalled')]).not.toEqual([true, true]);
  const { policy, newest } = attemptIn(cluster);
  if (policy === undefined || cluster.object.spec.paused) return;
  const isTold = status?.observedGeneration === cluster.object.metadata.generation;
  const isRejected = newest?.rejected?.number === newest?.number && newest?.rejected?.policy === policy.metadata.uid;
  const hasPolicyReason = /PolicyNotAccepted|StableRevisionLost/.test(reasons.get('Stalled') ?? '');
  if (isTold && isRejected && newest?.name === status?.updateRevision && !hasPolicyReason) {
    expect(reasons.get('Stalled')).toBe('True RevisionRejected');
    expect(reasons.get('Progressing')).toBe('False RevisionRejected');
  }
}

/** An accepted policy, pods that come up, and an attempt that can be aborted; undefined when there is none. */
function settleAttempt(cluster: ModelCluster): ReturnType<typeof attemptIn> {
  cluster.policies.delete('other');
  cluster.edit({ paused: false, replicas: Math.max(2, cluster.object.spec.replicas ?? 1) });
  runToRest(cluster);
  return attemptIn(cluster);
}

describe('whatever happens under a policy', () => {
  it('keeps every promise at every write, and comes to rest', () => {
    fc.assert(
      fc.property(shape, policySpec, story, (spec, policy, steps) => {
        const cluster = atRest(spec);
        cluster.govern(policy);
        for (const step of steps) {
          takeWatched(cluster, step);
        }
        cluster.edit({ paused: false });
        runToRest(cluster);
        const planned = plan(cluster.snapshot(), cluster.now + 3_600_000);
        expect(planned.actions).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it('ends with the template of the spec when the policy is deleted', () => {
    fc.assert(
      fc.property(shape, policySpec, story, (spec, policy, steps) => {
        const cluster = atRest(spec);
        cluster.govern(policy);
        for (const step of steps) takeAny(cluster, step);
        cluster.policies.clear();
        cluster.edit({ paused: false });
        runToRest(cluster);
        const image = cluster.object.spec.template.spec.containers[0]?.image;
        expect(cluster.active).toHaveLength(cluster.object.spec.replicas as number);
        expect(images(cluster)).toEqual(cluster.active.length === 0 ? [] : [image]);
      }),
      { numRuns: RUNS },
    );
  });

  it('ends at the stable revision when it is aborted', () => {
    fc.assert(
      fc.property(shape, policySpec, story, (spec, policy, steps) => {
        const cluster = atRest(spec);
        cluster.govern(policy);
        for (const step of steps) takeAny(cluster, step);
        cluster.govern({ steps: [{ replicas: 1, pause: { until: 'Promoted' } }], rollback: {} });
        cluster.edit({ strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } } });
        const { newest, revisions } = settleAttempt(cluster);
        const stable = revisions.find(({ name }) => name === (newest?.rejected ?? newest?.step)?.stable);
        fc.pre(newest?.completed !== newest?.number && newest?.step?.number === newest?.number && stable !== undefined);
        cluster.ask(ABORT, { number: newest?.number as number });
        runToRest(cluster);
        expect(images(cluster)).toEqual([stable?.image]);
        expect(cluster.active).toHaveLength(cluster.object.spec.replicas as number);
      }),
      { numRuns: RUNS },
    );
  });

  it('ends with the template of the spec when every step is promoted', () => {
    fc.assert(
      fc.property(shape, policySpec, story, (spec, policy, steps) => {
        const cluster = atRest(spec);
        cluster.govern(policy);
        for (const step of steps) takeWatched(cluster, step);
        cluster.govern({
          steps: [
            { replicas: 1, pause: { until: 'Promoted' } },
            { replicas: '50%', pause: { until: 'Promoted' } },
          ],
        });
        cluster.edit({ strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } });
        settleAttempt(cluster);
        cluster.edit({ template: versionOf(9) });
        for (let left = 4; left > 0; left--) {
          const { number, step = 1 } = settleAttempt(cluster);
          cluster.ask(PROMOTE, { number, step });
        }
        runToRest(cluster);
        if (cluster.revisions.size > 0 && attemptIn(cluster).newest?.image !== 'web:9')
          throw new Error('not rolled out');
        const stalled = cluster.object.status?.conditions?.find(({ type }) => type === 'Stalled')?.reason;
        fc.pre(stalled !== 'StableRevisionLost');
        expect(images(cluster)).toEqual(['web:9']);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('without a policy', () => {
  it('plans as if there were no policies', () => {
    fc.assert(
      fc.property(shape, policySpec, storyOf(anyStep, 30), (spec, policy, steps) => {
        const cluster = atRest(spec);
        for (const step of steps) take(cluster, step);
        const { policies: _, ...natively } = cluster.snapshot();
        cluster.govern(policy);
        const [mine] = cluster.snapshot().policies ?? [];
        const elsewhere = [
          { ...mine, spec: { ...mine?.spec, targetRef: { name: 'other' } } },
          { ...mine, metadata: { ...mine?.metadata, namespace: 'other' } },
          { ...mine, metadata: { ...mine?.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } },
        ] as NonNullable<ReturnType<ModelCluster['snapshot']>['policies']>;
        expect(plan({ ...natively, policies: elsewhere }, cluster.now)).toEqual(plan(natively, cluster.now));
      }),
      { numRuns: RUNS },
    );
  });
});
