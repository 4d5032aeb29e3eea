import { describe, expect, it } from '@jest/globals';
import { readRevision } from '../../../src/kinds/my-deployment/plan/record.ts';
import type { Facts } from '../../../src/kubectl/migrate/facts.ts';
import { type Step, sentence } from '../../../src/kubectl/migrate/step.ts';
import { stepsToDeployment } from '../../../src/kubectl/migrate/to-deployment.ts';
import { stepsToMyDeployment } from '../../../src/kubectl/migrate/to-my-deployment.ts';
import type { Deployment, Pod as FullPod, HorizontalPodAutoscaler, ReplicaSet } from '../../../src/runtime/built-in.ts';
import { sameTemplate, templateOf } from '../../../src/workload/revision.ts';
import { mixedPods, myDeployment, revision, template } from '../../kinds/my-deployment/fixture.ts';
import { factsOf, type SceneOptions } from '../policy/scene.ts';

const REVISION = 'deployment.kubernetes.io/revision';
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

function deployment(change: { metadata?: object; spec?: object; status?: object } = {}): Deployment {
  return {
    metadata: {
      name: 'web',
      namespace: 'default',
      uid: 'd',
      resourceVersion: '5',
      generation: 2,
      labels: { team: 'shop' },
      annotations: { [REVISION]: '2', [LAST_APPLIED]: '{}', mine: 'stays' },
      ...change.metadata,
    },
    spec: { replicas: 3, selector: { matchLabels: { app: 'web' } }, template: template('v2'), ...change.spec },
    status: { observedGeneration: 2, replicas: 3, updatedReplicas: 3, ...change.status },
  } as unknown as Deployment;
}

function replicaSet(version: string, number: number, replicas: number): ReplicaSet {
  const hash = `hash-${version}`;
  const labels = { app: 'web', 'pod-template-hash': hash };
  return {
    metadata: {
      name: `web-${hash}`,
      uid: hash,
      resourceVersion: '1',
      labels,
      annotations: { [REVISION]: String(number) },
    },
    spec: { replicas, selector: { matchLabels: labels }, template: { ...template(version), metadata: { labels } } },
    status: { replicas },
  } as unknown as ReplicaSet;
}

const scaler = {
  metadata: { name: 'scaler', uid: 'h', resourceVersion: '1' },
  spec: { maxReplicas: 9, scaleTargetRef: { kind: 'Deployment', name: 'web' } },
} as HorizontalPodAutoscaler;

function facts(change: Partial<Facts> = {}): Facts {
  return {
    name: 'web',
    namespace: 'default',
    deployment: deployment(),
    myDeployment: undefined,
    replicaSets: [replicaSet('v1', 1, 0), replicaSet('v2', 2, 3)],
    revisions: [],
    pods: [],
    autoscalers: [scaler],
    policies: [],
    ...change,
  };
}

const names = (steps: readonly Step[]) => steps.map((step) => step.do);

