// The certificates in the cluster: the Secret, and the webhook configurations that carry the CA. A write names the version that
// was read, so of two replicas that write at the same time one gets a conflict and reads again.

import { type Secret, secrets } from '../built-in.ts';
import { Informer } from '../cache/informer.ts';
import type { Client } from '../client/client.ts';
import type { Clock } from '../clock.ts';
import { isApiError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { KubeObject, ObjectRef } from '../object.ts';
import type { Resource } from '../resource.ts';
import { type InjectionTarget, injectionOf, resourceOf } from './injection.ts';

export type CertificateClient = Pick<Client, 'get' | 'create' | 'update' | 'patch' | 'list' | 'pages' | 'watch'>;

export interface CertificatePlaces {
  readonly secret: ObjectRef & { readonly namespace: string };
  readonly inject: readonly InjectionTarget[];
}

export class CertificateStore {
  readonly #client: CertificateClient;
  readonly #places: CertificatePlaces;
  readonly #log: Logger;

  constructor(client: CertificateClient, places: CertificatePlaces, log: Logger) {
    this.#client = client;
    this.#places = places;
    this.#log = log;
  }

  readSecret(): Promise<Secret | undefined> {
    return this.#read(secrets, this.#places.secret);
  }

  /** Stores data in place of what was read before; does nothing when another replica has written meanwhile. */
  async writeSecret(before: Secret | undefined, data: Record<string, string>): Promise<void> {
    try {
      if (before === undefined) {
        await this.#client.create(secrets, { metadata: this.#places.secret, type: 'kubernetes.io/tls', data });
      } else {
        await this.#client.update(secrets, { ...before, data });
      }
    } catch (error) {
      if (!isApiError(error, 'Conflict', 'AlreadyExists')) throw error;
      this.#log.debug('another replica was quicker', { error });
    }
  }

  /** Puts the bundle into every webhook configuration; true when one did not have it. */
  async inject(bundle: string): Promise<boolean> {
    const changed = await Promise.all(this.#places.inject.map((target) => this.#injectInto(target, bundle)));
    return changed.includes(true);
  }

  /** Calls back whenever the Secret or a configuration changes; resolves after the signal has aborted. */
  async watch(clock: Clock, signal: AbortSignal, onChange: () => void): Promise<void> {
    const { secret, inject } = this.#places;
    const follow = <T extends KubeObject>(resource: Resource<T>, { name, namespace }: ObjectRef): Promise<void> => {
      const scope = { fieldSelector: `metadata.name=${name}`, ...(namespace && { namespaces: [namespace] }) };
      const informer = new Informer(this.#client, { resource, scope, transform: undefined }, { clock, log: this.#log });
      informer.onChange(onChange);
      return informer.run(signal);
    };
    const configurations = inject.map((target) => follow(resourceOf(target), { name: target.name }));
    await Promise.all([follow(secrets, secret), ...configurations]);
  }

  /** A configuration that does not exist needs nothing. */
  async #injectInto(target: InjectionTarget, bundle: string): Promise<boolean> {
    const { kind, name } = target;
    const resource = resourceOf(target);
    const configuration = await this.#read(resource, { name });
    const patch = configuration === undefined ? [] : injectionOf(configuration, bundle, target);
    if (patch.length === 0) return false;
    await this.#client.patch(resource, { name }, { type: 'json', body: patch });
    this.#log.info('injected the CA', { kind, name });
    return true;
  }

  async #read<T extends KubeObject>(resource: Resource<T>, ref: ObjectRef): Promise<T | undefined> {
    try {
      return await this.#client.get(resource, ref);
    } catch (error) {
      if (isApiError(error, 'NotFound')) return undefined;
      throw error;
    }
  }
}
