import { beforeEach, describe, expect, it } from '@jest/globals';
import { WrittenVersions } from '../../../src/runtime/consistency/written-versions.ts';

let synced: Map<string, string>;
let written: WrittenVersions;

beforeEach(() => {
  synced = new Map();
  written = new WrittenVersions();
});

const lastSynced = (groupResource: string): string | undefined => synced.get(groupResource);

function staleRead(): object | undefined {
  return written.staleRead('default', lastSynced);
}

const isStale = (): boolean => staleRead() !== undefined;

// The cases of consistency_test.go, seen from outside: what is recorded is what a cache at version 1 is told to reach.
describe('consistency_test', () => {
  it('TestOwnerRecord_WroteAt', () => {
    synced.set('pods', '1').set('daemonsets.apps', '1');
    written.wrote('pods', '5');
    expect(staleRead()).toEqual({ groupResource: 'pods', written: '5', synced: '1' });
    written.wrote('pods', '10');
    expect(staleRead()).toMatchObject({ written: '10' });
    written.wrote('pods', '8');
    expect(staleRead()).toMatchObject({ written: '10' });
    written.wrote('daemonsets.apps', '2');
    expect(staleRead()).toMatchObject({ groupResource: 'pods', written: '10' });
    synced.set('pods', '10');
    expect(staleRead()).toMatchObject({ groupResource: 'daemonsets.apps', written: '2' });
  });

  it('TestOwnerRecord_IsReady', () => {
    expect(isStale()).toBe(false);
    written.wrote('pods', '10');
    synced.set('pods', '5');
    expect(isStale()).toBe(true);
    synced.set('pods', '10');
    expect(isStale()).toBe(false);
    synced.set('pods', '15').set('daemonsets.apps', '50');
    written.wrote('pods', '12');
    written.wrote('daemonsets.apps', '100');
    expect(isStale()).toBe(true);
    synced.set('daemonsets.apps', '100');
    expect(isStale()).toBe(false);
  });

  it('TestOwnerRecord_IsReady: a write without a cache to read it from holds nobody back', () => {
    written.wrote('pods', '10');
    expect(staleRead()).toBeUndefined();
  });

  it('TestConsistencyStore_WroteAt', () => {
    synced.set('pods', '15');
    written.wrote('pods', '10');
    written.wrote('pods', '20');
    expect(staleRead()).toEqual({ groupResource: 'pods', written: '20', synced: '15' });
  });

  it('TestConsistencyStore_IsReady', () => {
    synced.set('pods', '5');
    expect(isStale()).toBe(false);
    written.wrote('pods', '10');
    expect(isStale()).toBe(true);
    synced.set('pods', '10');
    expect(isStale()).toBe(false);
    // Forgotten, and not asked for again.
    synced.set('pods', '5');
    expect(isStale()).toBe(false);
  });
});

describe('WrittenVersions', () => {
  it('compares versions as numbers, however long', () => {
    synced.set('pods', '9');
    written.wrote('pods', '10');
    expect(isStale()).toBe(true);
    synced.set('pods', '18446744073709551615000');
    written.wrote('pods', '18446744073709551615001');
    expect(isStale()).toBe(true);
  });

  it.each([
    { name: 'written', written: 'abc', synced: '5' },
    { name: 'read', written: '5', synced: '' },
  ])('never waits for a version that is not a number: $name', (versions) => {
    synced.set('pods', versions.synced);
    written.wrote('pods', versions.written);
    expect(isStale()).toBe(false);
  });
});
