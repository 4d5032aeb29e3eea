// What can happen to a MyDeployment under a policy, beside all that happens without one (model-steps.ts): people who promote,
// abort and retry at the wrong moment, gates that flap and lie, policies that come, change, double and go.

import fc from 'fast-check';
import { ZONE_LABEL } from '../../src/kinds/my-deployment/plan/spread.ts';
import { ABORT, PROMOTE, RETRY, type RequestKey } from '../../src/policy/requests.ts';
import type { RolloutPolicySpec, RolloutPolicySpecStep } from '../../src/policy/types.gen.ts';
import { timestamp } from '../../src/runtime/conditions.ts';
import type { Action } from '../../src/workload/action.ts';
import { isReady, isTerminal, isTerminating } from '../../src/workload/pod.ts';
import { podFailure } from '../../src/workload/pod-failure.ts';
import type { ModelCluster } from './model-cluster.ts';
import { attemptIn } from './model-policy-invariants.ts';
import { anyStep, type Step, storyOf, take } from './model-steps.ts';

export type PolicySpec = Omit<RolloutPolicySpec, 'targetRef'>;

type PolicyStep =
  | { readonly step: 'govern'; readonly spec: PolicySpec }
  /** A second policy for the object, or the end of one. */
  | { readonly step: 'double'; readonly spec: PolicySpec; readonly age: 'older' | 'younger' }
  | { readonly step: 'ungovern'; readonly name: 'web' | 'other' }
  /** About the present attempt and step, or about ones that are so far away. */
  | {
      readonly step: 'ask';
      readonly key: RequestKey;
      readonly full: boolean;
      readonly off: number;
      readonly by: number;
    }
  | {
      readonly step: 'measure';
      readonly state: 'Passed' | 'Failed' | 'Pending';
      readonly off: number;
      readonly by: number;
    }
  | { readonly step: 'crashLoop'; readonly pick: number }
  /** Pods that come up are ready, and those that go are gone. */
  | { readonly step: 'bloom' }
  | { readonly step: 'sleep'; readonly seconds: number };

export type AnyStep = Step | PolicyStep;

/** The name of the only gate. */
const GATE = 'errors';

const pause: fc.Arbitrary<RolloutPolicySpecStep['pause']> = fc.constantFrom(undefined, { until: 'Promoted' } as const, {
  duration: '10s',
});
const size = fc.constantFrom<number | string>(1, 2, 5, '10%', '50%', '100%');

const policyStep: fc.Arbitrary<RolloutPolicySpecStep> = fc
  .record({ replicas: size, pause, isGated: fc.constantFrom(false, false, true) })
  .map(({ replicas, pause: rest, isGated }) => ({
    replicas,
    ...(rest && { pause: rest }),
    ...(isGated && { gates: [GATE] }),
  }));

export const policySpec: fc.Arbitrary<PolicySpec> = fc
  .record({
    steps: fc.array(policyStep, { maxLength: 3 }),
    rollback: fc.constantFrom<PolicySpec['rollback']>(undefined, {}, {}, { when: ['Gates'] }, { maxPodFailures: 1 }),
    isBroken: fc.constantFrom(false, false, false, false, true),
    pods: fc.constantFrom<PolicySpec['pods']>(
      undefined,
      { podReplacementPolicy: 'TerminationComplete' },
      { scaleDown: { spreadBy: ZONE_LABEL } },
      { podReplacementPolicy: 'TerminationComplete', scaleDown: { spreadBy: ZONE_LABEL } },
    ),
  })
  .map(({ steps, rollback, isBroken, pods }) => ({
    steps,
    ...(pods && { pods }),
    gates: isBroken ? [] : [{ name: GATE, prometheus: { query: 'up', max: '1' } }],
    ...(rollback && { rollback }),
  }));

const index = fc.nat(50);
/** Short stories would end before the first step is reached. */
const LONG = { maxLength: 20, size: 'max' } as const;
/** Mostly right. */
const off = fc.constantFrom(0, 0, 0, 0, -1, 1);

