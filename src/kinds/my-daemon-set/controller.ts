// Keeps MyDaemonSets as their specs say: cache → snapshot → plan → writes, status last. Everything that is decided is
// decided in plan.ts; a node that comes, goes or changes its taints concerns every MyDaemonSet.

import type { Informer } from '../../runtime/cache/informer.ts';
import type { Controller } from '../../runtime/controller/controller.ts';
import { done, type ReconcileContext, type Result } from '../../runtime/controller/result.ts';
import { controllerOf, keyOf } from '../../runtime/object.ts';
import { carryOut } from '../../workload/carry-out.ts';
import { targetNode } from '../../workload/node-affinity.ts';
import type { Pod } from '../../workload/pod.ts';
import { PodOwner, type PodOwnerDeps } from '../../workload/pod-owner.ts';
import { myDaemonSets, singular } from './names.ts';
import { type Node, nodeInformer, nodeMatters } from './node.ts';
import { type MyDaemonSetPlan, plan } from './plan.ts';
import { noteSetbacks, type Setbacks, waitsOf } from './setback.ts';
import { type Snapshot, selects } from './snapshot.ts';
import { spend } from './spent-names.ts';
import type { MyDaemonSet } from './types.gen.ts';

/** Creates the controller; it begins to work when it is run. */
export function myDaemonSetController(deps: PodOwnerDeps): Controller {
  const { owner, nodes, reconcile } = new Reconciler(deps);
  const everyKey = () => owner.objects.list().map(({ metadata }) => keyOf(metadata));
  return owner.controller(reconcile, selects).watches(nodes, everyKey, nodeMatters);
}

/** What a process has seen of a MyDaemonSet and no object tells. Lost with the process, at no great loss. */
type Memory = Pick<Snapshot, 'spent'> & { readonly setbacks: Setbacks };

const NO_MEMORY: Memory = { setbacks: new Map(), spent: new Map() };

class Reconciler {
  readonly owner: PodOwner<MyDaemonSet>;
  readonly nodes: Informer<Node>;
  readonly #deps: PodOwnerDeps;
  /** By owner uid. */
  readonly #memories = new Map<string, Memory>();

  constructor(deps: PodOwnerDeps) {
    this.#deps = deps;
    this.owner = new PodOwner(myDaemonSets, singular, deps);
    this.nodes = nodeInformer(deps.cache);
    this.#remember();
  }

  readonly reconcile = async (key: string, { signal, log }: ReconcileContext): Promise<Result> => {
    const object = this.owner.objects.get(key);
    if (object === undefined) return done; // deleted: owner references remove the pods
    const context = this.owner.context(object, signal);
    const held = this.owner.holdBack(context);
    if (held !== undefined) return held;
    const planned = plan({ ...this.#snapshot(object), refused: context.refused }, this.#deps.wallNow());
    if (planned.actions.length > 0) log.info('planned', { actions: planned.actions.length });
    this.#noteFailures(object, planned);
    const outcome = await carryOut(context, planned.actions);
    return this.owner.conclude(context, planned, outcome);
  };

  #snapshot(object: MyDaemonSet): Snapshot {
    const pods = this.owner.pods.byIndex('namespace', object.metadata.namespace ?? '');
    const { setbacks, spent } = this.#memoryOf(object);
    return { object, nodes: this.nodes.list(), pods, waits: waitsOf(setbacks, this.#deps.clock.now()), spent };
  }

  #memoryOf({ metadata }: MyDaemonSet): Memory {
    return this.#memories.get(metadata.uid) ?? NO_MEMORY;
  }

  #noteFailures(object: MyDaemonSet, { failedOn }: MyDaemonSetPlan): void {
    if (failedOn.length === 0) return;
    const memory = this.#memoryOf(object);
    const setbacks = noteSetbacks(memory.setbacks, failedOn, this.#deps.clock.now());
    this.#memories.set(object.metadata.uid, { ...memory, setbacks });
  }

  #remember(): void {
    this.owner.pods.onChange(({ type, object }) => {
      if (type === 'deleted') this.#noteGone(object);
    });
    this.owner.objects.onChange(({ type, object }) => {
      if (type === 'deleted') this.#memories.delete(object.metadata.uid);
    });
    this.nodes.onChange(({ type, object }) => {
      if (type === 'deleted') this.#forgetNode(object.metadata.name);
    });
  }

  /** Only where it will matter: sets and nodes that are gone are not remembered. */
  #noteGone(pod: Pod): void {
    const { namespace = '' } = pod.metadata;
    const { name = '', uid = '' } = controllerOf(pod) ?? {};
    const object = this.owner.objects.get(keyOf({ namespace, name }));
    if (object?.metadata.uid !== uid || this.nodes.get(targetNode(pod) ?? '') === undefined) return;
    const memory = this.#memoryOf(object);
    this.#memories.set(uid, { ...memory, spent: spend(memory.spent, name, pod) });
  }

  #forgetNode(name: string): void {
    for (const [uid, memory] of this.#memories) {
      const spent = new Map(memory.spent);
      if (spent.delete(name)) this.#memories.set(uid, { ...memory, spent });
    }
  }
}
