// Keeps MyDaemonSets as their specs say: cache → snapshot → plan → writes, status last. Everything that is decided is
// decided in plan.ts; a node that comes, goes or changes its taints concerns every MyDaemonSet.

import type { Informer } from '../../runtime/cache/informer.ts';
import type { Controller } from '../../runtime/controller/controller.ts';
import { checkAgainAt, done, type ReconcileContext, type Result } from '../../runtime/controller/result.ts';
import { keyOf } from '../../runtime/object.ts';
import { carryOut } from '../../workload/carry-out.ts';
import { PodOwner, type PodOwnerDeps } from '../../workload/pod-owner.ts';
import { myDaemonSets, singular } from './names.ts';
import { type Node, nodeInformer, nodeMatters } from './node.ts';
import { type MyDaemonSetPlan, plan } from './plan.ts';
import { noteSetbacks, type Setbacks } from './setback.ts';
import { type Snapshot, selects } from './snapshot.ts';
import type { MyDaemonSet } from './types.gen.ts';

/** Creates the controller; it begins to work when it is run. */
export function myDaemonSetController(deps: PodOwnerDeps): Controller {
  const { owner, nodes, reconcile } = new Reconciler(deps);
  const everyKey = () => owner.objects.list().map(({ metadata }) => keyOf(metadata));
  return owner.controller(reconcile, selects).watches(nodes, everyKey, nodeMatters);
}

class Reconciler {
  readonly owner: PodOwner<MyDaemonSet>;
  readonly nodes: Informer<Node>;
  readonly #deps: PodOwnerDeps;
  /** By owner uid. Lost with the process, as native's are: a node then gets its next pod sooner. */
  readonly #setbacks = new Map<string, Setbacks>();

  constructor(deps: PodOwnerDeps) {
    this.#deps = deps;
    this.owner = new PodOwner(myDaemonSets, singular, deps);
    this.nodes = nodeInformer(deps.cache);
    this.owner.objects.onChange(({ type, object }) => {
      if (type === 'deleted') this.#setbacks.delete(object.metadata.uid);
    });
  }

  readonly reconcile = async (key: string, { signal, log }: ReconcileContext): Promise<Result> => {
    const object = this.owner.objects.get(key);
    if (object === undefined) return done; // deleted: owner references remove the pods
    const behindUntil = this.owner.behindUntil(object);
    if (behindUntil !== undefined) return checkAgainAt(behindUntil); // what we wait for will wake us sooner
    const planned = plan(this.#snapshot(object), this.#deps.clock.now());
    if (planned.actions.length > 0) log.info('planned', { actions: planned.actions.length });
    this.#noteFailures(object, planned);
    const context = this.owner.context(object, signal);
    const outcome = await carryOut(context, planned.actions);
    return this.owner.conclude(context, planned, outcome);
  };

  #snapshot(object: MyDaemonSet): Snapshot {
    const { uid, namespace = '' } = object.metadata;
    return {
      object,
      nodes: this.nodes.list(),
      pods: this.owner.pods.byIndex('namespace', namespace),
      setbacks: this.#setbacks.get(uid) ?? new Map(),
    };
  }

  #noteFailures({ metadata: { uid } }: MyDaemonSet, { failedOn }: MyDaemonSetPlan): void {
    if (failedOn.length === 0) return;
    this.#setbacks.set(uid, noteSetbacks(this.#setbacks.get(uid) ?? new Map(), failedOn, this.#deps.clock.now()));
  }
}