const ofPolicies: fc.Arbitrary<PolicyStep> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ step: fc.constant('govern' as const), spec: policySpec }) },
  {
    weight: 1,
    arbitrary: fc.record({
      step: fc.constant('double' as const),
      spec: policySpec,
      age: fc.constantFrom('older' as const, 'younger' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      step: fc.constant('ungovern' as const),
      name: fc.constantFrom('web' as const, 'other' as const),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      step: fc.constant('ask' as const),
      key: fc.constantFrom<RequestKey>(PROMOTE, PROMOTE, PROMOTE, ABORT, RETRY, RETRY),
      full: fc.constantFrom(false, false, false, true),
      off,
      by: off,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      step: fc.constant('measure' as const),
      state: fc.constantFrom('Passed' as const, 'Passed' as const, 'Failed' as const, 'Pending' as const),
      off,
      by: off,
    }),
  },
  { weight: 2, arbitrary: fc.record({ step: fc.constant('crashLoop' as const), pick: index }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant('sleep' as const), seconds: fc.constantFrom(10, 30, 700) }) },
);

const readyPods: fc.Arbitrary<Step> = fc.record({ step: fc.constant('ready' as const), pick: index });

const anyPolicyStep: fc.Arbitrary<AnyStep> = fc.oneof(
  { weight: 4, arbitrary: anyStep },
  { weight: 2, arbitrary: readyPods },
  { weight: 6, arbitrary: ofPolicies },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('roll' as const), version: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('scale' as const), replicas: fc.nat(12) }) },
  { weight: 1, arbitrary: fc.constantFrom<Step>({ step: 'pause' }, { step: 'resume' }) },
);

/** For some rounds all goes well, and the controller sees it. */
const calm: fc.Arbitrary<AnyStep[]> = fc
  .integer({ min: 1, max: 8 })
  .map((rounds) => Array.from({ length: rounds }, (): AnyStep[] => [{ step: 'reconcile' }, { step: 'bloom' }]).flat());

/** Stories that begin with a rollout, without which nothing of a policy shows, and are calm often enough for steps to be reached. */
export const policyStory: fc.Arbitrary<AnyStep[]> = fc
  .tuple(
    calm,
    fc.array(fc.oneof({ weight: 3, arbitrary: storyOf(anyPolicyStep, 3) }, { weight: 1, arbitrary: calm }), LONG),
  )
  .map(([first, rest]) => [{ step: 'roll', version: 1 }, ...first, ...rest.flat()]);

type Look = (action: Action) => void;
type Effects = {
  readonly [S in PolicyStep['step']]: (cluster: ModelCluster, step: PolicyStep & { step: S }) => void;
};

const EFFECTS: Effects = {
  govern: (cluster, { spec }) => {
    cluster.govern(spec);
  },
  double: (cluster, { spec, age }) => {
    const { metadata, ...policy } = cluster.govern(spec, 'other');
    const at = cluster.now + (age === 'older' ? -86_400_000 : 1000);
    cluster.policies.set('other', { ...policy, metadata: { ...metadata, creationTimestamp: timestamp(at) } });
  },
  ungovern: (cluster, { name }) => {
    cluster.policies.delete(name);
  },
  ask: (cluster, { key, full, off: attempt, by }) => {
    const { policy, number, step = 1 } = attemptIn(cluster);
    if (policy === undefined || number + attempt < 1 || step + by < 1) return;
    const place = key === PROMOTE ? { step: step + by, ...(full && { full }) } : {};
    cluster.ask(key, { number: number + attempt, ...place }, policy.metadata.name);
  },
  measure: (cluster, { state, off: attempt, by }) => {
    const { policy, number, step = 1 } = attemptIn(cluster);
    if (policy === undefined) return;
    const place = { number: number + attempt, step: step + by };
    cluster.measure([{ name: GATE, ...place, state, measuredAt: timestamp(cluster.now) }], policy.metadata.name);
  },
  crashLoop: (cluster, { pick }) => {
    const pod = cluster.active[pick % Math.max(1, cluster.active.length)];
    if (pod !== undefined) cluster.crash(pod);
  },
  bloom: (cluster) => {
    for (const pod of [...cluster.pods.values()].filter((each) => cluster.owns(each))) {
      if (isTerminating(pod)) cluster.remove(pod);
      else if (!isReady(pod) && !isTerminal(pod) && podFailure(pod) === undefined) cluster.makeReady(pod);
    }
    cluster.now += 1000;
  },
  sleep: (cluster, { seconds }) => {
    cluster.now += seconds * 1000;
  },
};

/** Takes the step; `look` is called after each single write of the controller. */
export function takeAny(cluster: ModelCluster, step: AnyStep, look?: Look): void {
  const effect = EFFECTS[step.step as PolicyStep['step']];
  if (effect === undefined) take(cluster, step as Step, look);
  else (effect as (cluster: ModelCluster, step: AnyStep) => void)(cluster, step);
}
