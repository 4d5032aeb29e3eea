// Executes the steps of a migration. Each step may have been executed before. A step that waits names what it waited for when
// it times out.

import { myDeployments } from '../../kinds/my-deployment/names.ts';
import { GIVES_PODS_TO, TAKES_PODS_FROM } from '../../kinds/my-deployment/plan/hand-over.ts';
import { deployments, pods as fullPods, horizontalPodAutoscalers, replicaSets } from '../../runtime/built-in.ts';
import type { DeleteOptions } from '../../runtime/client/options.ts';
import { sleep } from '../../runtime/clock.ts';
import { isApiError } from '../../runtime/errors.ts';
import type { Instant } from '../../runtime/instant.ts';
import { controllerOf, type KubeObject, type Manifest } from '../../runtime/object.ts';
import { asOwner, controllerReference } from '../../runtime/owner.ts';
import { apiVersionOf, type Resource } from '../../runtime/resource.ts';
import { TEMPLATE_HASH_LABEL } from '../../workload/build-pod.ts';
import { isActive, type Pod } from '../../workload/pod.ts';
import { formatSelector } from '../../workload/selector.ts';
import { controllerRevisions } from '../../workload/write-context.ts';
import type { Context } from '../context.ts';
import { readRevisions } from '../revisions.ts';
import { handOverTest, readIfThere } from './facts.ts';
import { type Step, sentence } from './step.ts';
import { STAYS_PAUSED } from './to-my-deployment.ts';

const LOOK_EVERY_MS = 100;
/** Time for the cluster's own controllers to see the newest objects: their caches lag by milliseconds, rarely by more. */
const SETTLE_MS = 1_000;

export class Migration {
  readonly #context: Context;
  readonly #name: string;
  readonly #deadline: Instant;

  constructor(context: Context, name: string, deadline: Instant) {
    this.#context = context;
    this.#name = name;
    this.#deadline = deadline;
  }

