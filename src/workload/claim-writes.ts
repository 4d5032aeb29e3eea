// Adopts orphans and lets go of what stopped matching. Both name the UID of what they were decided about, and adopting
// asks the API server first whether the owner still lives: a cache that lags must not bind pods to an object that is
// gone, where nothing would ever take care of them.

import type { OwnerIdentity } from '../runtime/consistency/owner-identity.ts';
import { type ApiError, isApiError } from '../runtime/errors.ts';
import type { KubeObject } from '../runtime/object.ts';
import type { Resource } from '../runtime/resource.ts';
import type { Action } from './action.ts';
import { controllerReference } from './build-pod.ts';
import type { OwnWrites } from './own-writes.ts';
import { controllerRevisions, pods, type WriteContext } from './write-context.ts';

type Claim = Extract<Action, { do: 'adoptPod' | 'releasePod' | 'adoptRevision' }>;

/** Carries out claims, looking at the live owner once if there is anything to adopt. */
export async function carryOutClaims(context: WriteContext, actions: readonly Claim[]): Promise<void> {
  if (actions.some((action) => action.do !== 'releasePod')) await assertOwnerLives(context);
  const results = await Promise.allSettled(actions.map((action) => carryOutClaim(context, action)));
  const errors = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason as unknown);
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} of ${actions.length} claims failed`);
}

function carryOutClaim(context: WriteContext, action: Claim): Promise<void> {
  switch (action.do) {
    case 'adoptPod':
      return adopt(context, pods, action);
    case 'adoptRevision':
      return adopt(context, controllerRevisions, action);
    case 'releasePod':
      return release(context, action);
    default:
      return action satisfies never;
  }
}

async function assertOwnerLives({ owner, ownerResource, namespace, client, signal }: WriteContext): Promise<void> {
  const { name, uid } = owner.metadata;
  const { metadata } = await client.get(ownerResource, { namespace, name }, { signal });
  if (metadata.uid !== uid) {
    throw new Error(`original ${owner.kind} ${namespace}/${name} is gone: got uid ${metadata.uid}, wanted ${uid}`);
  }
  if (metadata.deletionTimestamp !== undefined) {
    throw new Error(`${owner.kind} ${namespace}/${name} has just been deleted at ${metadata.deletionTimestamp}`);
  }
}

async function adopt<T extends KubeObject>(
  { owner, identity, namespace, client, own, signal }: WriteContext,
  resource: Resource<T>,
  { name, uid }: Claim,
): Promise<void> {
  // Merged by UID into the list, so that other owners' references stay.
  const body = { metadata: { uid, ownerReferences: [controllerReference(owner)] } };
  try {
    const adopted = await client.patch(resource, { namespace, name }, { type: 'strategic', body }, { signal });
    own.wrote(identity, resource, adopted.metadata.resourceVersion);
  } catch (error) {
    // Gone, or replaced by another object of that name: nothing is left to adopt.
    if (!isApiError(error, 'NotFound', 'Conflict')) throw error;
    noteConflict(own, identity, error);
  }
}

async function release(
  { owner, identity, namespace, client, own, signal }: WriteContext,
  { name, uid }: Claim,
): Promise<void> {
  const body = { metadata: { uid, ownerReferences: [{ $patch: 'delete', uid: owner.metadata.uid }] } };
  try {
    const released = await client.patch(pods, { namespace, name }, { type: 'strategic', body }, { signal });
    own.wrote(identity, pods, released.metadata.resourceVersion);
  } catch (error) {
    // Gone, replaced, or without the reference already: in every case it is not ours any more.
    if (!isApiError(error, 'NotFound', 'Conflict', 'Invalid')) throw error;
    noteConflict(own, identity, error);
  }
}

/** Of an object that others change all the time the API server gives up a patch with a conflict, too. */
function noteConflict(own: OwnWrites, identity: OwnerIdentity, error: ApiError): void {
  if (isApiError(error, 'Conflict')) own.outdated(identity);
}
