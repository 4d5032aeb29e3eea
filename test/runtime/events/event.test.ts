import { describe, expect, it } from '@jest/globals';
import { newEvent, type ObjectReference, referenceTo, repeated } from '../../../src/runtime/events/event.ts';

const now = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const regarding: ObjectReference = {
  apiVersion: 'test.io/v1',
  kind: 'Widget',
  namespace: 'ns',
  name: 'w',
  uid: 'uid-1',
  resourceVersion: '7',
};
const recorded = { type: 'Warning', reason: 'FailedCreate', message: 'no quota' } as const;

function made(changes: { regarding?: Partial<ObjectReference>; message?: string } = {}) {
  const about = { ...regarding, ...changes.regarding };
  return newEvent(about, { ...recorded, message: changes.message ?? 'no quota' }, { component: 'widgets' }, now);
}

describe('newEvent', () => {
  it('is what kubectl describe looks for', () => {
    expect(newEvent(regarding, recorded, { component: 'widgets', instance: 'pod-1' }, now)).toEqual({
      metadata: { namespace: 'ns', name: expect.stringMatching(/^w\.[0-9a-f]{17}$/) },
      involvedObject: regarding,
      ...recorded,
      source: { component: 'widgets', host: 'pod-1' },
      reportingComponent: 'widgets',
      reportingInstance: 'pod-1',
      firstTimestamp: '2026-01-02T03:04:05Z',
      lastTimestamp: '2026-01-02T03:04:05Z',
      count: 1,
    });
  });

  it('has a name of its own each time', () => {
    expect(made().metadata.name).not.toBe(made().metadata.name);
  });

  it('is in the namespace default for an object that has none', () => {
    const { namespace: _, ...clusterWide } = regarding;
    expect(newEvent(clusterWide, recorded, { component: 'c' }, now).metadata.namespace).toBe('default');
  });

  it.each([
    { name: 'as long as names may be', object: 'a'.repeat(253) },
    { name: 'with a dash where it is cut', object: `${'a'.repeat(234)}-${'b'.repeat(18)}` },
  ])('has a valid name for an object whose name is $name', ({ object }) => {
    const { name } = made({ regarding: { name: object } }).metadata;
    expect(name.length).toBeLessThanOrEqual(253);
    expect(name).toMatch(/^[a-z0-9]+\.[0-9a-f]{17}$/);
  });
});

describe('repeated', () => {
  it('counts one more, keeps the first time and takes over the last', () => {
    const first = made();
    expect(repeated(first, 'still no quota', now + 60_000)).toEqual({
      ...first,
      message: 'still no quota',
      lastTimestamp: '2026-01-02T03:05:05Z',
      count: 2,
    });
  });
});

describe('referenceTo', () => {
  it('names the object and its version', () => {
    const { apiVersion, kind, ...metadata } = regarding;
    expect(referenceTo({ apiVersion, kind, metadata: { ...metadata, labels: { a: 'b' } } })).toEqual(regarding);
  });
});
