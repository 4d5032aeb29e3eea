// What the diagnosis reads besides the rollout itself: policies, events, nodes, volume claims, disruption budgets and the operator's lease.

import type { Rollout } from '../../kinds/my-deployment/plan/snapshot.ts';
import type { Event, Pod as FullPod, Lease } from '../../runtime/built-in.ts';
import type { KubeObject } from '../../runtime/object.ts';
import { rangeLeaseOf, shardsOfGroup } from '../../runtime/shards/layout.ts';
import type { Facts } from './cause.ts';

/** Where the operator is installed, and what its lease is called. */
export const LEASE = { namespace: 'mydeployment-system', name: 'mydeployment-controller-manager' };

/** The lease of the replica that works on this namespace: the operator's own, unless its replicas share the namespaces. */
export function leaseFor(own: Lease | undefined, namespace: string): typeof LEASE {
  const shards = shardsOfGroup(own?.spec?.holderIdentity);
  return shards === undefined ? LEASE : { ...LEASE, name: rangeLeaseOf(LEASE.name, namespace, shards) };
}

/** Everything there is near the rollout; the events may be about other objects, too. */
export type Surroundings = Pick<Facts, 'policies' | 'events' | 'nodes' | 'claims' | 'budgets' | 'lease'>;

/** What the diagnosis is made from. The pods are those that the rollout was made from, with all their fields. */
export function factsOf(rollout: Rollout, near: readonly FullPod[], around: Surroundings): Facts {
  const own = new Set(rollout.pods.owned.map(({ metadata }) => metadata.uid));
  const pods = near.filter(({ metadata }) => own.has(metadata.uid));
  return { ...around, rollout, pods, events: eventsAbout(around.events, [rollout.object, ...pods]), now: rollout.now };
}

/** The events about these objects, oldest first. */
function eventsAbout(all: readonly Event[], objects: readonly KubeObject[]): Event[] {
  const uids = new Set(objects.map(({ metadata }) => metadata.uid));
  return all
    .filter(({ involvedObject }) => uids.has(involvedObject.uid ?? ''))
    .toSorted((one, other) => (whenOf(one) < whenOf(other) ? -1 : Number(whenOf(one) > whenOf(other))));
}

/** When an event last happened, as its timestamp says it. */
export function whenOf({ lastTimestamp, eventTime, metadata }: Event): string {
  return lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '';
}
