import { describe, expect, it } from '@jest/globals';
import { observeOther, observePod, observeTarget } from '../../../src/kinds/collector/observation.ts';
import type { Target } from '../../../src/kinds/collector/targets.ts';
import type { Change } from '../../../src/runtime/cache/informer.ts';
import { target } from './fixture.ts';

const before = target(3);
const after = target(1, { metadata: { generation: 2 } });

describe('a change of a target', () => {
  it.each<{ name: string; change: Omit<Change<Target>, 'initial'>; seen: object }>([
    {
      name: 'created',
      change: { type: 'added', object: before },
      seen: { type: 'added', cause: { by: 'spec', change: 'created', generation: 1 } },
    },
    {
      name: 'a new generation',
      change: { type: 'updated', old: before, object: after } as Change<Target>,
      seen: { type: 'modified', cause: { by: 'spec', change: 'replicas 3 → 1', generation: 2 } },
    },
    {
      name: 'only its status',
      change: { type: 'updated', old: before, object: target(3, { status: { replicas: 2 } }) } as Change<Target>,
      seen: { type: 'modified' },
    },
    {
      name: 'deleted',
      change: { type: 'deleted', object: after },
      seen: { type: 'deleted', cause: { by: 'spec', change: 'deleted', generation: 2 } },
    },
  ])('$name', ({ change, seen }) => {
    expect(observeTarget('Deployment', { ...change, initial: false } as Change<Target>)).toEqual({
      kind: 'Deployment',
      ...seen,
    });
  });
});

describe('a change of a pod', () => {
  const pod = { metadata: { name: 'p', uid: 'p-uid', resourceVersion: '1' } };
  const going = { metadata: { ...pod.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
  const cause = { by: 'podDeletion', uid: 'p-uid' };

  it.each([
    { name: 'made', change: { type: 'added', object: pod }, seen: { type: 'added' } },
    { name: 'changed', change: { type: 'updated', old: pod, object: pod }, seen: { type: 'modified' } },
    { name: 'asked to go', change: { type: 'updated', old: pod, object: going }, seen: { type: 'modified', cause } },
    { name: 'gone', change: { type: 'deleted', object: going }, seen: { type: 'deleted', cause } },
    { name: 'gone at once', change: { type: 'deleted', object: pod }, seen: { type: 'deleted', cause } },
  ] as const)('$name', ({ change, seen }) => {
    expect(observePod({ ...change, initial: false })).toEqual({ kind: 'Pod', ...seen });
  });

  it('is nobody’s doing when it is something else', () => {
    expect(observeOther('ReplicaSet', { type: 'deleted', object: going, initial: false })).toEqual({
      kind: 'ReplicaSet',
      type: 'deleted',
    });
  });
});
