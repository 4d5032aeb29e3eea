// One test's own namespace, and the words in which end-to-end tests speak: create a MyDeployment, roll it, scale it, take
// pods away, wait for what must become true. What harms a pod goes through here, so that the watch over the rollouts
// knows of it. The MyDeployment is called "web" unless a test says otherwise.

import { expect } from '@jest/globals';
import type { V1Pod } from '@kubernetes/client-node';
import { myDeployments } from '../../src/kinds/my-deployment/names.ts';
import type { MyDeployment, MyDeploymentStatus } from '../../src/kinds/my-deployment/types.gen.ts';
import type { Client } from '../../src/runtime/client/client.ts';
import { isApiError } from '../../src/runtime/errors.ts';
import { controllerOf, type KubeObject, type Manifest, type Raw } from '../../src/runtime/object.ts';
import type { Resource } from '../../src/runtime/resource.ts';
import type { KubectlResult } from '../../src/testing/index.ts';
import { BEHAVIOUR, type Behaviour, READY_AFTER, TERMINATE_AFTER } from '../../src/testing/index.ts';
import { buildRevision, type ControllerRevision, HASH_LABEL } from '../../src/workload/revision.ts';
import { controllerRevisions } from '../../src/workload/write-context.ts';
import type { TestCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { type Json, merged } from '../support/merge-patch.ts';
import type { RolloutWatch } from '../support/rollout-watch.ts';

/** A pod with all its fields, unlike the trimmed one that planning reads. */
export type FullPod = KubeObject & Omit<Raw<V1Pod>, 'metadata'>;

export const pods: Resource<FullPod> = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };

/** A merge patch of a spec. */
export type Change = Readonly<Record<string, Json>>;

/** The least that a MyDeployment can say, with a template at version 1. */
export function minimalSpec(name = 'web'): Change {
  return {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'web', image: 'web:v1' }] } },
  };
}

/** Whatever a template said before about how its pods live is taken back. */
const WELL_BEHAVED: Change = { [BEHAVIOUR]: null, [READY_AFTER]: null, [TERMINATE_AFTER]: null };

/** A change of the spec: another image, and how its pods live. */
export function version(image: string, behaviour: Change = {}): Change {
  const spec = { containers: [{ name: 'web', image: `web:${image}` }] };
  return { template: { metadata: { annotations: { ...WELL_BEHAVED, ...behaviour } }, spec } };
}

export function rolling(maxSurge: number | string, maxUnavailable: number | string): Change {
  return { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } } };
}

export class Scene {
  readonly namespace: string;
  readonly client: Client;
  readonly watch: RolloutWatch;
  readonly #cluster: TestCluster;

  constructor(cluster: TestCluster, namespace: string, watch: RolloutWatch) {
    this.#cluster = cluster;
    this.client = cluster.client;
    this.namespace = namespace;
    this.watch = watch;
  }

