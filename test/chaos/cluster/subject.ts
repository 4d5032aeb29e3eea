// One object of any kind in a namespace of its own, and what people do with it: create, change, delete, and wait until the
// API server says that it has become what it should be.

import type { Client } from '../../../src/runtime/client/client.ts';
import { isApiError } from '../../../src/runtime/errors.ts';
import { controllerOf, type KubeObject, type Manifest, type ObjectRef } from '../../../src/runtime/object.ts';
import type { Resource } from '../../../src/runtime/resource.ts';
import { eventually } from '../../support/eventually.ts';
import type { Place } from './scenario.ts';

type Reporting = KubeObject & { readonly spec: object; readonly status?: object };

export class Subject<T extends Reporting> {
  readonly client: Client;
  readonly namespace: string;
  readonly ref: ObjectRef;
  readonly patienceMs: number;
  readonly #resource: Resource<T>;

  constructor({ client, namespace, patienceMs = 60_000 }: Place, resource: Resource<T>, name = 'web') {
    this.client = client;
    this.namespace = namespace;
    this.ref = { namespace, name };
    this.#resource = resource;
    this.patienceMs = patienceMs;
  }

  make(spec: object): Promise<T> {
    return this.client.create(this.#resource, { metadata: this.ref, spec } as unknown as Manifest<T>);
  }

  get(): Promise<T> {
    return this.client.get(this.#resource, this.ref);
  }

  change(spec: object): Promise<T> {
    return this.patch({ spec });
  }

  patch(body: object): Promise<T> {
    return this.client.patch(this.#resource, this.ref, { type: 'merge', body });
  }

  async delete(propagationPolicy: 'Foreground' | 'Background' | 'Orphan' = 'Foreground'): Promise<void> {
    await this.client.delete(this.#resource, this.ref, { propagationPolicy });
  }

  async list<O extends KubeObject>(resource: Resource<O>): Promise<readonly O[]> {
    return (await this.client.list(resource, { namespace: this.namespace })).items;
  }

  /** What it controls, of a kind. */
  async owned<O extends KubeObject>(resource: Resource<O>): Promise<readonly O[]> {
    const { metadata } = await this.get();
    return (await this.list(resource)).filter((each) => controllerOf(each)?.uid === metadata.uid);
  }

  /** Waits until the status of the newest spec says this. */
  async reach(status: object): Promise<T> {
    return this.until(async () => {
      const object = await this.get();
      mustReport(object, status);
      return object;
    });
  }

  /** Waits until this does not throw any more. */
  until<R>(check: () => Promise<R>): Promise<R> {
    return eventually(check, this.patienceMs);
  }

  /** Waits until it is gone with everything of these kinds that was its own. */
  async goneWith(...resources: readonly Resource[]): Promise<void> {
    await this.until(async () => {
      const left = (await Promise.all(resources.map((resource) => this.list(resource)))).flat();
      mustBe('the object', (await this.#present()) ?? 'gone', 'gone');
      mustBe('what is left', left.map(({ metadata }) => metadata.name).join(' '), '');
    });
  }

  async #present(): Promise<string | undefined> {
    try {
      return (await this.get()).metadata.name;
    } catch (error) {
      if (isApiError(error, 'NotFound')) return undefined;
      throw error;
    }
  }
}

/** Throws unless the object's status is of its newest spec and says this. */
export function mustReport({ metadata, status }: Reporting, wanted: object): void {
  const told = status as Readonly<Record<string, unknown>> | undefined;
  mustBe(`${metadata.name}: observedGeneration`, told?.observedGeneration, metadata.generation);
  for (const [field, value] of Object.entries(wanted)) mustBe(`${metadata.name}: ${field}`, told?.[field], value);
}

export function mustBe(what: string, is: unknown, wanted: unknown): void {
  if (is !== wanted) throw new Error(`${what} is ${String(is)}, not ${String(wanted)}`);
}
