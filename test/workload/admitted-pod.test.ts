import { describe, expect, it } from '@jest/globals';
import { cannotMatch, lostOnAdmission } from '../../src/workload/admitted-pod.ts';
import { buildPod } from '../../src/workload/build-pod.ts';
import { affinityTo } from '../../src/workload/node-affinity.ts';
import type { Pod } from '../../src/workload/pod.ts';

const owner = {
  apiVersion: 'kubebuilder.zq.com/v1beta1',
  kind: 'MyDeployment',
  metadata: { name: 'web', namespace: 'shop', uid: 'web-uid', resourceVersion: '1' },
};
const template = {
  metadata: { labels: { app: 'web', team: 'a' } },
  spec: { containers: [], affinity: affinityTo('node-1') },
};
const selector = {
  matchLabels: { app: 'web' },
  matchExpressions: [{ key: 'pod-template-hash', operator: 'In', values: ['h'] }] as const,
};
const source = { hash: 'h', template, selector };
const made = buildPod(owner, source, 'web-h-abcde');
const stored = { ...made, metadata: { ...made.metadata, uid: 'u', resourceVersion: '7' } } as Pod;

/** The pod as it comes back with other metadata or another spec. */
const admitted = (metadata: object, spec: object = {}): Pod => ({
  metadata: { ...stored.metadata, ...metadata },
  spec: { ...stored.spec, ...spec },
});

describe('what a pod lost on its way in', () => {
  const labels = { ...stored.metadata.labels };
  const stranger = { apiVersion: 'v1', kind: 'X', name: 'x', uid: 'x', controller: true };

  it.each([
    { name: 'nothing', pod: stored, lost: undefined },
    {
      name: 'nothing, when labels that nobody selects by are changed, and others added',
      pod: admitted({ labels: { ...labels, team: 'b', injected: 'yes', 'controller-revision-hash': 'x' } }),
      lost: undefined,
    },
    {
      name: 'nothing, when it got a second owner that does not control it',
      pod: admitted({
        ownerReferences: [{ ...stranger, controller: false }, ...(stored.metadata.ownerReferences ?? [])],
      }),
      lost: undefined,
    },
    { name: 'all labels', pod: admitted({ labels: {} }), lost: 'the labels app=web,pod-template-hash in (h)' },
    { name: 'one label', pod: admitted({ labels: { ...labels, app: 'x' } }), lost: 'the labels app=web' },
    {
      name: 'its hash',
      pod: admitted({ labels: { ...labels, 'pod-template-hash': 'x' } }),
      lost: 'the labels pod-template-hash in (h)',
    },
    { name: 'its owner', pod: admitted({ ownerReferences: [] }), lost: 'its owner reference' },
    { name: 'its owner to another', pod: admitted({ ownerReferences: [stranger] }), lost: 'its owner reference' },
    { name: 'its name', pod: admitted({ name: 'other' }), lost: 'its name "web-h-abcde"' },
    { name: 'its node', pod: admitted({}, { affinity: {} }), lost: 'its affinity to node "node-1"' },
    {
      name: 'its node to another',
      pod: admitted({}, { affinity: affinityTo('node-2') }),
      lost: 'its affinity to node "node-1"',
    },
  ])('$name', ({ pod, lost }) => {
    expect(lostOnAdmission(made, pod, source)).toBe(lost);
  });

  it('a pod that may go anywhere may be sent somewhere', () => {
    const anywhere = buildPod(owner, { hash: 'h', template: { ...template, spec: { containers: [] } } }, 'web-h-abcde');
    expect(lostOnAdmission(anywhere, admitted({}, { nodeName: 'node-2' }), source)).toBeUndefined();
  });
});

describe('a template whose pods can never match', () => {
  it('is told by what they cannot match', () => {
    expect(cannotMatch(made, source)).toBeUndefined();
    const mine = { ...source, selector: { matchLabels: { app: 'web', 'pod-template-hash': 'mine' } } };
    expect(cannotMatch(made, mine)).toBe('no pod of this template can match pod-template-hash=mine');
  });
});
