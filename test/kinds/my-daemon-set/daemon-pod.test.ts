import { describe, expect, it } from '@jest/globals';
import { daemonPodTemplate, imageHash } from '../../../src/kinds/my-daemon-set/daemon-pod.ts';
import { tolerations } from '../../../src/kinds/my-daemon-set/eligibility.ts';
import { nodePodName } from '../../../src/workload/pod-name.ts';

describe('the name of a pod', () => {
  it.each([
    { name: 'short', set: 'agent', node: 'node-1', begins: 'agent-node-1-' },
    {
      name: 'with dots',
      set: 'my.agent',
      node: 'ip-10-0-0-1.ec2.internal',
      begins: 'my-agent-ip-10-0-0-1-ec2-internal-',
    },
    { name: 'long', set: 'a'.repeat(63), node: 'n'.repeat(253), begins: 'aaaa' },
  ])('$name: is a host name, and tells set and node', ({ set, node, begins }) => {
    const pod = nodePodName(set, node);
    expect(pod).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
    expect(pod.length).toBeLessThanOrEqual(63);
    expect(pod.startsWith(begins)).toBe(true);
    expect(nodePodName(set, node)).toBe(pod);
  });

  it('is as long as it may be when set and node are longer', () => {
    expect(nodePodName('a'.repeat(63), 'n'.repeat(253))).toHaveLength(63);
  });

  it('is another one for another set, node or attempt', () => {
    const names = [
      nodePodName('a', 'b-c'),
      nodePodName('a-b', 'c'),
      nodePodName('a', 'b-c', 1),
      nodePodName('a', 'b-c', 2),
      nodePodName('a'.repeat(60), `${'n'.repeat(60)}1`),
      nodePodName('a'.repeat(60), `${'n'.repeat(60)}2`),
    ];
    expect(new Set(names).size).toBe(names.length);
  });

  it('is the same in every version of the operator: two versions would not see that a node has its pod', () => {
    expect(nodePodName('mydaemonset-sample', 'node-0')).toBe('mydaemonset-sample-node-0-7d87f567d5');
  });
});

it('the hash of an image is the same in every version of the operator: another one would roll every fleet', () => {
  expect(imageHash('agent:v2')).toBe('576497bbb6');
});

it('a pod goes to its node, through the scheduler', () => {
  expect(daemonPodTemplate('agent', 'agent:v2', 'node-1')).toEqual({
    metadata: { labels: { 'apps.zhongmingmao.io/mydaemonset': 'agent' } },
    spec: {
      containers: [{ name: 'app', image: 'agent:v2' }],
      tolerations,
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-1'] }] }],
          },
        },
      },
    },
  });
});
