// The controller of every kind that owns pods. A kind declares how a snapshot is taken and what is planned for it
// (PodOwner); everything around the plan is done here: which changes wake an object, waiting for the cache to show the
// operator's own writes, finalizers, executing the plan, events, the status, and when to look again.

import type { Informer } from '../runtime/cache/informer.ts';
import { awaitCache } from '../runtime/consistency/await-cache.ts';
import type { Refusals } from '../runtime/consistency/refusals.ts';
import { WriteTracker } from '../runtime/consistency/write-tracker.ts';
import { lastSyncedOf } from '../runtime/consistency/written-versions.ts';
import { Controller, type ControllerOptions } from '../runtime/controller/controller.ts';
import { done, type ReconcileContext, type Result, retry } from '../runtime/controller/result.ts';
import { keyOfOwner } from '../runtime/controller/sources.ts';
import { isApiError } from '../runtime/errors.ts';
import { type FinalizerState, finalizerState } from '../runtime/finalizer.ts';
import type { Metrics } from '../runtime/metrics/metrics.ts';
import { controllerOf, type KubeObject, keyOf } from '../runtime/object.ts';
import type { Operator } from '../runtime/operator/operator.ts';
import { asOwner } from '../runtime/owner.ts';
import { ExponentialBackOff } from '../runtime/queue/back-off.ts';
import type { Plan } from './action.ts';
import { execute } from './execute.ts';
import type { Pod } from './pod.ts';
import { ownedAndOrphans, podInformer, podMatters, revisionInformer } from './pod-cache.ts';
import { type OwnerContext, type OwnerStatus, type Owning, type Reported, Reporter } from './report.ts';
import type { ControllerRevision } from './revision.ts';
import { GrantedWrites } from './slow-start.ts';

/** The objects that may concern one object, read from the caches. */
export interface Neighbourhood {
  /** Pods that the object owns, and pods of its namespace that have no controller. */
  readonly pods: readonly Pod[];
  /** Every pod of its namespace, whatever its owner. */
  readonly allPods: readonly Pod[];
  /** Revisions that the object owns, and revisions of its namespace that have no controller. */
  readonly revisions: readonly ControllerRevision[];
  /** Writes that the plan leaves out, because the API server refused them a moment ago. */
  readonly refusals: Refusals;
}

/** What distinguishes a kind that owns pods from others. */
export interface PodOwner<T extends Owning<S>, S extends OwnerStatus, Snapshot, P extends Plan<S> = Plan<S>>
  extends Reported<T, S> {
  /** True when the object selects the pod or revision, so that one without a controller wakes it. */
  readonly selects: (object: T, orphan: KubeObject) => boolean;
  /** Everything that a plan needs to know about one object. */
  readonly snapshot: (object: T, near: Neighbourhood) => Snapshot;
  readonly plan: (snapshot: Snapshot, now: number) => P;
  /** Keeps an object until its plan says that it is cleaned up. */
  readonly finalizer?: string;
  /** The least time between two reconciles of an object, in milliseconds. @default none */
  readonly paceMs?: (object: T) => number;
  /** Changes of other objects that wake objects of this kind. */
  readonly watches?: (controller: Controller) => Controller;
  /** Caches of other objects that the kind's plans read and write. */
  readonly reads?: readonly Pick<Informer<KubeObject>, 'resource' | 'lastSyncedResourceVersion'>[];
  /** Called before a plan is executed. */
  readonly onPlan?: (object: T, planned: P) => void;
}

/** What of the operator it works with. */
export interface PodOwnerDeps extends Pick<Operator, 'cache' | 'client' | 'events' | 'clock' | 'wallNow'> {
  /** In [0, 1): chooses the names of pods. @default Math.random */
  readonly random?: () => number;
  readonly metrics?: Pick<Metrics, 'consistency'>;
  /** Workers, log, metrics. */
  readonly controllerOptions?: Omit<ControllerOptions, 'name' | 'reconcile' | 'clock' | 'wallNow' | 'limiter'>;
}

/**
 * No event says that a quota, a policy or a failing webhook no longer prevents a pod, so an object that fails is
 * tried again every half minute at the latest.
 */
const BACK_OFF = { firstMs: 5, longestMs: 30_000 };

/** Creates the controller of a kind; it begins to work when it is run. */
export function podOwnerController<T extends Owning<S>, S extends OwnerStatus, Snapshot, P extends Plan<S>>(
  deps: PodOwnerDeps,
  kind: PodOwner<T, S, Snapshot, P>,
): Controller {
  const reconciler = new Reconciler(deps, kind);
  const { clock, wallNow, controllerOptions } = deps;
  const { paceOf, reconcile, concernedBy } = reconciler;
  const limiter = new ExponentialBackOff(BACK_OFF);
  const controller = new Controller({
    ...(paceOf && { paceMs: paceOf }),
    ...controllerOptions,
    name: kind.definition.singular,
    clock,
    wallNow,
    limiter,
    reconcile,
  })
    .for(reconciler.objects)
    .watches(reconciler.pods, concernedBy, podMatters);
  if (reconciler.revisions !== undefined) controller.watches(reconciler.revisions, concernedBy);
  return kind.watches === undefined ? controller : kind.watches(controller);
}

