// Keeps ImoocPods as their specs say: cache → snapshot → plan → writes, status last. No pod is made before the finalizer
// is stored, and the finalizer goes after the last pod, so none is ever left behind.

import type { Controller } from '../../runtime/controller/controller.ts';
import { done, type ReconcileContext, type Result, retry } from '../../runtime/controller/result.ts';
import { isApiError } from '../../runtime/errors.ts';
import { type FinalizerState, finalizerState } from '../../runtime/finalizer.ts';
import { carryOut } from '../../workload/carry-out.ts';
import { ownedAndOrphans } from '../../workload/pod-cache.ts';
import { type OwnerContext, PodOwner, type PodOwnerDeps } from '../../workload/pod-owner.ts';
import { FINALIZER, imoocPods, singular } from './names.ts';
import { plan } from './plan.ts';
import { selects } from './snapshot.ts';
import type { ImoocPod } from './types.gen.ts';

/** Creates the controller; it begins to work when it is run. */
export function imoocPodController(deps: PodOwnerDeps): Controller {
  const { owner, reconcile } = new Reconciler(deps);
  return owner.controller(reconcile, selects);
}

type Context = OwnerContext<ImoocPod>;

class Reconciler {
  readonly owner: PodOwner<ImoocPod>;
  readonly #deps: PodOwnerDeps;

  constructor(deps: PodOwnerDeps) {
    this.#deps = deps;
    this.owner = new PodOwner(imoocPods, singular, deps);
  }

  readonly reconcile = async (key: string, { signal, log }: ReconcileContext): Promise<Result> => {
    const object = this.owner.objects.get(key);
    if (object === undefined) return done;
    const context = this.owner.context(object, signal);
    const held = this.owner.holdBack(context);
    if (held !== undefined) return held;
    const state = finalizerState(object, FINALIZER);
    if (state.do === 'nothing') return done; // somebody else keeps it from going
    if (state.do === 'add') return this.#patch(context, state);

    const { refused } = context;
    const planned = plan({ object, pods: ownedAndOrphans(this.owner.pods, object), refused }, this.#deps.wallNow());
    if (state.do === 'cleanUp' && planned.mayGo) return this.#patch(context, state);
    if (planned.actions.length > 0) log.info('planned', { actions: planned.actions.length });
    const outcome = await carryOut(context, planned.actions);
    return this.owner.conclude(context, planned, outcome);
  };

  async #patch(
    { object, identity, own, client, signal }: Context,
    { patch: body }: Extract<FinalizerState, { readonly patch: unknown }>,
  ): Promise<Result> {
    try {
      const patched = await client.patch(imoocPods, object.metadata, { type: 'json', body }, { signal });
      own.wrote(identity, imoocPods, patched.metadata.resourceVersion);
      return done; // the change that this makes brings the key back
    } catch (error) {
      if (isApiError(error, 'NotFound')) return done;
      if (isApiError(error, 'Invalid')) return retry('the finalizers changed meanwhile');
      throw error;
    }
  }
}
