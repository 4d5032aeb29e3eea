// What every write on behalf of an owner needs: who it is for, the way to the API server, and the memory of our own
// writes, which keeps a cache that lags behind from making us act twice.

import type { Informer } from '../runtime/cache/informer.ts';
import type { Client } from '../runtime/client/client.ts';
import type { OwnerIdentity } from '../runtime/consistency/owner-identity.ts';
import type { Resource } from '../runtime/resource.ts';
import type { Owner } from './build-pod.ts';
import type { OwnWrites } from './own-writes.ts';
import type { Pod } from './pod.ts';
import type { ControllerRevision } from './revision.ts';

export const pods: Resource<Pod> = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };

export const controllerRevisions: Resource<ControllerRevision> = {
  group: 'apps',
  version: 'v1',
  kind: 'ControllerRevision',
  plural: 'controllerrevisions',
  namespaced: true,
};

export interface WriteContext {
  readonly owner: Owner;
  readonly ownerResource: Resource;
  readonly identity: OwnerIdentity;
  /** Where the owner and everything it owns live. */
  readonly namespace: string;
  readonly client: Client;
  readonly pods: Pick<Informer<Pod>, 'get'>;
  readonly own: OwnWrites;
  readonly signal: AbortSignal;
}
