// What every write on behalf of an owner needs: the owner, the client, and the record of the operator's own writes, which
// prevents acting twice while the cache lags.

import * as builtIn from '../runtime/built-in.ts';
import type { Informer } from '../runtime/cache/informer.ts';
import type { Client } from '../runtime/client/client.ts';
import type { OwnerWrites } from '../runtime/consistency/owner-writes.ts';
import type { Owner } from '../runtime/owner.ts';
import type { Resource } from '../runtime/resource.ts';
import type { Pod } from './pod.ts';
import type { ControllerRevision } from './revision.ts';
import type { GrantedWrites } from './slow-start.ts';

export const pods: Resource<Pod> = builtIn.pods;
export const controllerRevisions: Resource<ControllerRevision> = builtIn.controllerRevisions;

export interface WriteContext {
  readonly owner: Owner;
  readonly ownerResource: Resource;
  /** The namespace of the owner and of everything that it owns. */
  readonly namespace: string;
  readonly client: Client;
  readonly pods: Pick<Informer<Pod>, 'get'>;
  readonly writes: OwnerWrites;
  /** The namespaces in which creates recently succeeded. */
  readonly granted: GrantedWrites;
  /** In [0, 1): chooses the names of pods. */
  readonly random: () => number;
  readonly signal: AbortSignal;
}
