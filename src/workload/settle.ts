// Looks what became of writes whose answers were lost. What turns out to be there has to show in the cache before anything
// is decided. A pod that is not there may still come, since its create may be on its way: its name stays in use.

import { isApiError } from '../runtime/errors.ts';
import { controllerOf } from '../runtime/object.ts';
import type { Resource } from '../runtime/resource.ts';
import type { Doubt } from './doubts.ts';
import { controllerRevisions, pods, type WriteContext } from './write-context.ts';

/** Settles all doubts about an owner's writes. Throws when nobody can tell yet. */
export async function settleDoubts(context: WriteContext): Promise<void> {
  const { identity, own } = context;
  for (const doubt of own.doubtsOf(identity)) {
    await settle(context, doubt);
    own.settled(identity, doubt);
  }
}

async function settle({ owner, identity, namespace, client, own, signal }: WriteContext, doubt: Doubt): Promise<void> {
  const resource: Resource = doubt.of === 'record' ? controllerRevisions : pods;
  const found = await client.get(resource, { namespace, name: doubt.name }, { signal }).catch(ifNotFound);
  if (doubt.of === 'delete') {
    const isLeft = found?.metadata.uid === doubt.uid && found.metadata.deletionTimestamp === undefined;
    if (isLeft) own.podNotDeleted(identity, doubt.uid);
    return;
  }
  if (found === undefined || controllerOf(found)?.uid !== owner.metadata.uid) return;
  own.wrote(identity, resource, found.metadata.resourceVersion);
  if (doubt.of === 'create') own.podCreated(identity, doubt.name);
}

function ifNotFound(error: unknown): undefined {
  if (!isApiError(error, 'NotFound')) throw error;
}
