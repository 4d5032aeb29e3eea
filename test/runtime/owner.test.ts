import { describe, expect, it } from '@jest/globals';
import type { OwnerReference } from '../../src/runtime/object.ts';
import { AlreadyOwnedError, asOwner, controllerReference, setControllerReference } from '../../src/runtime/owner.ts';

const widgets = { group: 'test.io', version: 'v1', kind: 'Widget', plural: 'widgets', namespaced: true };
const owner = { metadata: { namespace: 'ns', name: 'mine', uid: 'uid-1', resourceVersion: '1' } };
const reference: OwnerReference = {
  apiVersion: 'test.io/v1',
  kind: 'Widget',
  name: 'mine',
  uid: 'uid-1',
  controller: true,
  blockOwnerDeletion: true,
};
const stranger: OwnerReference = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'theirs', uid: 'uid-2' };
const pod = { kind: 'Pod', metadata: { namespace: 'ns', name: 'pod', labels: { a: 'b' } } };

function owned(...ownerReferences: readonly OwnerReference[]) {
  return { ...pod, metadata: { ...pod.metadata, ownerReferences } };
}

describe('controllerReference', () => {
  it('controls, and blocks foreground deletion', () => {
    expect(controllerReference(asOwner(owner, widgets))).toEqual(reference);
  });
});

describe('setControllerReference', () => {
  it.each([
    { name: 'an object without owners', object: pod, references: [reference] },
    {
      name: 'an object with owners that do not control it',
      object: owned(stranger),
      references: [stranger, reference],
    },
    { name: 'an object of ours', object: owned(reference, stranger), references: [stranger, reference] },
    {
      name: 'an object of ours from before the kind had this version',
      object: owned({ ...reference, apiVersion: 'test.io/v1alpha1', controller: false }),
      references: [reference],
    },
  ])('takes $name and keeps the rest of it', ({ object, references }) => {
    const before = structuredClone(object);
    expect(setControllerReference(object, owner, widgets)).toEqual(owned(...references));
    expect(object).toEqual(before);
  });

  it('refuses an object that another controller has', () => {
    const theirs = owned({ ...stranger, controller: true });
    const take = () => setControllerReference(theirs, owner, widgets);
    expect(take).toThrow(AlreadyOwnedError);
    expect(take).toThrow('Pod "pod" is already controlled by ReplicaSet "theirs" (uid uid-2)');
    expect(take).toThrow(expect.objectContaining({ name: 'AlreadyOwnedError' }));
  });

  it('refuses an owner of the same name that has gone before', () => {
    expect(() => setControllerReference(owned({ ...reference, uid: 'uid-0' }), owner, widgets)).toThrow('uid uid-0');
  });

  it.each([
    { name: 'another namespace', namespace: 'other', message: 'Pod "pod" is in namespace "other"' },
    { name: 'no namespace', namespace: undefined, message: 'Pod "pod" is in no namespace' },
  ])('refuses an object in $name, which the garbage collector would delete', ({ namespace, message }) => {
    const metadata = namespace === undefined ? { name: 'pod' } : { name: 'pod', namespace };
    expect(() => setControllerReference({ kind: 'Pod', metadata }, owner, widgets)).toThrow(message);
  });

  it('lets an owner without namespace have objects everywhere', () => {
    const clusterWide = { metadata: { name: 'mine', uid: 'uid-1', resourceVersion: '1' } };
    expect(setControllerReference(pod, clusterWide, { ...widgets, namespaced: false })).toEqual(owned(reference));
  });

  it('names an object whose name the server will choose', () => {
    const unnamed = {
      metadata: { namespace: 'ns', generateName: 'web-', ownerReferences: [{ ...stranger, controller: true }] },
    };
    expect(() => setControllerReference(unnamed, owner, widgets)).toThrow('object "web-*" is already controlled');
    const { generateName: _, ...metadata } = unnamed.metadata;
    expect(() => setControllerReference({ metadata }, owner, widgets)).toThrow('object "*" is already controlled');
  });
});