describe('from a Deployment to a MyDeployment', () => {
  const steps = stepsToMyDeployment(facts());

  it('sets the MyDeployment up before it takes anything away', () => {
    expect(names(steps)).toEqual([
      'createMyDeployment',
      'recordRevision',
      'recordRevision',
      'awaitCount',
      'deleteDeployment',
      'deleteReplicaSet',
      'deleteReplicaSet',
      'awaitPods',
      'finishMyDeployment',
      'retargetAutoscaler',
    ]);
  });

  it('carries the spec and what is ours over, paused, and leaves what is only true of the Deployment', () => {
    expect(steps[0]).toMatchObject({
      manifest: {
        metadata: {
          name: 'web',
          labels: { team: 'shop' },
          annotations: { mine: 'stays', 'mydeployment.kubebuilder.zq.com/takes-pods-from': 'web-hash-v2' },
        },
        spec: { replicas: 3, paused: true, template: template('v2') },
      },
    });
    expect(
      Object.keys(steps[0]?.do === 'createMyDeployment' ? (steps[0].manifest.metadata.annotations ?? {}) : {}),
    ).toHaveLength(2);
  });

  it('records the templates newest first, under their numbers, with the hash of their pods', () => {
    const recorded = steps.flatMap((step) => (step.do === 'recordRevision' ? [step.manifest] : []));
    expect(recorded.map((each) => each.revision)).toEqual([2, 1]);
    expect(recorded.map((each) => sameTemplate(templateOf(each), template(each.revision === 2 ? 'v2' : 'v1')))).toEqual(
      [true, true],
    );
    expect(recorded[0]?.metadata.annotations).toMatchObject({
      'mydeployment.kubebuilder.zq.com/replicas': '3',
      'mydeployment.kubebuilder.zq.com/pod-template-hash-aliases': 'hash-v2',
    });
    expect(recorded[0]?.metadata).not.toHaveProperty('ownerReferences');
  });

  it('leaves the pods of the ReplicaSet that has some', () => {
    const deleted = steps.flatMap((step) => (step.do === 'deleteReplicaSet' ? [[step.name, step.pods]] : []));
    expect(deleted).toEqual([
      ['web-hash-v1', 'none'],
      ['web-hash-v2', 'leave'],
    ]);
  });

  it('goes on where an earlier attempt stopped', () => {
    const begun = myDeployment({
      replicas: 3,
      metadata: { annotations: { 'mydeployment.kubebuilder.zq.com/takes-pods-from': 'web-hash-v2' } },
    });
    const gone = facts({
      deployment: undefined,
      myDeployment: begun,
      replicaSets: [replicaSet('v2', 2, 3)],
      autoscalers: [],
    });
    expect(names(stepsToMyDeployment(gone))).toEqual(['deleteReplicaSet', 'awaitPods', 'finishMyDeployment']);
    const leaving = facts({ myDeployment: begun, deployment: deployment({ metadata: { deletionTimestamp: 'x' } }) });
    expect(names(stepsToMyDeployment(leaving)).slice(0, 2)).toEqual(['deleteDeployment', 'deleteReplicaSet']);
    expect(stepsToMyDeployment(leaving)[0]).not.toHaveProperty('resourceVersion'); // which changes while it goes
    const scaled = facts({ myDeployment: { ...begun, spec: { ...begun.spec, replicas: 2 } } });
    expect(names(stepsToMyDeployment(scaled)).slice(0, 4)).toEqual([
      'recordRevision',
      'recordRevision',
      'resizeMyDeployment',
      'awaitCount',
    ]);
  });

  it.each([{ paused: true }, { paused: false }])('ends as it began, also if interrupted: $paused', ({ paused }) => {
    const whole = stepsToMyDeployment(facts({ deployment: deployment({ spec: { paused } }) }));
    expect(whole).toContainEqual({ do: 'finishMyDeployment', paused });
    const [create] = whole as [Extract<Step, { do: 'createMyDeployment' }>];
    const begun = myDeployment({ metadata: { annotations: create.manifest.metadata.annotations ?? {} } });
    const rest = stepsToMyDeployment(facts({ deployment: undefined, myDeployment: begun, autoscalers: [] }));
    expect(rest.at(-1)).toEqual({ do: 'finishMyDeployment', paused });
  });

  it('still has the autoscaler to do when only that is left', () => {
    const done = facts({ deployment: undefined, myDeployment: myDeployment(), replicaSets: [] });
    expect(stepsToMyDeployment(done)).toEqual([{ do: 'retargetAutoscaler', name: 'scaler', to: 'MyDeployment' }]);
  });

  it('has nothing to do when it is one already', () => {
    const done = facts({ deployment: undefined, myDeployment: myDeployment(), replicaSets: [], autoscalers: [] });
    expect(stepsToMyDeployment(done)).toEqual([]);
  });

  it.each([
    {
      name: 'beside a MyDeployment',
      change: { myDeployment: myDeployment() },
      says: 'there is a MyDeployment "web" already, beside the Deployment',
    },
    {
      name: 'in mid-rollout',
      change: { deployment: deployment({ status: { updatedReplicas: 1 } }) },
      says: 'in the middle of a rollout',
    },
    {
      name: 'unseen',
      change: { deployment: deployment({ metadata: { generation: 3 } }) },
      says: 'in the middle of a rollout',
    },
    {
      name: 'with pods of two templates',
      change: { replicaSets: [replicaSet('v1', 1, 1), replicaSet('v2', 2, 3)] },
      says: 'in the middle of a rollout',
    },
    {
      name: 'on its way out',
      change: { deployment: deployment({ metadata: { deletionTimestamp: 'x' } }) },
      says: 'is being deleted',
    },
    {
      name: 'that somebody owns',
      change: {
        deployment: deployment({
          metadata: { ownerReferences: [{ kind: 'ModelBox', name: 'box', controller: true }] },
        }),
      },
      says: 'belongs to ModelBox "box", which would make it again',
    },
    { name: 'without a ReplicaSet', change: { replicaSets: [] }, says: 'has no ReplicaSet yet' },
    {
      name: "that selects by the operator's own labels",
      change: {
        deployment: deployment({
          spec: { selector: { matchExpressions: [{ key: 'pod-template-hash', operator: 'Exists' }] } },
        }),
      },
      says: 'selects pods by pod-template-hash, which a MyDeployment may not',
    },
  ])('refuses one $name', ({ change, says }) => {
    expect(() => stepsToMyDeployment(facts(change))).toThrow(says);
  });
});

