import { describe, expect, it } from '@jest/globals';
import { buildPod } from '../../src/workload/build-pod.ts';
import { cutName, isPodName, podName } from '../../src/workload/pod-name.ts';

const owner = {
  apiVersion: 'kubebuilder.zq.com/v1beta1',
  kind: 'MyDeployment',
  metadata: { name: 'web', namespace: 'shop', uid: 'web-uid', resourceVersion: '1' },
};

describe('a pod from a template', () => {
  it('has everything the template asks for, its owner and its revision', () => {
    const template = {
      metadata: {
        labels: { app: 'web', 'pod-template-hash': 'stale' },
        annotations: { team: 'a' },
        finalizers: ['example.com/drain'],
        name: 'ignored',
        creationTimestamp: '2026-01-01T00:00:00Z',
      },
      spec: { containers: [{ name: 'web', image: 'web:1' }], fieldOfTheFuture: { on: true } },
    };
    expect(buildPod(owner, { hash: '57766f7c78', template }, 'web-57766f7c78-abcde')).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'web-57766f7c78-abcde',
        namespace: 'shop',
        labels: { app: 'web', 'controller-revision-hash': '57766f7c78', 'pod-template-hash': '57766f7c78' },
        annotations: { team: 'a' },
        finalizers: ['example.com/drain'],
        ownerReferences: [
          {
            apiVersion: 'kubebuilder.zq.com/v1beta1',
            kind: 'MyDeployment',
            name: 'web',
            uid: 'web-uid',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: { containers: [{ name: 'web', image: 'web:1' }], fieldOfTheFuture: { on: true } },
    });
  });

  it('of a kind without revisions carries the labels of the template only', () => {
    const template = { metadata: { labels: { app: 'nap' } }, spec: { containers: [] } };
    expect(buildPod(owner, { template }, 'x').metadata.labels).toEqual({ app: 'nap' });
    expect(podName('nap', undefined, 'abcde')).toBe('nap-pod-abcde');
  });

  it('needs no metadata in the template', () => {
    const { metadata } = buildPod(owner, { hash: 'h', template: { spec: { containers: [] } } }, 'x');
    expect(metadata).toMatchObject({ labels: { 'controller-revision-hash': 'h', 'pod-template-hash': 'h' } });
    expect(Object.keys(metadata)).toEqual(['name', 'namespace', 'labels', 'ownerReferences']);
  });
});

describe('sync_test.go TestGenerateReplicaSetName and CloneSet #531: names of pods', () => {
  it.each([
    { name: 'short', owner: 'web', pod: 'web-57766f7c78-abcde' },
    { name: 'just fits', owner: 'a'.repeat(46), pod: `${'a'.repeat(46)}-57766f7c78-abcde` },
    { name: 'very long', owner: 'a'.repeat(253), pod: `${'a'.repeat(46)}-57766f7c78-abcde` },
    { name: 'cut at a dot', owner: `${'a'.repeat(45)}.example`, pod: `${'a'.repeat(45)}-57766f7c78-abcde` },
    { name: 'cut at a dash', owner: `${'a'.repeat(44)}--example`, pod: `${'a'.repeat(44)}-57766f7c78-abcde` },
  ])('$name: a pod name is a valid host name', ({ owner: ownerName, pod }) => {
    const name = podName(ownerName, '57766f7c78', 'abcde');
    expect(name).toBe(pod);
    expect(name.length).toBeLessThanOrEqual(63);
    expect(name).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
  });

  it('leaves a name that fits as it is', () => {
    expect(cutName('a-', 2)).toBe('a-');
    expect(cutName('a-b', 2)).toBe('a');
    expect(cutName('a-b.c-d', 6)).toBe('a-b.c');
  });

  it.each([
    { name: 'nap-pod-abcde', owner: 'nap', is: true },
    { name: 'nap-pod-abcd', owner: 'nap', is: false },
    { name: 'nap-pod-abcdef', owner: 'nap', is: false },
    { name: 'nap-abcde', owner: 'nap', is: false },
    { name: 'nip-pod-abcde', owner: 'nap', is: false },
    { name: 'probe', owner: 'nap', is: false },
    { name: podName('a'.repeat(253), undefined, 'abcde'), owner: 'a'.repeat(253), is: true },
  ])('$name may be a pod of $owner: $is', ({ name, owner: ownerName, is }) => {
    expect(isPodName(name, ownerName)).toBe(is);
  });
});
