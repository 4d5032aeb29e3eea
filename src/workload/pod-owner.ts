// What every kind that owns pods does around its plan: finds its objects and pods in the cache, holds back while the
// cache does not show its own last writes, and afterwards tells events, writes a status that changed and says when to
// look again. What happens to the pods is for the kind's plan to decide, and for carry-out.ts to do.

import type { Cache } from '../runtime/cache/cache.ts';
import type { Informer } from '../runtime/cache/informer.ts';
import type { Client } from '../runtime/client/client.ts';
import type { Clock, WallClock } from '../runtime/clock.ts';
import type { Condition } from '../runtime/conditions.ts';
import { lastSyncedOf } from '../runtime/consistency/written-versions.ts';
import { Controller, type ControllerOptions } from '../runtime/controller/controller.ts';
import { checkAgain, checkAgainAfter, done, type Reconcile, type Result, retry } from '../runtime/controller/result.ts';
import { keyOfOwner, type MapToKeys } from '../runtime/controller/sources.ts';
import type { EventRecorder } from '../runtime/events.ts';
import type { Metrics } from '../runtime/metrics/metrics.ts';
import { controllerOf, type KubeObject, keyOf } from '../runtime/object.ts';
import { ExponentialBackOff } from '../runtime/queue/back-off.ts';
import { apiVersionOf, type Resource } from '../runtime/resource.ts';
import { StatusWriter, type StatusWritten } from '../runtime/status-writer.ts';
import type { Plan } from './action.ts';
import { sameMeaning } from './canonical.ts';
import type { Outcome } from './carry-out.ts';
import { holdBack } from './hold-back.ts';
import { OwnWrites } from './own-writes.ts';
import { earliest, type Pod } from './pod.ts';
import { podInformer, podMatters } from './pod-cache.ts';
import type { Refusals } from './refusals.ts';
import { errorsOf, type Failure, failureEvents, noteFailures, worstFirst } from './replica-failure.ts';
import type { WriteContext } from './write-context.ts';

export interface PodOwnerDeps {
  readonly cache: Cache;
  readonly client: Client;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly wallNow: WallClock;
  readonly metrics?: Pick<Metrics, 'consistency'>;
  /** Workers, log, metrics. */
  readonly controllerOptions?: Omit<ControllerOptions, 'name' | 'reconcile' | 'clock' | 'wallNow' | 'limiter'>;
}

/** What every such kind has in its status. */
export interface OwnerStatus {
  readonly observedGeneration?: number;
  readonly conditions?: readonly Condition[];
}

type Owning = KubeObject & { readonly status?: OwnerStatus };

export type OwnerContext<T extends Owning> = WriteContext & {
  readonly object: T;
  /** Claims that the plan has to do without, because they were refused a moment ago. */
  readonly refused: Refusals;
};

/** What stands in the way of a pod, such as a quota, goes without telling us: half a minute later we have noticed. */
const BACK_OFF = { firstMs: 5, longestMs: 30_000 };

export class PodOwner<T extends Owning> {
  readonly objects: Informer<T>;
  readonly pods: Informer<Pod>;
  readonly #resource: Resource<T>;
  readonly #name: string;
  readonly #deps: PodOwnerDeps;
  readonly #own: OwnWrites;
  readonly #statuses: StatusWriter<T>;

