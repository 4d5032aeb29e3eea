import { describe, expect, it } from '@jest/globals';
import type { Cache } from '../../src/runtime/cache/cache.ts';
import { type Node, nodeInformer, trimNode } from '../../src/workload/node.ts';

describe('a trimmed node', () => {
  it('keeps its name, labels and taints, whether it is cordoned, and nothing else', () => {
    const full = {
      metadata: { name: 'n', uid: 'u', resourceVersion: '3', labels: { zone: 'a' }, annotations: { big: 'x' } },
      spec: {
        podCIDR: '10.0.0.0/24',
        unschedulable: true,
        taints: [{ key: 'k', value: 'v', effect: 'NoSchedule', timeAdded: 't' }],
      },
      status: { images: [] },
    } as unknown as Node;
    expect(trimNode(full)).toEqual({
      metadata: { name: 'n', uid: 'u', resourceVersion: '3', labels: { zone: 'a' } },
      spec: { taints: [{ key: 'k', effect: 'NoSchedule' }], unschedulable: true },
    });
  });

  it('needs none of them', () => {
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
