import { describe, expect, it } from '@jest/globals';
import { PodTally, type WatchedPod } from './pod-tally.ts';

function pod(uid: string, { app = 'web', image = 'v1', ready = false, leaving = false } = {}): WatchedPod {
  return {
    metadata: {
      name: `pod-${uid}`,
      uid,
      resourceVersion: '1',
      labels: { app },
      ...(leaving && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    },
    spec: { containers: [{ image }] },
    status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
  };
}

const numbers = (tally: PodTally) => ({
  present: tally.present,
  active: tally.active,
  created: tally.created,
  v1: tally.ready('v1'),
  v2: tally.ready('v2'),
});

describe('PodTally', () => {
  it('follows a pod through its life', () => {
    const tally = new PodTally();
    const seen = (
      [
        ['ADDED', pod('a')],
        ['MODIFIED', pod('a', { ready: true })],
        ['MODIFIED', pod('a', { ready: true })],
        ['MODIFIED', pod('a', { ready: true, leaving: true })],
        ['DELETED', pod('a', { leaving: true })],
      ] as const
    ).map(([type, object]) => {
      tally.observe(type, object, 0);
      return numbers(tally);
    });
    expect(seen).toEqual([
      { present: 1, active: 1, created: 1, v1: 0, v2: 0 },
      { present: 1, active: 1, created: 1, v1: 1, v2: 0 },
      { present: 1, active: 1, created: 1, v1: 1, v2: 0 },
      { present: 1, active: 0, created: 1, v1: 0, v2: 0 },
      { present: 0, active: 0, created: 1, v1: 0, v2: 0 },
    ]);
  });

  it('tells the images apart', () => {
    const tally = new PodTally();
    tally.observe('ADDED', pod('old', { ready: true }), 0);
    tally.observe('ADDED', pod('new', { image: 'v2', ready: true }), 0);
    expect(numbers(tally)).toEqual({ present: 2, active: 2, created: 2, v1: 1, v2: 1 });
  });

  it('counts a pod that is changed in place for the image that its container has', () => {
    const tally = new PodTally();
    const changed = pod('a', { image: 'v2', ready: true });
    const before = { ...changed, status: { ...changed.status, containerStatuses: [{ image: 'v1' }] } };
    tally.observe('ADDED', before, 0);
    expect(numbers(tally)).toMatchObject({ v1: 1, v2: 0 });
    tally.observe('MODIFIED', { ...before, status: { ...before.status, containerStatuses: [{ image: 'v2' }] } }, 0);
    expect(numbers(tally)).toMatchObject({ v1: 0, v2: 1 });
  });

  it('takes a pod for deleted as soon as it is on its way out, and when it is gone', () => {
    const tally = new PodTally();
    tally.observe('ADDED', pod('a'), 0);
    expect(tally.isDeleted('a')).toBe(false);
    tally.observe('MODIFIED', pod('a', { leaving: true }), 0);
    expect(tally.isDeleted('a')).toBe(true);
    tally.observe('DELETED', pod('a'), 0);
    expect(tally.isDeleted('a')).toBe(true);
  });

  it('knows when the active or Ready pods of an object last changed', () => {
    const tally = new PodTally();
    const seen = (
      [
        ['ADDED', pod('a')],
        ['MODIFIED', pod('a')], // scheduled
        ['MODIFIED', pod('a', { ready: true })],
        ['MODIFIED', pod('a', { ready: true, leaving: true })],
        ['DELETED', pod('a', { ready: true, leaving: true })],
        ['ADDED', pod('b', { app: 'other' })],
      ] as const
    ).map(([type, object], at) => {
      tally.observe(type, object, at);
      return tally.changedAt('web');
    });
    expect(seen).toEqual([0, 0, 2, 3, 3, 3]);
    expect(tally.changedAt('other')).toBe(5);
  });

  it('knows from a list that pods are gone', () => {
    const tally = new PodTally();
    tally.observe('ADDED', pod('a'), 1);
    tally.observe('ADDED', pod('b', { app: 'other', leaving: true }), 1);
    tally.replace([], 2);
    expect([tally.changedAt('web'), tally.changedAt('other')]).toEqual([2, undefined]);
  });

  it('lists active pods only, oldest first', () => {
    const tally = new PodTally();
    for (const uid of ['b', 'a', 'c']) tally.observe('ADDED', pod(uid), 0);
    tally.observe('MODIFIED', pod('a', { leaving: true }), 0);
    expect(tally.list()).toEqual([
      { uid: 'b', name: 'pod-b' },
      { uid: 'c', name: 'pod-c' },
    ]);
  });

  it('believes a list: what is not in it is gone, what is new was created', () => {
    const tally = new PodTally();
    tally.observe('ADDED', pod('gone', { ready: true }), 0);
    tally.observe('ADDED', pod('stays'), 0);
    tally.replace([pod('stays', { ready: true }), pod('new', { image: 'v2', ready: true })], 0);
    expect(numbers(tally)).toEqual({ present: 2, active: 2, created: 3, v1: 1, v2: 1 });
  });
});
