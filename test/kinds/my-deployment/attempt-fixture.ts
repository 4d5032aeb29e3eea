// An attempt under a policy in a few words, for tables: a MyDeployment whose template is v2, with v1 as its stable revision.

import type { GovernedCourse } from '../../../src/kinds/my-deployment/plan/course.ts';
import { type UpdateRollout, withUpdate } from '../../../src/kinds/my-deployment/plan/history.ts';
import { type Situation, situationOf } from '../../../src/kinds/my-deployment/plan/situation.ts';
import { observe } from '../../../src/kinds/my-deployment/plan/snapshot.ts';
import {
  COMPLETED,
  type Rejection,
  rejectionAnnotation,
  type StepRecord,
  stepAnnotation,
} from '../../../src/policy/attempt.ts';
import { stepsDigest } from '../../../src/policy/steps.ts';
import type { RolloutPolicy, RolloutPolicySpec } from '../../../src/policy/types.gen.ts';
import type { ObjectMeta } from '../../../src/runtime/object.ts';
import type { Pod } from '../../../src/workload/pod.ts';
import { mixedPods, myDeployment, NOW, type ObjectOptions, revision, snapshotOf } from './fixture.ts';

export interface AttemptOptions {
  readonly object?: ObjectOptions;
  /** `[count, available pods]` of the stable revision, and of the update. */
  readonly stable?: readonly [number, number];
  readonly update?: readonly [number, number];
  readonly spec?: Partial<RolloutPolicySpec>;
  readonly policy?: { readonly metadata?: Partial<ObjectMeta>; readonly status?: RolloutPolicy['status'] };
  readonly record?: Partial<StepRecord>;
  readonly rejected?: Partial<Rejection>;
  /** More records of the update. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** True when there was never another revision than the update. */
  readonly alone?: boolean;
  /** What becomes of the pods of the update, and of the stable revision. */
  readonly pods?: (update: readonly Pod[], stable: readonly Pod[]) => readonly Pod[];
}

export const STEPS: RolloutPolicySpec = {
  targetRef: { name: 'web' },
  steps: [{ replicas: 1, gates: ['errors'] }, { replicas: '50%' }],
  gates: [{ name: 'errors', prometheus: { query: 'up', max: '1' } }],
  rollback: {},
};

/** The attempt is number 2; it began a minute ago, and the clock of its first step half a minute ago. */
export function attempt(options: AttemptOptions = {}): UpdateRollout & { readonly course: GovernedCourse } {
  const { stable = [9, 9], update = [1, 1], alone = false } = options;
  const { pods = (ours, others) => [...others, ...ours] } = options;
  const object = myDeployment({ replicas: 10, ...options.object });
  const spec = { ...STEPS, ...options.spec };
  const metadata = { name: 'web', namespace: 'default', uid: 'policy-uid', resourceVersion: '1' };
  const policy = { ...options.policy, metadata: { ...metadata, ...options.policy?.metadata }, spec } as RolloutPolicy;
  const of = object.spec.replicas as number;
  const first = revision(object, 'v1', { number: 1, replicas: stable[0], of, annotations: { [COMPLETED]: '1' } });
  const { name } = first.metadata;
  const record = {
    number: 2,
    policy: 'policy-uid',
    steps: stepsDigest(spec),
    step: 1,
    ...(!alone && { stable: name }),
    beganAt: NOW - 60_000,
    since: NOW - 30_000,
    ...options.record,
  };
  const rejection = {
    ...record,
    stable: name,
    reason: 'Aborted',
    message: 'by ann',
    at: NOW,
    ...options.rejected,
  } as const;
  const second = revision(object, 'v2', {
    number: 2,
    replicas: update[0],
    of,
    annotations: {
      ...stepAnnotation(record),
      ...(options.rejected && rejectionAnnotation(rejection)),
      ...options.annotations,
    },
  });
  const all = pods(mixedPods(object, second, ...update), alone ? [] : mixedPods(object, first, ...stable));
  const snapshot = { ...snapshotOf(object, alone ? [second] : [first, second], all), policies: [policy] };
  return withUpdate(observe(snapshot, NOW)) as UpdateRollout & { readonly course: GovernedCourse };
}

export function situation(options: AttemptOptions = {}): Situation {
  const rollout = attempt(options);
  return situationOf(rollout, rollout.course);
}
