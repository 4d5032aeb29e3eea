// The Lease object used as a lock: a write replaces exactly the version that was last read or written here, so of two
// replicas that decide on the same record only one succeeds and the other gets Conflict or AlreadyExists.

import type { Client } from '../client/client.ts';
import type { RequestOptions } from '../client/options.ts';
import { isApiError } from '../errors.ts';
import type { ObjectMeta, ObjectRef } from '../object.ts';
import { type Lease, type LeaseSpec, leases } from './lease.ts';

export type LeaseClient = Pick<Client, 'get' | 'create' | 'update'>;

export class LeaseLock {
  readonly #client: LeaseClient;
  readonly #ref: ObjectRef;
  readonly #labels: Readonly<Record<string, string>>;
  #lease: Lease | undefined;

  constructor(client: LeaseClient, ref: ObjectRef, labels: Readonly<Record<string, string>> = {}) {
    this.#client = client;
    this.#ref = ref;
    this.#labels = labels;
  }

  /** The record as it was last read or written; undefined when there was no Lease. */
  get record(): LeaseSpec | undefined {
    return this.#lease === undefined ? undefined : (this.#lease.spec ?? {});
  }

  #labelled<M extends Partial<ObjectMeta>>(metadata: M): M {
    if (Object.keys(this.#labels).length === 0) return metadata;
    return { ...metadata, labels: { ...metadata.labels, ...this.#labels } };
  }

  async read(options: RequestOptions): Promise<void> {
    try {
      this.#lease = await this.#client.get(leases, this.#ref, options);
    } catch (error) {
      if (!isApiError(error, 'NotFound')) throw error;
      this.#lease = undefined;
    }
  }

  async write(spec: LeaseSpec, options: RequestOptions): Promise<void> {
    this.#lease =
      this.#lease === undefined
        ? await this.#client.create(leases, { metadata: this.#labelled(this.#ref), spec }, options)
        : await this.#client.update(
            leases,
            { ...this.#lease, metadata: this.#labelled(this.#lease.metadata), spec },
            options,
          );
  }
}
