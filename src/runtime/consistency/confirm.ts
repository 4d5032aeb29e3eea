// Reads what became of writes whose responses were lost. What exists has to show in the cache before the next plan is
// made. An object that does not exist may still appear, since its create may be on its way: its name stays reusable.

import type { Client } from '../client/client.ts';
import { isApiError } from '../errors.ts';
import { controllerOf } from '../object.ts';
import type { OwnerWrites, UnconfirmedWrite } from './owner-writes.ts';

export interface ConfirmContext {
  readonly owner: { readonly metadata: { readonly uid: string } };
  readonly namespace: string;
  readonly client: Pick<Client, 'get'>;
  readonly writes: OwnerWrites;
  readonly signal: AbortSignal;
}

/** Confirms all writes of an owner. Throws when the API server cannot tell yet. */
export async function confirmWrites(context: ConfirmContext): Promise<void> {
  for (const write of context.writes.unconfirmed) {
    await confirm(context, write);
    context.writes.confirmed(write);
  }
}

async function confirm(
  { owner, namespace, client, writes, signal }: ConfirmContext,
  write: UnconfirmedWrite,
): Promise<void> {
  const { resource, name } = write;
  const found = await client.get(resource, { namespace, name }, { signal }).catch(ifNotFound);
  if (write.write === 'delete') {
    const isLeft = found?.metadata.uid === write.uid && found.metadata.deletionTimestamp === undefined;
    if (isLeft) writes.notDeleted(write.uid);
    return;
  }
  if (found === undefined || controllerOf(found)?.uid !== owner.metadata.uid) return;
  writes.wrote(resource, found.metadata.resourceVersion);
  if (write.write === 'create') writes.created(resource, name);
}

function ifNotFound(error: unknown): undefined {
  if (!isApiError(error, 'NotFound')) throw error;
}
