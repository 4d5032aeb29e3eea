// `why NAME`: reads everything that can stop a rollout and prints what does. It names what the user may not read, so that a
// cause that it cannot see is not taken for a healthy rollout.

import { rolloutPolicies } from '../../policy/resource.ts';
import {
  events,
  type Lease,
  leases,
  nodes,
  persistentVolumeClaims,
  podDisruptionBudgets,
} from '../../runtime/built-in.ts';
import { isApiError } from '../../runtime/errors.ts';
import type { KubeObject } from '../../runtime/object.ts';
import { groupResourceOf, type Resource } from '../../runtime/resource.ts';
import { type Context, type ObjectContext, readTarget } from '../context.ts';
import { readNear } from '../get/get.ts';
import { rolloutOf } from '../get/view.ts';
import { printable } from '../terminal/printable.ts';
import { styleFor } from '../terminal/style.ts';
import { why as diagnose, whyLines } from './diagnosis.ts';
import { inCharge } from './operator-causes.ts';
import { factsOf, LEASE, leaseFor } from './surroundings.ts';

export async function why(context: ObjectContext): Promise<number> {
  const { console, wallNow } = context;
  const object = await readTarget(context);
  const unread: string[] = [];
  const read = <T extends KubeObject>(resource: Resource<T>): Promise<readonly T[]> =>
    readAllowed(context, resource, unread);
  const [near, policies, allEvents, allNodes, claims, budgets, lease] = await Promise.all([
    readNear(context, object),
    read(rolloutPolicies),
    read(events),
    read(nodes),
    read(persistentVolumeClaims),
    read(podDisruptionBudgets),
    readLease(context, unread),
  ]);
  const rollout = rolloutOf(near, wallNow());
  const around = { policies, events: allEvents, nodes: allNodes, claims, budgets, lease };
  const causes = diagnose(factsOf(rollout, near.pods, around));
  const where = context.flags.on('all-namespaces') ? ` in namespace ${context.namespace}` : '';
  const lines = whyLines(`${object.metadata.name}${where}`, printable(causes), styleFor(console.colour));
  const holder = inCharge(lease);
  if (holder !== undefined) lines.push(styleFor(console.colour).faint(printable(holder)));
  console.out.write(`${lines.join('\n')}\n`);
  if (unread.length > 0) console.err.write(`You are not allowed to read, so not considered: ${unread.join(', ')}\n`);
  return 0;
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
    // A kind that is not installed has no objects.
    const where = resource.namespaced ? ` in namespace ${namespace}` : '';
    if (error.reason === 'Forbidden') unread.push(`${groupResourceOf(resource)}${where}`);
    return [];
  }
}

/** Few users may read the lease, and an operator without leader election has none. */
async function readLease({ client, console, namespace }: Context, unread: string[]): Promise<Lease | undefined> {
  try {
    const own = await client.get(leases, LEASE, { signal: console.interrupted });
    const ref = leaseFor(own, namespace);
    return ref === LEASE ? own : await client.get(leases, ref, { signal: console.interrupted });
  } catch (error) {
    if (isApiError(error, 'NotFound')) return undefined;
    if (!isApiError(error, 'Forbidden')) throw error;
    unread.push(`${groupResourceOf(leases)} in namespace ${LEASE.namespace}`);
    return undefined;
  }
}
