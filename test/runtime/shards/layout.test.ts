import { describe, expect, it } from '@jest/globals';
import {
  clusterLease,
  GROUP_LABEL,
  groupIdentity,
  rangeLease,
  rangeLeaseOf,
  shardOfLease,
  shardsOfGroup,
} from '../../../src/runtime/shards/layout.ts';
import { containsNamespace, rangesOf } from '../../../src/runtime/shards/range.ts';

describe('the leases of a group', () => {
  it.each([1, 4, 256])('say that there are %d shards', (shards) => {
    expect(shardsOfGroup(groupIdentity(shards))).toBe(shards);
  });

  it.each([undefined, '', 'pod-1_d6f8', '4 shards of web', 'all 4 shards', 'shards'])(
    'held by %j are those of a leader',
    (holder) => {
      expect(shardsOfGroup(holder)).toBeUndefined();
    },
  );

  it('are found by namespace', () => {
    const names = ['default', 'kube-system', 'shop', '0-team', '1-team', '2-team', '3-team'];
    for (const name of names) {
      const { index } = rangesOf(4).find((range) => containsNamespace(range, name)) ?? {};
      expect(rangeLeaseOf('web', name, 4)).toBe(`web-shard-${index}-of-4`);
    }
    expect(new Set(names.map((name) => rangeLeaseOf('web', name, 4))).size).toBeGreaterThan(1);
  });

  it('have names of their own, and one label', () => {
    expect(clusterLease('web')).toBe('web-cluster');
    expect(GROUP_LABEL).toBe('shards.mydeployment/operator');
  });

  it('tell which range they are of', () => {
    expect(shardOfLease(rangeLease('web', 3, 16))).toBe('3 of 16');
    expect(shardOfLease('web')).toBeUndefined();
    expect(shardOfLease(`${rangeLease('web', 3, 16)}-copy`)).toBeUndefined();
    expect(shardOfLease(undefined)).toBeUndefined();
  });
});
