import { describe, expect, it } from '@jest/globals';
import { eligibilityOf, tolerations } from '../../../src/kinds/my-daemon-set/eligibility.ts';
import { node } from './fixture.ts';

const of = (what: string) => `node.kubernetes.io/${what}`;

describe('what taints mean for a node', () => {
  it.each<{ name: string; taints: string[]; eligibility: string }>([
    { name: 'none', taints: [], eligibility: 'run' },
    { name: 'cordoned', taints: [`${of('unschedulable')}:NoSchedule`], eligibility: 'run' },
    { name: 'short of memory', taints: [`${of('memory-pressure')}:NoSchedule`], eligibility: 'run' },
    { name: 'short of disk', taints: [`${of('disk-pressure')}:NoSchedule`], eligibility: 'run' },
    { name: 'short of processes', taints: [`${of('pid-pressure')}:NoSchedule`], eligibility: 'run' },
    { name: 'about to be not ready', taints: [`${of('not-ready')}:NoExecute`], eligibility: 'run' },
    {
      name: 'not ready',
      taints: [`${of('not-ready')}:NoSchedule`, `${of('not-ready')}:NoExecute`],
      eligibility: 'keep',
    },
    {
      name: 'unreachable',
      taints: [`${of('unreachable')}:NoSchedule`, `${of('unreachable')}:NoExecute`],
      eligibility: 'keep',
    },
    { name: 'without network', taints: [`${of('network-unavailable')}:NoSchedule`], eligibility: 'keep' },
    { name: 'better left alone', taints: ['PreferNoSchedule'], eligibility: 'run' },
    { name: 'dedicated', taints: ['NoSchedule'], eligibility: 'keep' },
    { name: 'being emptied', taints: ['NoExecute'], eligibility: 'leave' },
    { name: 'dedicated and being emptied', taints: ['NoSchedule', 'NoExecute'], eligibility: 'leave' },
  ])('$name: $eligibility', ({ taints, eligibility }) => {
    expect(eligibilityOf(node('n', ...taints))).toBe(eligibility);
  });

  it('a node without a spec takes the pod', () => {
    const { metadata } = node('n');
    expect(eligibilityOf({ metadata })).toBe('run');
  });
});

it('tolerates what the pods of a native DaemonSet tolerate', () => {
  const written = tolerations.map(({ key, operator, effect }) => `${key} ${operator} ${effect}`);
  expect(written.sort()).toEqual([
    'node.kubernetes.io/disk-pressure Exists NoSchedule',
    'node.kubernetes.io/memory-pressure Exists NoSchedule',
    'node.kubernetes.io/not-ready Exists NoExecute',
    'node.kubernetes.io/pid-pressure Exists NoSchedule',
    'node.kubernetes.io/unreachable Exists NoExecute',
    'node.kubernetes.io/unschedulable Exists NoSchedule',
  ]);
});
