// What the views are made of: the objects that the dashboard watches, by what they are to each other.

import { collectors } from '../../../kinds/collector/names.ts';
import { imoocPods } from '../../../kinds/imooc-pod/schema.ts';
import { modelBoxes } from '../../../kinds/model-box/names.ts';
import { myDaemonSets } from '../../../kinds/my-daemon-set/names.ts';
import { myDeployments } from '../../../kinds/my-deployment/names.ts';
import type { MyDeployment } from '../../../kinds/my-deployment/types.gen.ts';
import { rolloutPolicies } from '../../../policy/resource.ts';
import type { RolloutPolicy } from '../../../policy/types.gen.ts';
import {
  type Event,
  events,
  type Lease,
  leases,
  nodes,
  type Pod,
  persistentVolumeClaims,
  podDisruptionBudgets,
  pods,
} from '../../../runtime/built-in.ts';
import type { Client } from '../../../runtime/client/client.ts';
import { type KubeObject, keyOf } from '../../../runtime/object.ts';
import { groupResourceOf, type Resource } from '../../../runtime/resource.ts';
import { orphanIndexes, ownedAndOrphans } from '../../../workload/pod-cache.ts';
import { controllerRevisions } from '../../../workload/write-context.ts';
import type { Facts } from '../../get/view.ts';
import { LEASE, leaseFor, type Surroundings } from '../../why/surroundings.ts';
import type { KindName } from '../protocol.ts';
import { Watches } from './watches.ts';

const RESOURCES: Readonly<Record<KindName, Resource>> = {
  MyDeployment: myDeployments,
  MyDaemonSet: myDaemonSets,
  ModelBox: modelBoxes,
  Collector: collectors,
  ImoocPod: imoocPods,
};

/** Where the objects of a kind are. */
export function resourceOf(kind: KindName): Resource {
  return RESOURCES[kind];
}

export interface ModelOptions {
  readonly client: Client;
  /** As kubectl names it. */
  readonly server: string;
  /** The one namespace that is shown; all when absent. */
  readonly namespace: string | undefined;
  readonly onChange: () => void;
}

export class Model {
  readonly server: string;
  readonly namespace: string | undefined;
  readonly watches: Watches;

  constructor({ client, server, namespace, onChange }: ModelOptions) {
    this.server = server;
    this.namespace = namespace;
    this.watches = new Watches(client, namespace, onChange);
    this.watches.of(myDeployments);
    this.#pods();
    this.#revisions();
    this.#policies();
  }

  /** Every object of a kind. */
  all(kind: KindName): readonly KubeObject[] {
    return this.watches.of(RESOURCES[kind]).list();
  }

  one(kind: KindName, namespace: string, name: string): KubeObject | undefined {
    return this.watches.of(RESOURCES[kind]).get(keyOf({ namespace, name }));
  }

  /** Whether everything that an object of this kind is shown with is known: half of it would say that pods are missing. */
  isFilled(kind: KindName): boolean {
    return [RESOURCES[kind], pods, controllerRevisions].every((resource) => this.watches.isFilled(resource));
  }

  /** Why a kind cannot be shown, if it cannot. */
  refusal(kind: KindName): string | undefined {
    return this.watches.refusal(RESOURCES[kind], this.server);
  }

  /** The revisions and pods near a MyDeployment. */
  near(object: MyDeployment): Omit<Facts, 'policies'> {
    return {
      object,
      revisions: ownedAndOrphans(this.#revisions(), object),
      pods: ownedAndOrphans(this.#pods(), object),
    };
  }

  podsOf(owner: KubeObject): readonly Pod[] {
    return this.#pods().byIndex('ownerUid', owner.metadata.uid);
  }

  podsWith(namespace: string, label: string, value: string): readonly Pod[] {
    return this.#pods()
      .byIndex('namespace', namespace)
      .filter(({ metadata }) => metadata.labels?.[label] === value);
  }

  policies(namespace: string): readonly RolloutPolicy[] {
    return this.#policies().byIndex('namespace', namespace);
  }

  /** What the diagnosis reads besides the rollout, and what of it the caller may not read. */
  surroundings(namespace: string): Surroundings & { readonly unread: readonly string[] } {
    const read = [events, nodes, persistentVolumeClaims, podDisruptionBudgets, leases] as readonly Resource[];
    const unread = read
      .filter((resource) => this.watches.refusal(resource, this.server) !== undefined)
      .map((resource) => `${groupResourceOf(resource)}${placeOf(resource, namespace)}`);
    return {
      policies: this.policies(namespace),
      events: this.events(namespace),
      nodes: this.watches.of(nodes).list(),
      claims: this.watches.of(persistentVolumeClaims).byIndex('namespace', namespace),
      budgets: this.watches.of(podDisruptionBudgets).byIndex('namespace', namespace),
      lease: this.#lease(namespace),
      unread,
    };
  }

  events(namespace: string): readonly Event[] {
    return this.watches.of(events).byIndex('namespace', namespace);
  }

  #lease(namespace: string): Lease | undefined {
    const read = (ref: typeof LEASE): Lease | undefined => {
      const scope = { namespace: ref.namespace, fieldSelector: `metadata.name=${ref.name}` };
      return this.watches.of(leases, scope).get(keyOf(ref));
    };
    const own = read(LEASE);
    const ref = leaseFor(own, namespace);
    return ref === LEASE ? own : read(ref);
  }

  #pods() {
    return this.watches.of(pods, { indexes: orphanIndexes });
  }

  #revisions() {
    return this.watches.of(controllerRevisions, { indexes: orphanIndexes });
  }

  #policies() {
    return this.watches.of(rolloutPolicies);
  }
}

function placeOf(resource: Resource, namespace: string): string {
  if (!resource.namespaced) return '';
  return ` in namespace ${groupResourceOf(resource) === groupResourceOf(leases) ? LEASE.namespace : namespace}`;
}
