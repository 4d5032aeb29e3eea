// Keeps MyDeployments as their specs say: cache → snapshot → plan → writes, status last. Everything that is decided is
// decided in plan.ts; this file only gathers the facts, carries the plan out and says when to look again.

import type { Cache } from '../../runtime/cache/cache.ts';
import type { Informer } from '../../runtime/cache/informer.ts';
import type { Client } from '../../runtime/client/client.ts';
import type { Clock } from '../../runtime/clock.ts';
import { lastSyncedOf } from '../../runtime/consistency/written-versions.ts';
import { Controller, type ControllerOptions } from '../../runtime/controller/controller.ts';
import { checkAgainAt, done, type ReconcileContext, type Result, retry } from '../../runtime/controller/result.ts';
import { keyOfOwner } from '../../runtime/controller/sources.ts';
import type { EventRecorder } from '../../runtime/events.ts';
import type { Metrics } from '../../runtime/metrics/metrics.ts';
import { controllerOf, type KubeObject, keyOf } from '../../runtime/object.ts';
import { ExponentialBackOff, OverallBucket, slowestOf } from '../../runtime/queue/rate-limiter.ts';
import { apiVersionOf } from '../../runtime/resource.ts';
import { type StatusUrgency, StatusWriter } from '../../runtime/status-writer.ts';
import type { PlannedEvent } from '../../workload/action.ts';
import { carryOut, type Outcome } from '../../workload/carry-out.ts';
import { holdBack } from '../../workload/hold-back.ts';
import { OwnWrites } from '../../workload/own-writes.ts';
import { earliest, type Pod } from '../../workload/pod.ts';
import { ownedAndOrphans, podInformer, podMatters, revisionInformer } from '../../workload/pod-cache.ts';
import { NO_REFUSALS, type Refusals } from '../../workload/refused-writes.ts';
import { errorsOf, failureEvents, worstFirst } from '../../workload/replica-failure.ts';
import type { ControllerRevision } from '../../workload/revision.ts';
import { selectorMatches } from '../../workload/selector.ts';
import type { WriteContext } from '../../workload/write-context.ts';
import { limitsOf, withDefaults } from './defaults.ts';
import { handOverPartner } from './hand-over.ts';
import { myDeployments } from './names.ts';
import { type MyDeploymentPlan, plan } from './plan.ts';
import type { Snapshot } from './snapshot.ts';
import { finishStatus, type StatusChange, statusChange } from './status.ts';
import { paceMs } from './stride.ts';
import type { MyDeployment } from './types.gen.ts';

export interface MyDeploymentDeps {
  readonly cache: Cache;
  readonly client: Client;
  readonly events: EventRecorder;
  readonly clock: Clock;
  /** In [0, 1): chooses the names of pods. @default Math.random */
  readonly random?: () => number;
  readonly metrics?: Pick<Metrics, 'consistency'>;
  /** Workers, log, metrics. */
  readonly controllerOptions?: Omit<ControllerOptions, 'name' | 'reconcile' | 'clock' | 'limiter'>;
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
  const { clock, controllerOptions } = deps;
  const controller = new Controller({
    paceMs: reconciler.paceOf,
    ...controllerOptions,
    name: NAME,
    clock,
    limiter: slowestOf(new ExponentialBackOff(BACK_OFF), new OverallBucket(clock)),
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
    this.revisions = revisionInformer(cache);
    const lastSynced = lastSyncedOf(this.deployments, this.pods, this.revisions);
    this.#own = new OwnWrites({ clock, random, lastSynced, observer: metrics?.consistency(NAME) });
    this.#statuses = new StatusWriter(myDeployments, { client, clock });
    this.#remember();
  }

  readonly reconcile = async (key: string, { signal, log }: ReconcileContext): Promise<Result> => {
    const snapshot = this.#snapshot(key);
    if (snapshot === undefined) return done; // deleted: owner references remove the pods
    const context = this.#context(snapshot, key, signal);
    const held = holdBack(context, this.#deps.clock);
    if (held !== undefined) return held;
    const planned = plan(snapshot, this.#deps.clock.now());
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
        refused: this.#own.refused.of(object.metadata.uid),
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
    const now = this.#deps.clock.now();
    const refused = [...context.refused.values()];
    const failures = worstFirst([...outcome.failures, ...refused]);
    const status = planned && finishStatus(planned, { ...outcome, failures }, { stored: object.status, now });
    const change = status === undefined ? 'none' : statusChange(object.status, status);
    let statusAt: number | undefined;
    if (status !== undefined && change !== 'none') {
      const written = await this.#statuses.write(object, status, urgencyOf(change, outcome), signal);
      if (written.wrote === 'now') this.#own.wrote(identity, myDeployments, written.resourceVersion);
      if (written.wrote === 'later') statusAt = written.at;
      if (written.wrote === 'conflict') {
        this.#deps.events.record(owner, { type: 'Normal', reason: 'ConflictRequeue', message: written.message });
        return retry('the object changed while its status was written');
      }
    }
    const errors = [...errorsOf(outcome.failures), ...(outcome.error ? [outcome.error] : [])];
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} writes failed`);
    // A claim was refused: the rest goes on without it.
    if (outcome.failures.length > 0) return checkAgainAt(now);
    const next = earliest([at, statusAt, ...refused.map(({ forMs }) => now + forMs)]);
    return next === undefined ? done : checkAgainAt(next);
  }

  /** Keeps the memory of our writes in step with what the cache shows. */
  #remember(): void {
    const ownerOf = keyOfOwner(myDeployments);
    this.pods.onChange((change) => this.#own.observe(change, ownerOf));
    this.deployments.onChange(({ type, object: { metadata } }) => {
      if (type !== 'deleted') return;
      this.#own.forget({ key: keyOf(metadata), uid: metadata.uid });
      this.#statuses.forget(metadata.uid);
    });
  }
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
