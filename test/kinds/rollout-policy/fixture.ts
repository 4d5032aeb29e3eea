// Policies, targets, revisions and pods in a few words, for tables.

import type { Gate } from '../../../src/kinds/rollout-policy/gates/judge.ts';
import type { Snapshot } from '../../../src/kinds/rollout-policy/snapshot.ts';
import type { Target } from '../../../src/kinds/rollout-policy/target.ts';
import {
  COMPLETED,
  type Rejection,
  rejectionAnnotation,
  type StepRecord,
  stepAnnotation,
} from '../../../src/policy/attempt.ts';
import { stepsDigest } from '../../../src/policy/steps.ts';
import type { RolloutPolicy, RolloutPolicySpec, RolloutPolicyStatusGate } from '../../../src/policy/types.gen.ts';
import type { ObjectMeta } from '../../../src/runtime/object.ts';
import { REVISION_HASH_LABEL } from '../../../src/workload/build-pod.ts';
import type { Pod } from '../../../src/workload/pod.ts';
import { type ControllerRevision, HASH_LABEL } from '../../../src/workload/revision.ts';

export const NOW = Date.UTC(2026, 0, 1, 12);
export const SECOND = 1000;
export const at = (seconds: number): string => new Date(NOW + seconds * SECOND).toISOString().replace('.000Z', 'Z');

const meta = (name: string): ObjectMeta => ({
  name,
  namespace: 'default',
  uid: `${name}-uid`,
  resourceVersion: '1',
  generation: 1,
  creationTimestamp: at(-600),
});

export const errorRate: Gate = { name: 'errors', prometheus: { query: 'errors{pod=~"{{pods}}"}', max: '0.5' } };
export const smoke: Gate = { name: 'smoke', job: { fromCronJob: 'smoke' } };

/** One pod behind the gate "errors", then half of them after a promotion. */
export const SPEC: RolloutPolicySpec = {
  targetRef: { name: 'web' },
  steps: [
    { replicas: 1, gates: ['errors'] },
    { replicas: '50%', pause: { until: 'Promoted' } },
  ],
  gates: [errorRate],
};

export function policy(
  spec: Partial<RolloutPolicySpec> = {},
  more: { readonly metadata?: Partial<ObjectMeta>; readonly status?: RolloutPolicy['status'] } = {},
): RolloutPolicy {
  const { metadata, status } = more;
  return { metadata: { ...meta('canary'), ...metadata }, spec: { ...SPEC, ...spec }, ...(status && { status }) };
}

/** A MyDeployment of four replicas whose template has the revision web-2. */
export function target(spec: Partial<Target['spec']> = {}, status: Target['status'] = {}): Target {
  return {
    metadata: meta('web'),
    spec: { replicas: 4, selector: { matchLabels: { app: 'web' } }, ...spec },
    status: { updateRevision: 'web-2', ...status },
  };
}

export function revision(number: number, annotations: Readonly<Record<string, string>> = {}): ControllerRevision {
  const name = `web-${number}`;
  return { metadata: { ...meta(name), labels: { [HASH_LABEL]: `hash${number}` }, annotations }, revision: number };
}

/** The first revision was complete; the second one has this record. */
export function revisions(record: Readonly<Record<string, string>> = {}): readonly ControllerRevision[] {
  return [revision(1, { [COMPLETED]: '1' }), revision(2, record)];
}

/** The attempt is in the first step, whose clock began ten seconds ago. */
export function inStep(change: Partial<StepRecord> = {}, of = policy()): Readonly<Record<string, string>> {
  return stepAnnotation({
    number: 2,
    policy: of.metadata.uid,
    steps: stepsDigest(of.spec),
    step: 1,
    stable: 'web-1',
    beganAt: NOW - 60 * SECOND,
    since: NOW - 10 * SECOND,
    ...change,
  });
}

export function rejection(change: Partial<Rejection> = {}): Readonly<Record<string, string>> {
  const message = 'gate "errors": 0.7 is above the maximum 0.5';
  return rejectionAnnotation({
    number: 2,
    policy: 'canary-uid',
    stable: 'web-1',
    reason: 'GateFailed',
    message,
    at: NOW,
    ...change,
  });
}

/** A pod of this revision; `ready` says since when it is, in seconds after NOW. */
export function pod(name: string, number: number, ready: number | 'never' = -30): Pod {
  const condition = { type: 'Ready', status: ready === 'never' ? 'False' : 'True' };
  return {
    metadata: { ...meta(name), labels: { [REVISION_HASH_LABEL]: `hash${number}` } },
    status: {
      phase: 'Running',
      conditions: [{ ...condition, ...(ready !== 'never' && { lastTransitionTime: at(ready) }) }],
    },
  };
}

/** Three stable pods and one new pod. */
export const PODS: readonly Pod[] = [pod('web-1-a', 1), pod('web-1-b', 1), pod('web-1-c', 1), pod('web-2-a', 2)];

/** A snapshot in the first step. */
export function snapshot(change: Partial<Snapshot> = {}): Snapshot {
  const of = change.policy ?? policy();
  return {
    policy: of,
    target: target(),
    policies: [of],
    revisions: revisions(inStep({}, of)),
    pods: PODS,
    jobs: [],
    measured: [],
    measuring: [],
    ...change,
  };
}

/** A stored result of the gate "errors", measured so many seconds after NOW. */
export function result(change: Partial<RolloutPolicyStatusGate> = {}, measured = -5): RolloutPolicyStatusGate {
  return { name: 'errors', number: 2, step: 1, state: 'Pending', measuredAt: at(measured), ...change };
}
