import { describe, expect, it } from '@jest/globals';
import { plan } from '../../../src/kinds/my-deployment/plan/plan.ts';
import type { Pod } from '../../../src/workload/pod.ts';
import { mixedPods, myDeployment, NOW, type ObjectOptions, revision, snapshotOf } from './fixture.ts';

const TAKES_PODS_FROM = 'mydeployment.kubebuilder.zq.com/takes-pods-from';
const GIVES_PODS_TO = 'mydeployment.kubebuilder.zq.com/gives-pods-to';
const HASH = 'old-hash';
const ALIASES = 'mydeployment.kubebuilder.zq.com/pod-template-hash-aliases';

function handing(annotation: string, options: ObjectOptions = {}) {
  return myDeployment({ replicas: 3, paused: true, metadata: { annotations: { [annotation]: 'web-rs' } }, ...options });
}

/** Three pods as a ReplicaSet made them, owned by it, by nobody, or by the object. */
function podsOf(
  object: ReturnType<typeof handing>,
  owners: readonly ('ReplicaSet' | 'nobody' | 'object')[],
  name = 'web-rs',
): Pod[] {
  const of = revision(object, 'v2', { number: 1 });
  return mixedPods(object, of, owners.length, owners.length).map((pod, index) => {
    const { ownerReferences, ...metadata } = pod.metadata;
    const set = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name, uid: 'rs', controller: true }];
    const references = { ReplicaSet: set, nobody: [], object: ownerReferences ?? [] }[owners[index] as 'object'];
    const labels = { app: 'web', 'pod-template-hash': HASH };
    return { ...pod, metadata: { ...metadata, labels, ownerReferences: references } };
  });
}

function planned(object: ReturnType<typeof handing>, pods: readonly Pod[]) {
  const record = revision(object, 'v2', {
    number: 1,
    replicas: 3,
    of: 3,
    ceiling: 4,
    annotations: { [ALIASES]: HASH },
  });
  const { actions, status } = plan(snapshotOf(object, [record], pods), NOW);
  return { does: actions.map((action) => action.do), status };
}

describe('taking pods from a ReplicaSet', () => {
  const object = handing(TAKES_PODS_FROM);

  it('counts its pods as updated and available, and makes none of its own', () => {
    const { does, status } = planned(object, podsOf(object, ['ReplicaSet', 'ReplicaSet', 'ReplicaSet']));
    expect(does).toEqual([]);
    expect(status).toMatchObject({ replicas: 3, updatedReplicas: 3, availableReplicas: 3 });
  });

  it('adopts each pod that is let go of, and nothing else meanwhile', () => {
    expect(planned(object, podsOf(object, ['object', 'nobody', 'ReplicaSet'])).does).toEqual(['adoptPod']);
  });

  it('replaces a pod that is lost on the way', () => {
    const { does, status } = planned(object, podsOf(object, ['object', 'ReplicaSet']));
    expect(does).toEqual(['createPods']);
    expect(status?.replicas).toBe(2);
  });

  it('deletes none, even when there are too many', () => {
    const many = podsOf(object, ['object', 'object', 'ReplicaSet', 'ReplicaSet', 'ReplicaSet']);
    expect(planned(object, many).does).toEqual([]);
  });

  it('does not count the pods of another ReplicaSet', () => {
    const others = podsOf(object, ['ReplicaSet', 'ReplicaSet', 'ReplicaSet'], 'stranger');
    expect(planned(object, others).status?.replicas).toBe(0);
  });
});

describe('giving pods to a ReplicaSet', () => {
  const object = handing(GIVES_PODS_TO);

  it('lets go of its pods, and does not take them back', () => {
    const { does, status } = planned(object, podsOf(object, ['object', 'nobody', 'ReplicaSet']));
    expect(does).toEqual(['releasePod']);
    expect(status?.replicas).toBe(3);
    expect(planned(object, podsOf(object, ['nobody', 'nobody', 'ReplicaSet'])).does).toEqual([]);
  });

  it('lets go of a pod that stopped matching as well', () => {
    const [ours, strayed] = podsOf(object, ['object', 'object']) as [Pod, Pod];
    const relabelled = { ...strayed, metadata: { ...strayed.metadata, labels: { app: 'debug' } } };
    expect(planned(object, [ours, relabelled]).does).toEqual(['releasePod', 'releasePod']);
  });

  it('goes on counting them, and replaces one that is lost', () => {
    const { does, status } = planned(object, podsOf(object, ['nobody', 'ReplicaSet']));
    expect(does).toEqual(['createPods']);
    expect(status?.replicas).toBe(2);
  });
});

describe('a hand-over is over when the object is deleted', () => {
  it.each([TAKES_PODS_FROM, GIVES_PODS_TO])('%s: nothing is touched, and only its own pods count', (annotation) => {
    const deleted = handing(annotation, {
      metadata: { annotations: { [annotation]: 'web-rs' }, deletionTimestamp: 'x' },
    });
    const { does, status } = planned(deleted, podsOf(deleted, ['object', 'nobody', 'ReplicaSet']));
    expect(does).toEqual([]);
    expect(status?.replicas).toBe(1);
  });
});
