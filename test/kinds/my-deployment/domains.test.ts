import { describe, expect, it } from '@jest/globals';
import { domainsOf } from '../../../src/kinds/my-deployment/plan/domains.ts';
import type { Node } from '../../../src/workload/node.ts';
import type { Pod } from '../../../src/workload/pod.ts';
import { attempt } from './attempt-fixture.ts';

const ZONE = 'topology.kubernetes.io/zone';
const node = (name: string, labels?: Readonly<Record<string, string>>): Node => ({
  metadata: { name, uid: name, resourceVersion: '1', ...(labels && { labels }) },
});
const on = (nodeName?: string): Pod => ({
  metadata: { name: 'web-1', uid: 'u', resourceVersion: '1' },
  ...(nodeName !== undefined && { spec: { nodeName } }),
});

describe('the domain of a pod', () => {
  const rollout = attempt({ spec: { pods: { scaleDown: { spreadBy: ZONE } } } });
  const nodes = [node('one', { [ZONE]: 'a' }), node('two', { rack: 'b' }), node('three')];
  const domainOf = domainsOf({ ...rollout, nodes });

  it.each([
    { name: 'the zone of its node', pod: on('one'), domain: 'a' },
    { name: 'none on a node without the label', pod: on('two'), domain: '' },
    { name: 'none on a node without labels', pod: on('three'), domain: '' },
    { name: 'none on a node that is not known', pod: on('four'), domain: '' },
    { name: 'none before it is scheduled', pod: on(), domain: '' },
  ])('is $name', ({ pod, domain }) => {
    expect(domainOf?.(pod)).toBe(domain);
  });

  it('does not count where the policy says nothing of it', () => {
    expect(domainsOf({ ...attempt(), nodes })).toBeUndefined();
  });
});