  /** `name` is the controller's, in logs and metrics. */
  constructor(resource: Resource<T>, name: string, deps: PodOwnerDeps) {
    const { cache, client, clock, metrics } = deps;
    this.#resource = resource;
    this.#name = name;
    this.#deps = deps;
    this.objects = cache.informer(resource);
    this.pods = podInformer(cache);
    const lastSynced = lastSyncedOf(this.objects, this.pods);
    this.#own = new OwnWrites({ clock, lastSynced, observer: metrics?.consistency(name) });
    this.#statuses = new StatusWriter(resource, { client, clock });
    // Keeps the memory of our writes in step with what the cache shows.
    this.pods.onChange((change) => this.#own.observe(change, keyOfOwner(resource)));
  }

  /** A controller that is woken by objects of this kind, and by pods that are theirs or, if selected, may become so. */
  controller(reconcile: Reconcile, selects: (object: T, pod: Pod) => boolean): Controller {
    const { clock, wallNow, controllerOptions } = this.#deps;
    const limiter = new ExponentialBackOff(BACK_OFF);
    const known: Reconcile = async (key, context) =>
      this.objects.get(key) === undefined ? this.#forget(key) : reconcile(key, context);
    return new Controller({ ...controllerOptions, name: this.#name, clock, wallNow, limiter, reconcile: known })
      .for(this.objects)
      .watches(this.pods, this.#concernedBy(selects), podMatters);
  }

  /** What to do instead of planning for this object; undefined when the way is clear. */
  holdBack(context: OwnerContext<T>): Promise<Result> | undefined {
    return holdBack(context, this.#deps.clock);
  }

  /** What writes on behalf of this object need. */
  context(object: T, signal: AbortSignal): OwnerContext<T> {
    const { metadata } = object;
    return {
      object,
      // Items of a list do not say of which kind they are.
      owner: { ...object, apiVersion: apiVersionOf(this.#resource), kind: this.#resource.kind },
      ownerResource: this.#resource,
      identity: { key: keyOf(metadata), uid: metadata.uid },
      namespace: metadata.namespace as string,
      client: this.#deps.client,
      pods: this.pods,
      own: this.#own,
      refused: this.#own.refused({ key: keyOf(metadata), uid: metadata.uid }),
      signal,
    };
  }

  /** Tells what was done, writes the status if it changed, and says what happens next. */
  async conclude(context: OwnerContext<T>, planned: Plan<OwnerStatus>, { failures }: Outcome): Promise<Result> {
    const told = failures.length === 0 ? planned.events : failureEvents(failures);
    for (const event of told) this.#deps.events.record(context.owner, event);
    const refused = [...context.refused.values()];
    const status = planned.status && this.#finish(planned.status, worstFirst([...failures, ...refused]));
    const written = status && (await this.#writeStatus(context, status));
    if (written?.wrote === 'conflict') return retry('the object changed while its status was written');
    const errors = errorsOf(failures);
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} writes failed`);
    if (this.#own.wasOutdated(context.identity)) return retry('a pod changed before it was deleted');
    // A claim was refused: the rest goes on without it.
    if (failures.length > 0) return checkAgainAfter(0);
    const delays = [written?.wrote === 'later' ? written.afterMs : undefined, ...refused.map(({ forMs }) => forMs)];
    return checkAgain({ at: planned.checkAgainAt, afterMs: earliest(delays) }, this.#deps.wallNow());
  }

  /** A pod concerns its owner; one without an owner concerns every object that selects it, and might adopt it. */
  #concernedBy(selects: (object: T, pod: Pod) => boolean): MapToKeys<Pod> {
    const ownerOf = keyOfOwner(this.#resource);
    return (pod) => {
      if (controllerOf(pod) !== undefined) return ownerOf(pod);
      const near = this.objects.byIndex('namespace', pod.metadata.namespace ?? '');
      return near.filter((object) => selects(object, pod)).map(({ metadata }) => keyOf(metadata));
    };
  }

  #finish(status: OwnerStatus, failures: readonly Failure[]): OwnerStatus {
    const { conditions = [], observedGeneration: generation = 0 } = status;
    return { ...status, conditions: noteFailures(conditions, failures, { generation, now: this.#deps.wallNow() }) };
  }

  async #writeStatus(
    { object, identity, own, signal }: OwnerContext<T>,
    status: OwnerStatus,
  ): Promise<StatusWritten | undefined> {
    if (sameMeaning(object.status ?? {}, status)) return undefined;
    // People wait for conditions, while counts may come together in one write.
    const urgency = sameMeaning(essence(object.status), essence(status)) ? 'later' : 'now';
    const written = await this.#statuses.write(object, status, urgency, signal);
    if (written.wrote === 'now') own.wrote(identity, this.#resource, written.resourceVersion);
    return written;
  }

  /** The object is gone: owner references remove the pods, and nothing is remembered. */
  #forget(key: string): Result {
    this.#own.forget(key);
    this.#statuses.forget(key);
    return done;
  }
}

function essence({ observedGeneration, conditions = [] }: OwnerStatus = {}): object {
  return { observedGeneration, states: conditions.map(({ type, status, reason }) => ({ type, status, reason })) };
}
