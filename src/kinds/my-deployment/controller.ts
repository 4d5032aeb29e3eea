// Keeps MyDeployments as their specs say: cache → snapshot → plan → writes, status last. Everything that is decided is
// decided in plan.ts; this file only gathers the facts, carries the plan out and says when to look again.

import type { Cache } from '../../runtime/cache/cache.ts';
import type { Informer } from '../../runtime/cache/informer.ts';
import type { Client } from '../../runtime/client/client.ts';
import type { Clock, WallClock } from '../../runtime/clock.ts';
import { lastSyncedOf } from '../../runtime/consistency/written-versions.ts';
import { Controller, type ControllerOptions } from '../../runtime/controller/controller.ts';
import {
  checkAgain,
  checkAgainAfter,
  done,
  type ReconcileContext,
  type Result,
  retry,
} from '../../runtime/controller/result.ts';
import { keyOfOwner } from '../../runtime/controller/sources.ts';
import type { EventRecorder } from '../../runtime/events.ts';
import type { Metrics } from '../../runtime/metrics/metrics.ts';
import { controllerOf, type KubeObject, keyOf } from '../../runtime/object.ts';
import { ExponentialBackOff } from '../../runtime/queue/back-off.ts';
import { apiVersionOf } from '../../runtime/resource.ts';
import { type StatusUrgency, StatusWriter } from '../../runtime/status-writer.ts';
import type { PlannedEvent } from '../../workload/action.ts';
import { carryOut, type Outcome } from '../../workload/carry-out.ts';
import { holdBack } from '../../workload/hold-back.ts';
import { OwnWrites } from '../../workload/own-writes.ts';
import { earliest, type Pod } from '../../workload/pod.ts';
import { ownedAndOrphans, podInformer, podMatters, revisionInformer } from '../../workload/pod-cache.ts';
import { NO_REFUSALS, type Refusals } from '../../workload/refusals.ts';
import { errorsOf, failureEvents, worstFirst } from '../../workload/replica-failure.ts';
import type { ControllerRevision } from '../../workload/revision.ts';
import { selectorMatches } from '../../workload/selector.ts';
import type { WriteContext } from '../../workload/write-context.ts';
import { limitsOf, withDefaults } from './defaults.ts';
import { handOverPartner } from './hand-over.ts';
import { myDeployments } from './names.ts';
import { type MyDeploymentPlan, plan } from './plan.ts';
import { isOurRecord } from './record.ts';
import type { Snapshot } from './snapshot.ts';
import type { Spread } from './spread.ts';
import { finishStatus, type StatusChange, statusChange } from './status.ts';
import { paceMs } from './stride.ts';
import type { MyDeployment } from './types.gen.ts';

export interface MyDeploymentDeps {
  readonly cache: Cache;
  readonly client: Client;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly wallNow: WallClock;
  /** In [0, 1): chooses the names of pods. @default Math.random */
  readonly random?: () => number;
  readonly metrics?: Pick<Metrics, 'consistency'>;
  /** Over what new pods are spread whose template does not say. @default nothing */
  readonly spread?: () => Spread;
  /** Workers, log, metrics. */
  readonly controllerOptions?: Omit<ControllerOptions, 'name' | 'reconcile' | 'clock' | 'wallNow' | 'limiter'>;
}

const NAME = 'mydeployment';

/**
 * What stands in the way of a pod (a quota, a policy, a webhook that is down) goes without telling us, so a failing
 * object is tried again every half minute at the latest: that is how long it may go on failing for no reason.
 */
const BACK_OFF = { firstMs: 5, longestMs: 30_000 };

/** Creates the controller; it begins to work when it is run. */
export function myDeploymentController(deps: MyDeploymentDeps): Controller {
  const reconciler = new Reconciler(deps);
  const { clock, wallNow, controllerOptions } = deps;
  const controller = new Controller({
    paceMs: reconciler.paceOf,
    ...controllerOptions,
    name: NAME,
    clock,
    wallNow,
    limiter: new ExponentialBackOff(BACK_OFF),
    reconcile: reconciler.reconcile,
  });
  return controller
    .for(reconciler.deployments)
    .watches(reconciler.pods, reconciler.ownersOf, podMatters)
    .watches(reconciler.revisions, reconciler.ownersOf);
}

type Context = WriteContext & { readonly object: MyDeployment; readonly refused: Refusals };

class Reconciler {
  readonly deployments: Informer<MyDeployment>;
  readonly pods: Informer<Pod>;
  readonly revisions: Informer<ControllerRevision>;
  readonly #deps: MyDeploymentDeps;
  readonly #own: OwnWrites;
  readonly #statuses: StatusWriter<MyDeployment>;

