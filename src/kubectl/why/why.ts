// `why NAME`: reads everything that could hold a rollout up, and says what does. What the user may not read is left out
// and named, so that a missing cause is not taken for health.

import { observe } from '../../kinds/my-deployment/plan/snapshot.ts';
import {
  type Event,
  events,
  type Pod as FullPod,
  type Lease,
  leases,
  nodes,
  persistentVolumeClaims,
  podDisruptionBudgets,
} from '../../runtime/built-in.ts';
import { isApiError } from '../../runtime/errors.ts';
import type { KubeObject } from '../../runtime/object.ts';
import { groupResourceOf, type Resource } from '../../runtime/resource.ts';
import type { Pod } from '../../workload/pod.ts';
import { type Context, type ObjectContext, readTarget } from '../context.ts';
import { readFacts } from '../get/get.ts';
import { printable } from '../terminal/printable.ts';
import { styleFor } from '../terminal/style.ts';
import { why as diagnose, whyLines } from './diagnosis.ts';

/** Where the operator is installed, and what its lease is called. */
const LEASE = { namespace: 'mydeployment-system', name: 'mydeployment-controller-manager' };

export async function why(context: ObjectContext): Promise<number> {
  const { console, wallNow } = context;
  const object = await readTarget(context);
  const unread: string[] = [];
  const read = <T extends KubeObject>(resource: Resource<T>): Promise<readonly T[]> =>
    readAllowed(context, resource, unread);
  const [facts, allEvents, allNodes, claims, budgets, lease] = await Promise.all([
    readFacts(context, object),
    read(events),
    read(nodes),
    read(persistentVolumeClaims),
    read(podDisruptionBudgets),
    readLease(context, unread),
  ]);
  const now = wallNow();
  const rollout = observe({ ...facts, pods: facts.pods as readonly Pod[] }, now);
  const own = new Set(rollout.pods.owned.map(({ metadata }) => metadata.uid));
  const pods = facts.pods.filter(({ metadata }) => own.has(metadata.uid));
  const causes = diagnose({
    rollout,
    pods,
    events: eventsAbout(allEvents, [object, ...pods]),
    nodes: allNodes,
    claims,
    budgets,
    lease,
    now,
  });
  const where = context.flags.on('all-namespaces') ? ` in namespace ${context.namespace}` : '';
  const lines = whyLines(`${object.metadata.name}${where}`, printable(causes), styleFor(console.colour));
  console.out.write(`${lines.join('\n')}\n`);
  if (unread.length > 0) console.err.write(`You are not allowed to read, so not considered: ${unread.join(', ')}\n`);
  return 0;
}

/** The events about these objects, oldest first. */
function eventsAbout(all: readonly Event[], objects: readonly (KubeObject | FullPod)[]): Event[] {
  const uids = new Set(objects.map(({ metadata }) => metadata.uid));
  const time = ({ lastTimestamp, eventTime, metadata }: Event): string =>
    lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '';
  return all
    .filter(({ involvedObject }) => uids.has(involvedObject.uid ?? ''))
    .toSorted((one, other) => (time(one) < time(other) ? -1 : Number(time(one) > time(other))));
}

async function readAllowed<T extends KubeObject>(
  { client, namespace, console }: Context,
  resource: Resource<T>,
  unread: string[],
): Promise<readonly T[]> {
  const scope = resource.namespaced ? { namespace } : {};
  try {
    return (await client.list(resource, { ...scope, signal: console.interrupted })).items;
  } catch (error) {
    if (!isApiError(error, 'Forbidden', 'NotFound')) throw error;
    unread.push(`${groupResourceOf(resource)}${resource.namespaced ? ` in namespace ${namespace}` : ''}`);
    return [];
  }
}

/** Few users may read it, and an operator that elects no leader has none. */
async function readLease({ client, console }: Context, unread: string[]): Promise<Lease | undefined> {
  try {
    return await client.get(leases, LEASE, { signal: console.interrupted });
  } catch (error) {
    if (isApiError(error, 'NotFound')) return undefined;
    if (!isApiError(error, 'Forbidden')) throw error;
    unread.push(`${groupResourceOf(leases)} in namespace ${LEASE.namespace}`);
    return undefined;
  }
}
