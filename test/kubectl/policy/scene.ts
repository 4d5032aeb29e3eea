// Rollouts under a policy in a few words: ten replicas, steps 1 (smoke, until promoted), 25 % (errors, 10 minutes) and 50 %.

import type { MyDeployment } from '../../../src/kinds/my-deployment/types.gen.ts';
import { type Standing, type StandingFacts, standingOf } from '../../../src/kubectl/policy/standing.ts';
import { ownRevisions } from '../../../src/kubectl/revisions.ts';
import {
  COMPLETED,
  type Promotion,
  promotionsAnnotation,
  type Rejection,
  rejectionAnnotation,
  type StepRecord,
  stepAnnotation,
} from '../../../src/policy/attempt.ts';
import { stepsDigest } from '../../../src/policy/steps.ts';
import type { RolloutPolicy, RolloutPolicySpec, RolloutPolicyStatusGate } from '../../../src/policy/types.gen.ts';
import type { ControllerRevision } from '../../../src/workload/revision.ts';
import { myDeployment, NOW, type ObjectOptions, revision, secondsAgo } from '../../kinds/my-deployment/fixture.ts';

export const SPEC: RolloutPolicySpec = {
  targetRef: { name: 'web' },
  steps: [
    { replicas: 1, gates: ['smoke'], pause: { until: 'Promoted' } },
    { replicas: '25%', gates: ['errors'], pause: { duration: '10m' } },
    { replicas: '50%' },
  ],
  gates: [
    { name: 'smoke', job: { fromCronJob: 'smoke' } },
    { name: 'errors', prometheus: { query: 'errors', max: '0.5' }, count: 5 },
  ],
};

export interface SceneOptions {
  readonly object?: ObjectOptions;
  readonly spec?: Partial<RolloutPolicySpec>;
  readonly policy?: Partial<RolloutPolicy['metadata']>;
  readonly status?: RolloutPolicy['status'];
  /** How the gates of the present step stand. */
  readonly gates?: readonly Partial<RolloutPolicyStatusGate>[];
  /** What is recorded of the attempt at the newest revision, which is number 3. */
  readonly step?: Partial<StepRecord> | 'none';
  readonly rejected?: Partial<Rejection>;
  readonly completed?: number;
  readonly promotions?: readonly Promotion[];
}

export function policy({ spec, policy: metadata, status, gates = [] }: SceneOptions = {}): RolloutPolicy {
  const results = gates.map(
    (gate) => ({ name: 'smoke', number: 3, step: 1, state: 'Pending', measuredAt: secondsAgo(12), ...gate }) as const,
  );
  return {
    metadata: {
      name: 'web',
      namespace: 'default',
      uid: 'policy-uid',
      resourceVersion: '5',
      creationTimestamp: secondsAgo(9000),
      ...metadata,
    },
    spec: { ...SPEC, ...spec },
    status: { gates: results, ...status },
  };
}

/** Revisions 2 (stable, complete) and 3, which rolls out. */
export function revisionsOf(object: MyDeployment, scene: SceneOptions = {}): readonly ControllerRevision[] {
  const owner = object as Parameters<typeof revision>[0];
  const stable = revision(owner, 'v1', { number: 2, replicas: 9, annotations: { [COMPLETED]: '2' } });
  const { step = {}, rejected, completed, promotions } = scene;
  const record: StepRecord = {
    number: 3,
    policy: 'policy-uid',
    steps: stepsDigest(policy(scene).spec),
    step: 1,
    stable: stable.metadata.name,
    beganAt: NOW - 600_000,
    since: NOW - 300_000,
    ...(step === 'none' ? {} : step),
  };
  const rejection: Rejection = {
    number: 3,
    policy: 'policy-uid',
    stable: stable.metadata.name,
    reason: 'PodFailures',
    message: 'container "web" of pod "web-1" ended with exit code 3: no database.',
    at: NOW - 60_000,
    ...rejected,
  };
  const annotations = {
    ...(step !== 'none' && stepAnnotation(record)),
    ...(rejected !== undefined && rejectionAnnotation(rejection)),
    ...(completed !== undefined && { [COMPLETED]: String(completed) }),
    ...(promotions !== undefined && promotionsAnnotation(promotions)),
  };
  return [stable, revision(owner, 'v2', { number: 3, replicas: 1, annotations })];
}

export function objectOf({ object }: SceneOptions = {}): ReturnType<typeof myDeployment> {
  return myDeployment({ replicas: 10, maxSurge: 1, maxUnavailable: 0, ...object });
}

export function factsOf(scene: SceneOptions = {}): StandingFacts {
  const object = objectOf(scene);
  const revisions = ownRevisions(revisionsOf(object, scene), object.metadata.uid);
  return { object, revisions, policies: [policy(scene)] };
}

export function standing(scene: SceneOptions = {}): Standing {
  return standingOf(factsOf(scene)) as Standing;
}