  /** Executes one step. */
  async execute(step: Step): Promise<void> {
    switch (step.do) {
      case 'createMyDeployment':
        await this.#create(myDeployments, step.manifest);
        return;
      case 'recordRevision':
        return this.#createOwned(step, controllerRevisions, await this.#ownedBy(myDeployments, step.manifest));
      case 'resizeMyDeployment':
        return this.#patch(myDeployments, this.#name, { spec: { replicas: step.replicas } });
      case 'awaitCount':
        return this.#until(step, () => this.#counts(step.replicas));
      case 'deleteDeployment': {
        const { do: _, ...only } = step;
        await this.#delete(deployments, this.#name, { ...only, propagationPolicy: 'Orphan' });
        return this.#until(step, () => this.#isGone(deployments, this.#name, step.uid));
      }
      case 'deleteReplicaSet': {
        const propagationPolicy = step.pods === 'leave' ? 'Orphan' : 'Background';
        await this.#delete(replicaSets, step.name, { uid: step.uid, propagationPolicy });
        return this.#until(step, () => this.#isGone(replicaSets, step.name, step.uid));
      }
      case 'awaitPods':
        await this.#until(step, () => this.#podsBelongTo(step.owner, step.name));
        return step.owner === 'none'
          ? sleep(this.#context.clock, SETTLE_MS, this.#context.console.interrupted)
          : undefined;
      case 'finishMyDeployment':
        return this.#patch(myDeployments, this.#name, {
          metadata: { annotations: { [TAKES_PODS_FROM]: null, [STAYS_PAUSED]: null } },
          spec: { paused: step.paused },
        });
      case 'relabelPods':
        return this.#relabel(step.hash);
      case 'createDeployment':
        await this.#create(deployments, step.manifest);
        return;
      case 'letGoOfPods':
        return this.#patch(myDeployments, this.#name, {
          metadata: { annotations: { [GIVES_PODS_TO]: step.replicaSet } },
        });
      case 'createReplicaSet':
        return this.#createOwned(step, replicaSets, await this.#ownedBy(deployments, step.manifest));
      case 'resumeDeployment':
        await this.#patch(deployments, this.#name, { spec: { paused: step.paused } });
        return this.#until(step, () => this.#deploymentCounts(step.replicas));
      case 'deleteMyDeployment':
        await this.#delete(myDeployments, this.#name, { uid: step.uid, propagationPolicy: 'Background' });
        return this.#until(step, () => this.#isGone(myDeployments, this.#name, step.uid));
      case 'retargetAutoscaler':
        return this.#retarget(step.name, step.to);
      default:
        return step satisfies never;
    }
  }

  /** False when the object exists already, from an earlier attempt. */
  async #create<T extends KubeObject>(resource: Resource<T>, manifest: Manifest<T>): Promise<boolean> {
    try {
      await this.#context.client.create(resource, manifest);
      return true;
    } catch (error) {
      if (isApiError(error, 'AlreadyExists')) return false;
      throw error;
    }
  }

  /** An existing object may belong to a deleted owner and be about to be collected; then it is created after that. */
  #createOwned<T extends KubeObject>(step: Step, resource: Resource<T>, manifest: Manifest<T>): Promise<void> {
    const { name = '', ownerReferences: [owner] = [] } = manifest.metadata;
    const isOurs = async (): Promise<boolean> => {
      const found = await readIfThere(this.#context, resource, name);
      if (found === undefined) return false;
      const other = controllerOf(found)?.uid;
      return other === undefined || other === owner?.uid;
    };
    return this.#until(step, async () => (await this.#create(resource, manifest)) || isOurs());
  }

  async #delete(resource: Resource, name: string, options: DeleteOptions): Promise<void> {
    try {
      await this.#context.client.delete(resource, this.#ref(name), options);
    } catch (error) {
      if (!isApiError(error, 'NotFound')) throw error;
    }
  }

  async #patch(resource: Resource, name: string, body: object): Promise<void> {
    await this.#context.client.patch(resource, this.#ref(name), { type: 'merge', body });
  }

  async #ownedBy<T extends KubeObject>(resource: Resource, manifest: Manifest<T>): Promise<Manifest<T>> {
    const owner = await this.#context.client.get(resource, this.#ref(this.#name));
    const ownerReferences = [controllerReference(asOwner(owner, resource))];
    return { ...manifest, metadata: { ...manifest.metadata, ownerReferences } };
  }

  async #counts(replicas: number): Promise<boolean> {
    const { metadata, status } = await this.#context.client.get(myDeployments, this.#ref(this.#name));
    const isObserved = (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
    return isObserved && status?.replicas === replicas && (status.updatedReplicas ?? 0) === replicas;
  }

  async #deploymentCounts(replicas: number): Promise<boolean> {
    const { metadata, status } = await this.#context.client.get(deployments, this.#ref(this.#name));
    const isObserved = (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
    return isObserved && (status?.updatedReplicas ?? 0) === replicas;
  }

  async #isGone(resource: Resource, name: string, uid: string): Promise<boolean> {
    try {
      return (await this.#context.client.get(resource, this.#ref(name))).metadata.uid !== uid;
    } catch (error) {
      if (isApiError(error, 'NotFound')) return true;
      throw error;
    }
  }

  async #podsBelongTo(kind: 'MyDeployment' | 'ReplicaSet' | 'none', name: string): Promise<boolean> {
    const active = (await this.#pods()).filter(isActive);
    return active.every((pod) => {
      const owner = controllerOf(pod);
      return kind === 'none' ? owner === undefined : owner?.kind === kind && owner.name === name;
    });
  }

  async #relabel(hash: string): Promise<void> {
    const strangers = (await this.#pods()).filter(({ metadata }) => metadata.labels?.[TEMPLATE_HASH_LABEL] !== hash);
    const body = { metadata: { labels: { [TEMPLATE_HASH_LABEL]: hash } } };
    await Promise.all(strangers.map(({ metadata }) => this.#patch(fullPods, metadata.name, body)));
  }

  async #pods(): Promise<readonly Pod[]> {
    const { client, namespace } = this.#context;
    const object = await client.get(myDeployments, this.#ref(this.#name));
    const isHandedOver = handOverTest(object, await readRevisions(this.#context, object));
    const { items } = await client.list(fullPods, { namespace, labelSelector: formatSelector(object.spec.selector) });
    return (items as readonly Pod[]).filter(isHandedOver);
  }

  #retarget(name: string, to: 'MyDeployment' | 'Deployment'): Promise<void> {
    const resource = to === 'MyDeployment' ? myDeployments : deployments;
    const scaleTargetRef = { apiVersion: apiVersionOf(resource), kind: resource.kind, name: this.#name };
    return this.#patch(horizontalPodAutoscalers, name, { spec: { scaleTargetRef } });
  }

  async #until(step: Step, isTrue: () => Promise<boolean>): Promise<void> {
    const { clock, console } = this.#context;
    while (!(await isTrue())) {
      if (clock.now() > this.#deadline) throw new Error(`timed out: ${sentence(step)}`);
      await sleep(clock, LOOK_EVERY_MS, console.interrupted);
    }
  }

  #ref(name: string): { namespace: string; name: string } {
    return { namespace: this.#context.namespace, name };
  }
}
