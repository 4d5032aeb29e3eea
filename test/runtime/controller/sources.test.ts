import { describe, expect, it } from '@jest/globals';
import { keyOfOwner, ownKey, subscription } from '../../../src/runtime/controller/sources.ts';
import type { OwnerReference } from '../../../src/runtime/object.ts';
import { FakeSource, object, widgets } from './fake-source.ts';

const owner: OwnerReference = { apiVersion: 'test.io/v1', kind: 'Widget', name: 'mine', uid: 'u', controller: true };

describe('keyOfOwner', () => {
  it.each([
    { name: 'the controlling owner', references: [owner], keys: ['ns/mine'] },
    {
      name: 'an owner of another version of the kind',
      references: [{ ...owner, apiVersion: 'test.io/v2' }],
      keys: ['ns/mine'],
    },
    { name: 'nobody without owners', references: undefined, keys: [] },
    { name: 'nobody when the owner does not control', references: [{ ...owner, controller: false }], keys: [] },
    { name: 'nobody of another kind', references: [{ ...owner, kind: 'Gadget' }], keys: [] },
    { name: 'nobody of another group', references: [{ ...owner, apiVersion: 'other.io/v1' }], keys: [] },
    { name: 'nobody of the core group', references: [{ ...owner, apiVersion: 'v1' }], keys: [] },
    {
      name: 'the one of several that controls',
      references: [{ ...owner, controller: false, name: 'x' }, owner],
      keys: ['ns/mine'],
    },
  ])('finds $name', ({ references, keys }) => {
    const child = object({ name: 'child', ...(references === undefined ? {} : { ownerReferences: references }) });
    expect([...keyOfOwner(widgets)(child)]).toEqual(keys);
  });

  it('finds an owner that lives in no namespace', () => {
    const child = object({ ownerReferences: [owner] });
    expect([...keyOfOwner({ ...widgets, namespaced: false })(child)]).toEqual(['mine']);
  });

  it('finds an owner of the core group', () => {
    const pod = { group: '', version: 'v1', kind: 'Widget', plural: 'widgets', namespaced: true };
    expect([...keyOfOwner(pod)(object({ ownerReferences: [{ ...owner, apiVersion: 'v1' }] }))]).toEqual(['ns/mine']);
  });
});

describe('subscription', () => {
  it('concerns the owner before a change as well as the one after it', () => {
    const source = new FakeSource();
    const keys: string[] = [];
    subscription(source, keyOfOwner(widgets), []).start((key) => keys.push(key));
    source.put(object({ ownerReferences: [owner] }));
    keys.length = 0;
    source.put(object({ ownerReferences: [{ ...owner, name: 'yours' }] }));
    expect(keys.sort()).toEqual(['ns/mine', 'ns/yours']);
  });

  it('names a key once for an update that keeps its owner', () => {
    const source = new FakeSource();
    const keys: string[] = [];
    subscription(source, ownKey, []).start((key) => keys.push(key));
    source.put(object());
    source.put(object({ resourceVersion: '2' }));
    expect(keys).toEqual(['ns/w', 'ns/w']);
  });

  it('leaves out what any predicate refuses', () => {
    const source = new FakeSource();
    const keys: string[] = [];
    const isNew = (change: { type: string }) => change.type === 'added';
    subscription(source, ownKey, [() => true, isNew]).start((key) => keys.push(key));
    source.put(object());
    source.put(object({ resourceVersion: '2' }));
    expect(keys).toEqual(['ns/w']);
  });

  it('knows what is merely told again', () => {
    const source = new FakeSource();
    const told: string[] = [];
    subscription(source, ownKey, []).start((_key, freshness) => told.push(freshness));
    source.sync(object());
    source.put(object());
    source.put(object({ resourceVersion: '2' }));
    expect(told).toEqual(['replayed', 'replayed', 'live']);
  });

  it('ends when asked to', () => {
    const source = new FakeSource();
    const end = subscription(source, ownKey, []).start(() => {});
    expect(source.handlers).toBe(1);
    end();
    expect(source.handlers).toBe(0);
  });
});
