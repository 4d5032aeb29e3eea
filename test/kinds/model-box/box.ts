// One ModelBox on a real cluster, in a namespace of its own, and the words in which tests speak of it: change it, look at
// its Deployment and Service, edit or delete them as another client would, wait until it is Ready.

import { expect } from '@jest/globals';
import { type Deployment, deployments, type Service, services } from '../../../src/kinds/model-box/children.ts';
import { modelBoxes } from '../../../src/kinds/model-box/names.ts';
import type { ModelBox } from '../../../src/kinds/model-box/types.gen.ts';
import type { Client } from '../../../src/runtime/client/client.ts';
import type { Patch } from '../../../src/runtime/client/options.ts';
import { isConditionTrue } from '../../../src/runtime/conditions.ts';
import type { Manifest } from '../../../src/runtime/object.ts';
import type { Resource } from '../../../src/runtime/resource.ts';
import type { TestCluster } from '../../support/cluster.ts';
import { eventually } from '../../support/eventually.ts';

/** Pods count as available at once, so that nobody waits for seconds that prove nothing. */
export const QUICK = { image: 'web:1', replicas: 2, minReadySeconds: 0, ports: [{ port: 80, protocol: 'TCP' }] };

export const CHILDREN = { Deployment: deployments, Service: services } as const;
export type ChildKind = keyof typeof CHILDREN;

export class Box {
  readonly client: Client;
  readonly ref: { readonly namespace: string; readonly name: string };

  constructor(client: Client, ref: { readonly namespace: string; readonly name: string }) {
    this.client = client;
    this.ref = ref;
  }

  /** A new ModelBox in a new namespace. */
  static async create(cluster: TestCluster, spec: object = {}, name = 'web'): Promise<Box> {
    const box = new Box(cluster.client, { namespace: await cluster.namespace(), name });
    await box.make(spec);
    return box;
  }

  make(spec: object = {}): Promise<ModelBox> {
    const manifest = { metadata: this.ref, spec: { ...QUICK, ...spec } } as unknown as Manifest<ModelBox>;
    return this.client.create(modelBoxes, manifest);
  }

  get(): Promise<ModelBox> {
    return this.client.get(modelBoxes, this.ref);
  }

  deployment(): Promise<Deployment> {
    return this.client.get(deployments, this.ref);
  }

  service(): Promise<Service> {
    return this.client.get(services, this.ref);
  }

  /** Changes the spec by a merge patch. */
  change(spec: object): Promise<ModelBox> {
    return this.client.patch(modelBoxes, this.ref, { type: 'merge', body: { spec } });
  }

  /** What another client does to the Deployment or the Service. */
  edit(kind: ChildKind, patch: Patch): Promise<unknown> {
    return this.client.patch(CHILDREN[kind] as Resource, this.ref, patch);
  }

  remove(kind: ChildKind): Promise<unknown> {
    return this.client.delete(CHILDREN[kind] as Resource, this.ref);
  }

  delete(propagationPolicy: 'Background' | 'Foreground' | 'Orphan'): Promise<unknown> {
    return this.client.delete(modelBoxes, this.ref, { propagationPolicy });
  }

  /** Waits until the status speaks of the present spec and says Ready. */
  ready(): Promise<ModelBox> {
    return eventually(async () => {
      const box = await this.get();
      const { observedGeneration, conditions } = box.status ?? {};
      expect(observedGeneration).toBe(box.metadata.generation);
      expect(isConditionTrue(conditions, 'Ready') || conditions).toBe(true);
      return box;
    });
  }

  /** Waits until the Deployment has become like this. */
  deploymentBecomes(part: object): Promise<void> {
    return eventually(async () => expect(await this.deployment()).toMatchObject(part));
  }

  serviceBecomes(part: object): Promise<void> {
    return eventually(async () => expect(await this.service()).toMatchObject(part));
  }
}