  constructor(deps: MyDeploymentDeps) {
    const { cache, client, clock, random = Math.random, metrics } = deps;
    this.#deps = deps;
    this.deployments = cache.informer(myDeployments);
    this.pods = podInformer(cache);
    this.revisions = revisionInformer(cache, isOurs);
    const lastSynced = lastSyncedOf(this.deployments, this.pods, this.revisions);
    this.#own = new OwnWrites({ clock, random, lastSynced, observer: metrics?.consistency(NAME) });
    this.#statuses = new StatusWriter(myDeployments, { client, clock });
    // Keeps the memory of our writes in step with what the cache shows.
    this.pods.onChange((change) => this.#own.observe(change, keyOfOwner(myDeployments)));
  }

  readonly reconcile = async (key: string, { signal, log }: ReconcileContext): Promise<Result> => {
    const snapshot = this.#snapshot(key);
    if (snapshot === undefined) return this.#forget(key);
    const context = this.#context(snapshot, key, signal);
    const held = holdBack(context, this.#deps.clock);
    if (held !== undefined) return held;
    const planned = plan(snapshot, this.#deps.wallNow());
    if (planned.actions.length > 0) log.debug('planned', { actions: planned.actions.length });
    const outcome = await carryOut(context, planned.actions);
    this.#tell(context, planned, outcome);
    const result = await this.#finish(context, planned, outcome);
    return this.#own.wasOutdated(context.identity) ? retry('something changed before it was written') : result;
  };

  readonly paceOf = (key: string): number => {
    const object = this.deployments.get(key);
    return object === undefined ? 0 : paceMs(limitsOf(withDefaults(object.spec)));
  };

  /** A pod or revision concerns its owner; one without an owner concerns whoever might adopt it. */
  readonly ownersOf = (object: KubeObject): Iterable<string> => {
    if (controllerOf(object) !== undefined) return keyOfOwner(myDeployments)(object);
    const { namespace = '', labels } = object.metadata;
    return this.deployments
      .byIndex('namespace', namespace)
      .filter(({ spec }) => selectorMatches(spec.selector, labels))
      .map(({ metadata }) => keyOf(metadata));
  };

  #snapshot(key: string): Snapshot | undefined {
    const object = this.deployments.get(key);
    return (
      object && {
        object,
        revisions: ownedAndOrphans(this.revisions, object),
        pods: this.#podsNear(object),
        spread: this.#deps.spread?.() ?? 'none',
        refused: this.#own.refused({ key, uid: object.metadata.uid }),
      }
    );
  }

  #podsNear(object: MyDeployment): readonly Pod[] {
    if (handOverPartner(object) === undefined) return ownedAndOrphans(this.pods, object);
    return this.pods.byIndex('namespace', object.metadata.namespace as string);
  }

  #context({ object, refused = NO_REFUSALS }: Snapshot, key: string, signal: AbortSignal): Context {
    return {
      object,
      refused,
      // Items of a list do not say of which kind they are.
      owner: { ...object, apiVersion: apiVersionOf(myDeployments), kind: myDeployments.kind },
      ownerResource: myDeployments,
      identity: { key, uid: object.metadata.uid },
      namespace: object.metadata.namespace as string,
      client: this.#deps.client,
      pods: this.pods,
      own: this.#own,
      signal,
    };
  }

  /** Events of a plan whose sizes could not be recorded would be told again by the next one. */
  #tell({ owner }: WriteContext, { events }: MyDeploymentPlan, outcome: Outcome): void {
    const recorded = outcome.error === undefined && outcome.collided !== true;
    for (const event of [...(recorded ? events : []), ...warningsOf(outcome)]) this.#deps.events.record(owner, event);
  }

  async #finish(
    context: Context,
    { status: planned, checkAgainAt: at }: MyDeploymentPlan,
    outcome: Outcome,
  ): Promise<Result> {
    const { object, owner, identity, signal } = context;
    const now = this.#deps.wallNow();
    const refused = [...context.refused.values()];
    const failures = worstFirst([...outcome.failures, ...refused]);
    const status = planned && finishStatus(planned, { ...outcome, failures }, { stored: object.status, now });
    const change = status === undefined ? 'none' : statusChange(object.status, status);
    let afterMs: number | undefined;
    if (status !== undefined && change !== 'none') {
      const written = await this.#statuses.write(object, status, urgencyOf(change, outcome), signal);
      if (written.wrote === 'now') this.#own.wrote(identity, myDeployments, written.resourceVersion);
      if (written.wrote === 'later') afterMs = written.afterMs;
      if (written.wrote === 'conflict') {
        this.#deps.events.record(owner, { type: 'Normal', reason: 'ConflictRequeue', message: written.message });
        return retry('the object changed while its status was written');
      }
    }
    const errors = [...errorsOf(outcome.failures), ...(outcome.error ? [outcome.error] : [])];
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} writes failed`);
    // A claim was refused: the rest goes on without it.
    if (outcome.failures.length > 0) return checkAgainAfter(0);
    const delays = [afterMs, ...refused.map(({ forMs }) => forMs)];
    return checkAgain({ at, afterMs: earliest(delays) }, this.#deps.wallNow());
  }

  /** The object is gone: owner references remove the pods, and nothing is remembered. */
  #forget(key: string): Result {
    this.#own.forget(key);
    this.#statuses.forget(key);
    return done;
  }
}

/** A revision of our kind or an orphan that was one: the plan reads its template. */
function isOurs(revision: ControllerRevision): boolean {
  return [...keyOfOwner(myDeployments)(revision)].length > 0 || isOurRecord(revision.metadata.annotations);
}

/** People wait for news; that something fails they should not have to wait for at all, nor should the next attempt. */
function urgencyOf(change: Exclude<StatusChange, 'none'>, { error, collided, failures }: Outcome): StatusUrgency {
  if (error !== undefined || collided || failures.length > 0) return 'now';
  return change === 'news' ? 'soon' : 'later';
}

function warningsOf({ failures, revisionFailure }: Outcome): PlannedEvent[] {
  return [
    ...failureEvents(failures),
    ...(revisionFailure === undefined
      ? []
      : [{ type: 'Warning', reason: 'RevisionCreateError', message: revisionFailure } as const]),
  ];
}