describe('from a MyDeployment to a Deployment', () => {
  const object = myDeployment({
    replicas: 3,
    status: { observedGeneration: 1, replicas: 3, updatedReplicas: 3, availableReplicas: 3 },
  });
  const recorded = [
    revision(object, 'v1', { number: 1, replicas: 0 }),
    revision(object, 'v2', { number: 2, replicas: 3 }),
  ];
  const own = mixedPods(object, recorded[1] as (typeof recorded)[number], 3, 3) as unknown as FullPod[];
  const back = (change: Partial<Facts> = {}) =>
    facts({
      deployment: undefined,
      myDeployment: object,
      replicaSets: [],
      revisions: recorded.map(readRevision),
      pods: own,
      autoscalers: [],
      ...change,
    });

  it('frees the pods, lets a ReplicaSet adopt them, and only then makes the old ones', () => {
    const steps = stepsToDeployment(back());
    expect(names(steps)).toEqual([
      'createDeployment',
      'letGoOfPods',
      'awaitPods',
      'createReplicaSet',
      'awaitPods',
      'createReplicaSet',
      'resumeDeployment',
      'deleteMyDeployment',
    ]);
    const sets = steps.flatMap((step) => (step.do === 'createReplicaSet' ? [step.manifest.spec?.replicas] : []));
    expect(sets).toEqual([3, 0]);
    expect(steps[0]).toMatchObject({ manifest: { spec: { paused: true, replicas: 3 } } });
  });

  it.each([
    {
      name: 'a step',
      scene: {},
      says: 'rollout (revision 3 is at step 1 of 3, 1 pod): wait for kubectl md rollout status',
    },
    { name: 'a rejection', scene: { rejected: {} }, says: 'no database): roll back or fix its template' },
    { name: 'a template that is not recorded', scene: { object: { version: 'v9' } }, says: 'has not seen the newest' },
  ])('refuses to begin while $name is recorded', ({ scene, says }) => {
    const status = { observedGeneration: 1, replicas: 10, updatedReplicas: 10, availableReplicas: 10 };
    const under = factsOf({ ...scene, object: { status, ...(scene as SceneOptions).object } });
    const { object: myDeployment, revisions, policies } = under;
    expect(() => stepsToDeployment(back({ myDeployment, revisions, policies }))).toThrow(says);
    expect(names(stepsToDeployment(back({ policies })))).toContain('createDeployment');
  });

  it('relabels pods that came from a ReplicaSet, so that one selector fits all', () => {
    const [first, ...others] = own;
    const labelled = {
      ...(first as FullPod),
      metadata: { ...(first as FullPod).metadata, labels: { app: 'web', 'pod-template-hash': 'x' } },
    };
    expect(names(stepsToDeployment(back({ pods: [labelled, ...others] })))[0]).toBe('relabelPods');
  });

  it("leaves a user's pod with the same labels alone", () => {
    const { metadata } = own[0] as FullPod;
    const bare = { metadata: { ...metadata, name: 'probe', labels: { app: 'web' }, ownerReferences: [] } } as FullPod;
    expect(names(stepsToDeployment(back({ pods: [...own, bare] })))).not.toContain('relabelPods');
  });

  it('still has the autoscaler to do when only that is left', () => {
    const scaleTargetRef = { kind: 'MyDeployment', name: 'web' };
    const autoscalers = [{ ...scaler, spec: { maxReplicas: 9, scaleTargetRef } }];
    const done = back({ deployment: deployment(), myDeployment: undefined, revisions: [], autoscalers });
    expect(stepsToDeployment(done)).toEqual([{ do: 'retargetAutoscaler', name: 'scaler', to: 'Deployment' }]);
  });

  it('has nothing to do when it is one already', () => {
    expect(stepsToDeployment(back({ deployment: deployment(), myDeployment: undefined, revisions: [] }))).toEqual([]);
  });

  it.each([
    { name: 'beside a Deployment', change: { deployment: deployment() }, says: 'there is a Deployment "web" already' },
    {
      name: 'in mid-rollout',
      change: { myDeployment: { ...object, status: { replicas: 4, updatedReplicas: 1, observedGeneration: 1 } } },
      says: 'in the middle of a rollout',
    },
    { name: 'without a record', change: { revisions: [] }, says: 'has no record of its template yet' },
  ])('refuses one $name', ({ change, says }) => {
    expect(() => stepsToDeployment(back(change))).toThrow(says);
  });

  it('says every step in a sentence', () => {
    for (const step of [...stepsToMyDeployment(facts()), ...stepsToDeployment(back())]) {
      expect(sentence(step)).toMatch(/^[a-z].{20,}[^.]$/);
    }
  });
});