class Reconciler<T extends Owning<S>, S extends OwnerStatus, Snapshot, P extends Plan<S>> {
  readonly objects: Informer<T>;
  readonly pods: Informer<Pod>;
  readonly revisions: Informer<ControllerRevision> | undefined;
  readonly paceOf: ((key: string) => number) | undefined;
  readonly #deps: PodOwnerDeps;
  readonly #kind: PodOwner<T, S, Snapshot, P>;
  readonly #tracker: WriteTracker;
  readonly #granted = new GrantedWrites();
  readonly #reporter: Reporter<T, S>;

  constructor(deps: PodOwnerDeps, kind: PodOwner<T, S, Snapshot, P>) {
    const { cache, clock, metrics } = deps;
    const { definition, keepsRevision, paceMs, reads = [] } = kind;
    const { resource, singular: name } = definition;
    this.#deps = deps;
    this.#kind = kind;
    this.objects = cache.informer(resource);
    this.pods = podInformer(cache);
    this.revisions = keepsRevision && revisionInformer(cache, keepsRevision);
    this.paceOf =
      paceMs &&
      ((key) => {
        const object = this.objects.get(key);
        return object === undefined ? 0 : paceMs(object);
      });
    const lastSynced = lastSyncedOf(this.objects, this.pods, ...(this.revisions ? [this.revisions] : []), ...reads);
    this.#tracker = new WriteTracker({ clock, lastSynced, observer: metrics?.consistency(name) });
    this.#reporter = new Reporter(deps, kind);
    this.pods.onChange((change) => this.#tracker.observe(change, keyOfOwner(resource)));
  }

  readonly reconcile = async (key: string, { signal, log }: ReconcileContext): Promise<Result> => {
    const object = this.objects.get(key);
    if (object === undefined) return this.#forget(key);
    const context = this.#context(object, signal);
    const waiting = awaitCache(context, this.#deps.clock);
    if (waiting !== undefined) return waiting;
    const { finalizer, onPlan } = this.#kind;
    const state = finalizer === undefined ? undefined : finalizerState(object, finalizer);
    if (state?.do === 'nothing') return done; // another finalizer keeps the object
    if (state?.do === 'add') return this.#patchFinalizers(context, state);
    const planned = this.#plan(context);
    if (state?.do === 'cleanUp' && planned.isCleanedUp) return this.#patchFinalizers(context, state);
    if (planned.actions.length > 0) log.debug('planned', { actions: planned.actions.length });
    onPlan?.(object, planned);
    return this.#reporter.report(context, planned, await execute(context, planned.actions));
  };

  /** A pod or revision concerns its owner; one without a controller concerns every object that selects it. */
  readonly concernedBy = (object: KubeObject): Iterable<string> => {
    const { definition, selects } = this.#kind;
    if (controllerOf(object) !== undefined) return keyOfOwner(definition.resource)(object);
    const near = this.objects.byIndex('namespace', object.metadata.namespace ?? '');
    return near.filter((owner) => selects(owner, object)).map(({ metadata }) => keyOf(metadata));
  };

  #context(object: T, signal: AbortSignal): OwnerContext<T> {
    const { resource } = this.#kind.definition;
    const { client, random = Math.random } = this.#deps;
    const { uid, namespace } = object.metadata;
    const writes = this.#tracker.of({ key: keyOf(object.metadata), uid });
    return {
      object,
      owner: asOwner(object, resource),
      ownerResource: resource,
      namespace: namespace as string,
      client,
      pods: this.pods,
      writes,
      refusals: writes.refusals,
      granted: this.#granted,
      random,
      signal,
    };
  }

  #plan({ object, refusals }: OwnerContext<T>): P {
    const { pods, revisions } = this;
    const near: Neighbourhood = {
      get pods() {
        return ownedAndOrphans(pods, object);
      },
      get allPods() {
        return pods.byIndex('namespace', object.metadata.namespace ?? '');
      },
      get revisions() {
        return revisions === undefined ? [] : ownedAndOrphans(revisions, object);
      },
      refusals,
    };
    return this.#kind.plan(this.#kind.snapshot(object, near), this.#deps.wallNow());
  }

  async #patchFinalizers(
    { object, client, writes, signal }: OwnerContext<T>,
    { patch: body }: Extract<FinalizerState, { readonly patch: unknown }>,
  ): Promise<Result> {
    const { resource } = this.#kind.definition;
    try {
      const patched = await client.patch(resource, object.metadata, { type: 'json', body }, { signal });
      writes.wrote(resource, patched.metadata.resourceVersion);
      return done; // the change wakes the object
    } catch (error) {
      if (isApiError(error, 'NotFound')) return done;
      if (isApiError(error, 'Invalid')) return retry('the finalizers have changed');
      throw error;
    }
  }

  /** The object is gone: the garbage collector removes what it owned, and nothing is remembered. */
  #forget(key: string): Result {
    this.#tracker.forget(key);
    this.#reporter.forget(key);
    return done;
  }
}
