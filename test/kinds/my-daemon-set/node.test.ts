import { describe, expect, it } from '@jest/globals';
import { type Node, nodeInformer, nodeMatters, trimNode } from '../../../src/kinds/my-daemon-set/node.ts';
import type { Cache } from '../../../src/runtime/cache/cache.ts';
import { node } from './fixture.ts';

describe('a trimmed node', () => {
  it('keeps its name and its taints, and nothing else', () => {
    const full = {
      metadata: { name: 'n', uid: 'u', resourceVersion: '3', labels: { zone: 'a' }, annotations: { big: 'x' } },
      spec: { podCIDR: '10.0.0.0/24', taints: [{ key: 'k', value: 'v', effect: 'NoSchedule', timeAdded: 't' }] },
      status: { images: [] },
    } as unknown as Node;
    expect(trimNode(full)).toEqual({
      metadata: { name: 'n', uid: 'u', resourceVersion: '3' },
      spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] },
    });
  });

  it('needs no taints', () => {
    expect(trimNode({ metadata: { name: 'n', uid: 'u', resourceVersion: '3' } })).toEqual({
      metadata: { name: 'n', uid: 'u', resourceVersion: '3' },
      spec: {},
    });
  });
});

it('nodes are cached trimmed', () => {
  const asked: unknown[] = [];
  nodeInformer({ informer: (...what: readonly unknown[]) => asked.push(...what) } as unknown as Cache);
  expect(asked).toEqual([
    { group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false },
    { transform: trimNode },
  ]);
});

describe('a change of a node', () => {
  const heartbeat = { ...node('n'), metadata: { ...node('n').metadata, resourceVersion: '2' } };
  it.each([
    { name: 'it came', change: { type: 'added', object: node('n') } as const, matters: true },
    { name: 'it went', change: { type: 'deleted', object: node('n') } as const, matters: true },
    {
      name: 'it says that it lives',
      change: { type: 'updated', old: node('n'), object: heartbeat } as const,
      matters: false,
    },
    {
      name: 'it was tainted',
      change: { type: 'updated', old: node('n'), object: node('n', 'NoSchedule') } as const,
      matters: true,
    },
    {
      name: 'its taint got worse',
      change: { type: 'updated', old: node('n', 'NoSchedule'), object: node('n', 'NoExecute') } as const,
      matters: true,
    },
  ])('$name: $matters', ({ change, matters }) => {
    expect(nodeMatters({ ...change, initial: false })).toBe(matters);
  });
});