  /** What kubectl prints in this namespace; throws what it complains about. */
  async kubectl(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.tryKubectl(args);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  tryKubectl(args: readonly string[], input?: string): Promise<KubectlResult> {
    return this.#cluster.kubectl(['-n', this.namespace, ...args], input === undefined ? {} : { input });
  }

  ref(name: string): { namespace: string; name: string } {
    return { namespace: this.namespace, name };
  }

  /** Creates a MyDeployment from the minimal spec with these changes. */
  create(change: Change = {}, name = 'web', metadata: object = {}): Promise<MyDeployment> {
    const spec = merged(minimalSpec(name), change);
    const manifest = { metadata: { ...this.ref(name), ...metadata }, spec } as unknown as Manifest<MyDeployment>;
    return this.client.create(myDeployments, manifest);
  }

  get(name = 'web'): Promise<MyDeployment> {
    return this.client.get(myDeployments, this.ref(name));
  }

  /** Changes the spec by a merge patch. */
  change(spec: Change, name = 'web'): Promise<MyDeployment> {
    return this.patch({ spec }, name);
  }

  patch(body: object, name = 'web'): Promise<MyDeployment> {
    return this.client.patch(myDeployments, this.ref(name), { type: 'merge', body });
  }

  /** Replaces the whole object by what `change` makes of it. */
  update(change: (found: MyDeployment) => MyDeployment, subresource?: 'status'): Promise<MyDeployment> {
    return retryOnConflict(async () => {
      const updated = change(await this.get());
      if (subresource === undefined) return this.client.update(myDeployments, updated);
      return this.client.update(myDeployments, updated, { subresource });
    });
  }

  async delete(name = 'web', propagationPolicy: 'Background' | 'Foreground' | 'Orphan' = 'Background'): Promise<void> {
    await this.client.delete(myDeployments, this.ref(name), { propagationPolicy });
  }

  /** Waits until the object is gone. */
  async gone(name = 'web'): Promise<void> {
    await eventually(() => expect(this.get(name)).rejects.toThrow('NotFound'));
  }

  /** Waits until the status of the newest spec contains this. */
  async reach(status: Partial<MyDeploymentStatus>, name = 'web'): Promise<MyDeployment> {
    return eventually(async () => {
      const object = await this.get(name);
      expect(object.status).toMatchObject({ ...status, observedGeneration: object.metadata.generation });
      return object;
    });
  }

  /** Waits until all replicas are of the newest template and available, and no others are left. */
  async complete(name = 'web'): Promise<MyDeployment> {
    const { spec } = await this.get(name);
    const replicas = spec.replicas as number;
    const counts = { replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas };
    return this.reach({ ...counts, unavailableReplicas: 0 }, name);
  }

  /** Waits until a condition has this status and reason. */
  condition(type: string, status: string, reason: string, name = 'web'): Promise<MyDeployment> {
    const conditions = expect.arrayContaining([expect.objectContaining({ type, status, reason })]);
    return this.reach({ conditions: conditions as never }, name);
  }

  /** All pods of this namespace. */
  async allPods(): Promise<readonly FullPod[]> {
    return (await this.client.list(pods, { namespace: this.namespace })).items;
  }

  /** The pods that it owns, terminating ones included. */
  async podsOf(name = 'web'): Promise<readonly FullPod[]> {
    const { metadata } = await this.get(name);
    return (await this.allPods()).filter((pod) => controllerOf(pod)?.uid === metadata.uid);
  }

  /** The pods that it owns and counts. */
  async active(name = 'web'): Promise<readonly FullPod[]> {
    return (await this.podsOf(name)).filter(isActive);
  }

  /** How many active pods there are of each image. */
  async images(name = 'web'): Promise<Readonly<Record<string, number>>> {
    const images = (await this.active(name)).map(({ spec }) => spec?.containers[0]?.image as string);
    return Object.fromEntries([...Map.groupBy(images, (image) => image)].map(([image, all]) => [image, all.length]));
  }

  /** Its history, from old to new. */
  async revisions(name = 'web'): Promise<readonly ControllerRevision[]> {
    const { metadata } = await this.get(name);
    const { items } = await this.client.list(controllerRevisions, { namespace: this.namespace });
    const owned = items.filter((revision) => controllerOf(revision)?.uid === metadata.uid);
    return owned.toSorted((one, other) => one.revision - other.revision);
  }

  /** Reasons of the events about an object, with their messages. */
  async events(name = 'web'): Promise<readonly string[]> {
    const template = '{range .items[*]}{.reason}: {.message}{"\\n"}{end}';
    const selector = `involvedObject.name=${name}`;
    const text = await this.kubectl('get', 'events', `--field-selector=${selector}`, '-o', `jsonpath=${template}`);
    return text.split('\n').filter(Boolean);
  }

  /** Ends pods that are terminating, as if their processes had ended. */
  async endTerminating(...victims: readonly KubeObject[]): Promise<void> {
    const end = ({ metadata: { name, uid } }: KubeObject) =>
      this.client.delete(pods, this.ref(name), { uid, gracePeriodSeconds: 0 });
    await Promise.all(victims.map(end));
  }

  /** Deletes pods behind the operator's back, except those that the operator deletes first. */
  async deletePods(...victims: readonly KubeObject[]): Promise<void> {
    this.watch.disturb(...victims.map(({ metadata }) => metadata.name));
    const remove = ({ metadata: { name, uid } }: KubeObject): Promise<unknown> =>
      this.client.delete(pods, this.ref(name), { uid }).catch((error: unknown) => {
        if (!isApiError(error, 'NotFound')) throw error;
      });
    await Promise.all(victims.map(remove));
  }

  /** Lets a pod behave badly from now on; `undefined` lets it recover. */
  behave(pod: KubeObject, behaviour: Behaviour | undefined): Promise<FullPod> {
    return this.patchPod(pod, { metadata: { annotations: { [BEHAVIOUR]: behaviour ?? null } } });
  }

  /** Changes a pod behind the operator's back. */
  patchPod({ metadata: { name } }: KubeObject, body: object): Promise<FullPod> {
    this.watch.disturb(name);
    return this.client.patch(pods, this.ref(name), { type: 'merge', body });
  }

  /** The labels of the pods that a MyDeployment with these changes of the minimal spec is going to have. */
  async labelsFor(change: Change = {}, name = 'web'): Promise<Readonly<Record<string, string>>> {
    const spec = merged(minimalSpec(name), change);
    const manifest = { metadata: this.ref(name), spec } as unknown as Manifest<MyDeployment>;
    const { metadata, spec: judged } = await this.client.create(myDeployments, manifest, { dryRun: true });
    const owner = { apiVersion: '', kind: '', metadata };
    const source = { template: judged.template, number: 1, collisionCount: 0, annotations: {} };
    const { [HASH_LABEL]: hash = '', ...labels } = buildRevision(owner, source).metadata.labels ?? {};
    return { ...labels, 'pod-template-hash': hash };
  }

  /** Creates a pod without an owner. */
  createPod(name: string, labels: Readonly<Record<string, string>>, metadata: object = {}): Promise<FullPod> {
    const spec = { containers: [{ name: 'web', image: 'web:v0' }] };
    return this.client.create(pods, { metadata: { ...this.ref(name), labels, ...metadata }, spec });
  }
}

/** Reads and writes again as often as another client, such as the operator, writes in between. */
export async function retryOnConflict<T>(readAndWrite: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await readAndWrite();
    } catch (error) {
      if (!isApiError(error, 'Conflict')) throw error;
    }
  }
}

export function isActive({ metadata, status }: FullPod): boolean {
  return metadata.deletionTimestamp === undefined && status?.phase !== 'Failed' && status?.phase !== 'Succeeded';
}

export function conditionOf({ status }: MyDeployment, type: string) {
  return status?.conditions?.find((condition) => condition.type === type);
}

/** The one item there is; throws when there are none or several. */
export function only<T>(items: readonly T[]): T {
  if (items.length !== 1) throw new Error(`expected one item, got ${items.length}`);
  return items[0] as T;
}
