import { beforeEach, describe, expect, it } from '@jest/globals';
import { WrittenVersions } from '../../../src/runtime/consistency/written-versions.ts';

const owner = { key: 'owner1', uid: 'uid-1' };

let synced: Map<string, string>;
let written: WrittenVersions;

beforeEach(() => {
  synced = new Map();
  written = new WrittenVersions();
});

const lastSynced = (groupResource: string): string | undefined => synced.get(groupResource);

function staleRead(ownerKey = owner.key): object | undefined {
  return written.staleRead(ownerKey, lastSynced);
}

// The cases of consistency_test.go, seen from outside: what is recorded is what a cache at version 1 is told to reach.
describe('consistency_test', () => {
  it('TestOwnerRecord_WroteAt', () => {
    synced.set('pods', '1').set('daemonsets.apps', '1');
    written.wrote(owner, 'pods', '5');
    expect(staleRead()).toEqual({ groupResource: 'pods', written: '5', synced: '1' });
    written.wrote(owner, 'pods', '10');
    expect(staleRead()).toMatchObject({ written: '10' });
    written.wrote(owner, 'pods', '8');
    expect(staleRead()).toMatchObject({ written: '10' });
    written.wrote(owner, 'daemonsets.apps', '2');
    expect(staleRead()).toMatchObject({ groupResource: 'pods', written: '10' });
    synced.set('pods', '10');
    expect(staleRead()).toMatchObject({ groupResource: 'daemonsets.apps', written: '2' });
  });

  it('TestOwnerRecord_IsReady', () => {
    expect(written.isStale(owner.key, lastSynced)).toBe(false);
    written.wrote(owner, 'pods', '10');
    synced.set('pods', '5');
    expect(written.isStale(owner.key, lastSynced)).toBe(true);
    synced.set('pods', '10');
    expect(written.isStale(owner.key, lastSynced)).toBe(false);
    synced.set('pods', '15').set('daemonsets.apps', '50');
    written.wrote(owner, 'pods', '12');
    written.wrote(owner, 'daemonsets.apps', '100');
    expect(written.isStale(owner.key, lastSynced)).toBe(true);
    synced.set('daemonsets.apps', '100');
    expect(written.isStale(owner.key, lastSynced)).toBe(false);
  });

  it('TestOwnerRecord_IsReady: a write without a cache to read it from holds nobody back', () => {
    written.wrote(owner, 'pods', '10');
    expect(staleRead()).toBeUndefined();
  });

  it('TestConsistencyStore_New', () => {
    expect(written.size).toBe(0);
    expect(staleRead('anybody')).toBeUndefined();
  });

  it('TestConsistencyStore_EnsureWrittenRecord', () => {
    synced.set('pods', '1');
    written.wrote(owner, 'pods', '10');
    written.wrote(owner, 'pods', '20');
    expect(written.size).toBe(1);
    written.wrote({ ...owner, uid: 'uid-2' }, 'pods', '5');
    expect(written.size).toBe(1);
    expect(staleRead()).toMatchObject({ written: '5' });
  });

  it('TestConsistencyStore_WroteAt', () => {
    synced.set('pods', '15');
    written.wrote(owner, 'pods', '10');
    written.wrote(owner, 'pods', '20');
    expect(staleRead()).toEqual({ groupResource: 'pods', written: '20', synced: '15' });
  });

  it('TestConsistencyStore_Clear', () => {
    const other = { key: 'owner2', uid: 'uid-2' };
    written.wrote(owner, 'pods', '1');
    written.wrote(other, 'pods', '1');
    written.forget('non-existent', 'uid-1');
    expect(written.size).toBe(2);
    written.forget(owner.key, 'uid-2');
    expect(written.size).toBe(2);
    written.forget(owner.key, 'uid-1');
    expect(written.size).toBe(1);
    written.wrote(owner, 'pods', '1');
    written.forget(owner.key);
    expect(written.size).toBe(1);
    synced.set('pods', '1');
    written.wrote(other, 'pods', '2');
    expect(staleRead(other.key)).toMatchObject({ written: '2' });
  });

  it('TestConsistencyStore_IsReady', () => {
    synced.set('pods', '5');
    written.wrote(owner, 'pods', '10');
    expect(written.isStale(owner.key, lastSynced)).toBe(true);
    expect(written.size).toBe(1);
    synced.set('pods', '10');
    expect(written.isStale(owner.key, lastSynced)).toBe(false);
    expect(written.size).toBe(0);
  });
});

describe('WrittenVersions', () => {
  it('compares versions as numbers, however long', () => {
    synced.set('pods', '9');
    written.wrote(owner, 'pods', '10');
    expect(written.isStale(owner.key, lastSynced)).toBe(true);
    synced.set('pods', '18446744073709551615000');
    written.wrote(owner, 'pods', '18446744073709551615001');
    expect(written.isStale(owner.key, lastSynced)).toBe(true);
  });

  it.each([
    { name: 'written', written: 'abc', synced: '5' },
    { name: 'read', written: '5', synced: '' },
  ])('never waits for a version that is not a number: $name', (versions) => {
    synced.set('pods', versions.synced);
    written.wrote(owner, 'pods', versions.written);
    expect(written.isStale(owner.key, lastSynced)).toBe(false);
  });
});
