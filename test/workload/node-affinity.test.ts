import { describe, expect, it } from '@jest/globals';
import { affinityTo, targetNode } from '../../src/workload/node-affinity.ts';
import type { Pod } from '../../src/workload/pod.ts';

const terms = (matchFields: object[]) =>
  ({
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] } },
  }) as NonNullable<Pod['spec']>['affinity'] & object;

describe('the node of a pod', () => {
  it.each<{ name: string; spec: Pod['spec']; node: string | undefined }>([
    { name: 'where it is', spec: { nodeName: 'a' }, node: 'a' },
    { name: 'where it is, whatever it wanted', spec: { nodeName: 'a', affinity: affinityTo('b') }, node: 'a' },
    { name: 'where it has to go', spec: { affinity: affinityTo('b') }, node: 'b' },
    { name: 'none: it may go anywhere', spec: {}, node: undefined },
    { name: 'none: nobody said anything', spec: undefined, node: undefined },
    {
      name: 'none: it may go to several',
      spec: { affinity: terms([{ key: 'metadata.name', operator: 'In', values: ['a', 'b'] }]) },
      node: undefined,
    },
    {
      name: 'none: it may go anywhere but to one',
      spec: { affinity: terms([{ key: 'metadata.name', operator: 'NotIn', values: ['a'] }]) },
      node: undefined,
    },
    {
      name: 'none: another field',
      spec: { affinity: terms([{ key: 'spec.x', operator: 'In', values: ['a'] }]) },
      node: undefined,
    },
    { name: 'none: terms without fields', spec: { affinity: { nodeAffinity: {} } }, node: undefined },
  ])('$name', ({ spec, node }) => {
    expect(targetNode(spec === undefined ? {} : { spec })).toBe(node);
  });
});
