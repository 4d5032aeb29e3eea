import { describe, expect, it } from '@jest/globals';
import { inCharge } from '../../../src/kubectl/why/operator-causes.ts';
import { LEASE, leaseFor } from '../../../src/kubectl/why/surroundings.ts';
import type { Lease } from '../../../src/runtime/built-in.ts';

function lease(name: string, holderIdentity: string): Lease {
  return { metadata: { name, namespace: LEASE.namespace, uid: 'u', resourceVersion: '1' }, spec: { holderIdentity } };
}

describe('who is in charge of a namespace', () => {
  it('is not worth a word where one replica leads', () => {
    const own = lease(LEASE.name, 'manager-7d9f_3b1c');
    expect(leaseFor(own, 'shop')).toBe(LEASE);
    expect(inCharge(own)).toBeUndefined();
    expect(inCharge(undefined)).toBeUndefined();
  });

  it('is the holder of the range that the namespace is in', () => {
    const { name, namespace } = leaseFor(lease(LEASE.name, '4 shards'), 'shop');
    expect({ name, namespace }).toEqual({
      name: expect.stringMatching(/^mydeployment-controller-manager-shard-[0-3]-of-4$/),
      namespace: 'mydeployment-system',
    });
    const index = /-(\d)-of/.exec(name)?.[1];
    expect(inCharge(lease(name, 'manager-7d9f_3b1c'))).toBe(
      `manager-7d9f works on this namespace (shard ${index} of 4)`,
    );
  });

  it('is nobody while the range has no holder', () => {
    expect(inCharge(lease('web-shard-0-of-2', ''))).toBe('no replica works on this namespace (shard 0 of 2)');
  });
});
