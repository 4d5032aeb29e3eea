// An API server that knows one Lease: optimistic concurrency as the real one has it, and requests that a test can delay,
// refuse, or carry out without answering. Several electors share it as several processes share a cluster.

import { ApiError, type ApiFailure } from '../../../src/runtime/errors.ts';
import type { Lease } from '../../../src/runtime/leader-election/lease.ts';
import type { LeaseClient } from '../../../src/runtime/leader-election/lock.ts';

export type Fault = 'none' | 'refuse' | 'loseAnswer' | 'hang';

export class LeaseServer {
  lease: Lease | undefined;
  /** Asked once a request. */
  fault: (who: string, verb: string) => Fault = () => 'none';
  readonly requests: { readonly who: string; readonly verb: string }[] = [];
  #version = 0;

  clientOf(who: string): LeaseClient {
    const request = async (verb: string, signal: AbortSignal | undefined, act: () => Lease): Promise<Lease> => {
      this.requests.push({ who, verb });
      const fault = this.fault(who, verb);
      if (fault === 'refuse') throw failure('Connection');
      if (fault === 'hang') return hang(signal);
      const answer = act();
      if (fault === 'loseAnswer') throw failure('Connection');
      return answer;
    };
    // The verbs are generic over the kind of object; this server has only one kind.
    return {
      get: (_resource: unknown, _ref: unknown, options?: { signal?: AbortSignal }) =>
        request('get', options?.signal, () => this.#get()),
      create: (_resource: unknown, manifest: Lease, options?: { signal?: AbortSignal }) =>
        request('create', options?.signal, () => this.#create(manifest)),
      update: (_resource: unknown, manifest: Lease, options?: { signal?: AbortSignal }) =>
        request('update', options?.signal, () => this.#update(manifest)),
    } as unknown as LeaseClient;
  }

  #get(): Lease {
    if (this.lease === undefined) throw failure('NotFound');
    return structuredClone(this.lease);
  }

  #create(manifest: Lease): Lease {
    if (this.lease !== undefined) throw failure('AlreadyExists');
    return this.#store(manifest);
  }

  #update(manifest: Lease): Lease {
    if (this.lease === undefined) throw failure('NotFound');
    if (manifest.metadata.resourceVersion !== this.lease.metadata.resourceVersion) throw failure('Conflict');
    return this.#store(manifest);
  }

  #store(manifest: Lease): Lease {
    const resourceVersion = String(++this.#version);
    this.lease = structuredClone({ ...manifest, metadata: { ...manifest.metadata, resourceVersion } });
    return structuredClone(this.lease);
  }
}

function failure(reason: ApiFailure): ApiError {
  return new ApiError(reason, `lease: ${reason}`);
}

function hang(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(failure('Aborted')), { once: true });
    if (signal?.aborted) reject(failure('Aborted'));
  });
}
