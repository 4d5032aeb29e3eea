// Keeps the status of every policy, and makes the measurements that its gates ask for: caches → snapshot → plan → measurements and
// Jobs, status last. It decides nothing about a rollout: the controller of MyDeployments reads the results.

import { rolloutPolicies } from '../../policy/resource.ts';
import type { RolloutPolicy } from '../../policy/types.gen.ts';
import type { Cache } from '../../runtime/cache/cache.ts';
import type { Client } from '../../runtime/client/client.ts';
import type { Clock, WallClock } from '../../runtime/clock.ts';
import type { OwnerWrites } from '../../runtime/consistency/owner-writes.ts';
import { WriteTracker } from '../../runtime/consistency/write-tracker.ts';
import { lastSyncedOf } from '../../runtime/consistency/written-versions.ts';
import { Controller, type ControllerOptions } from '../../runtime/controller/controller.ts';
import {
  checkAgain,
  done,
  notYet,
  type ReconcileContext,
  type Result,
  retry,
} from '../../runtime/controller/result.ts';
import { isApiError } from '../../runtime/errors.ts';
import type { EventRecorder } from '../../runtime/events.ts';
import type { Labels, ObjectMetrics } from '../../runtime/metrics/objects.ts';
import { keyOf } from '../../runtime/object.ts';
import { asOwner } from '../../runtime/owner.ts';
import { StatusWriter } from '../../runtime/status-writer.ts';
import { sameMeaning } from '../../workload/canonical.ts';
import { podMatters } from '../../workload/pod-cache.ts';
import { type Job, jobs } from './gates/job.ts';
import { startJob } from './gates/job-starter.ts';
import type { Outcome } from './gates/judge.ts';
import type { Measurement } from './gates/measurement.ts';
import { type Measure, Measurements } from './measurements.ts';
import { countMeasurements, observePolicies } from './metrics.ts';
import { Near } from './near.ts';
import { type PolicyPlan, plan } from './plan.ts';
import type { PrometheusClient } from './prometheus/client.ts';
import type { Snapshot } from './snapshot.ts';

export interface RolloutPolicyDeps {
  readonly cache: Cache;
  readonly client: Client;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly wallNow: WallClock;
  readonly prometheus: Pick<PrometheusClient, 'query'>;
  readonly metrics: { readonly objects: ObjectMetrics };
  /** Workers, log, metrics. */
  readonly controllerOptions?: Omit<ControllerOptions, 'name' | 'reconcile' | 'clock' | 'wallNow' | 'limiter'>;
}

/** How long the cache may lag before the policy is reconciled again without an event. */
const LOOK_AGAIN_MS = 1000;

/** Creates the controller; it begins to work when it is run. Metrics are exported from now on. */
export function rolloutPolicyController(deps: RolloutPolicyDeps): Controller {
  const { near, measurements, reconcile } = new Reconciler(deps);
  const { clock, wallNow, metrics, controllerOptions } = deps;
  observePolicies({ policies: near.policies, revisions: near.revisions, wallNow, metrics });
  return new Controller({ ...controllerOptions, name: 'rolloutpolicy', clock, wallNow, reconcile })
    .for(near.policies)
    .owns(near.jobs)
    .watches(near.policies, near.siblings)
    .watches(near.targets, near.policiesAbout)
    .watches(near.revisions, near.policiesOfOwner)
    .watches(near.pods, near.policiesOfOwner, podMatters)
    .watches(measurements, ({ metadata }) => [keyOf(metadata)]);
}

class Reconciler {
  readonly near: Near;
  readonly measurements: Measurements;
  readonly #deps: RolloutPolicyDeps;
  readonly #statuses: StatusWriter<RolloutPolicy>;
  readonly #tracker: WriteTracker;
  readonly #count: (labels: Labels) => void;

  constructor(deps: RolloutPolicyDeps) {
    const { cache, client, clock, wallNow, metrics } = deps;
    this.#deps = deps;
    this.#count = countMeasurements(metrics);
    this.near = new Near(cache);
    this.measurements = new Measurements(this.#measure, wallNow);
    this.#statuses = new StatusWriter(rolloutPolicies, { client, clock });
    this.#tracker = new WriteTracker({ clock, lastSynced: lastSyncedOf(this.near.policies, this.near.jobs) });
    this.near.policies.onChange(({ type, object }) => {
      if (type === 'deleted') this.measurements.forget(object.metadata.uid);
    });
  }

  readonly reconcile = async (key: string, { signal }: ReconcileContext): Promise<Result> => {
    const found = this.near.snapshot(key);
    if (found === undefined) return this.#forget(key);
    const { policy } = found;
    const { uid, deletionTimestamp } = policy.metadata;
    if (deletionTimestamp !== undefined) return done;
    // The change that the cache lacks wakes the policy sooner.
    if (this.#writesOf(policy).behindUntil() !== undefined) return notYet(LOOK_AGAIN_MS);
    const measured = this.measurements.measured(uid);
    const snapshot: Snapshot = { ...found, measured, measuring: this.measurements.measuring(uid) };
    const planned = plan(snapshot, this.#deps.wallNow());
    this.measurements.begin(policy, planned.place, planned.measure);
    await Promise.all(planned.deleteJobs.map((job) => this.#deleteJob(job, signal)));
    return this.#writeStatus(snapshot, planned, signal);
  };

  readonly #measure: Measure = async (policy, measurement, signal) => {
    const outcome = await this.#outcomeOf(policy, measurement, signal);
    this.#count({ by: measurement.by, outcome: outcome.is });
    return outcome;
  };

  #outcomeOf(policy: RolloutPolicy, measurement: Measurement, signal: AbortSignal): Promise<Outcome> {
    const { client, prometheus } = this.#deps;
    if (measurement.by === 'prometheus') return prometheus.query(measurement.server, measurement.query, signal);
    const wrote = (of: RolloutPolicy, version: string): void => this.#writesOf(of).wrote(jobs, version);
    return startJob({ client, wrote }, policy, measurement.job, signal);
  }

  async #writeStatus({ policy, measured }: Snapshot, planned: PolicyPlan, signal: AbortSignal): Promise<Result> {
    if (!sameMeaning(policy.status ?? {}, planned.status)) {
      const written = await this.#statuses.write(policy, planned.status, 'now', signal);
      if (written.wrote === 'conflict') return retry(written.message);
      if (written.wrote === 'now') this.#writesOf(policy).wrote(rolloutPolicies, written.resourceVersion);
    }
    this.measurements.confirm(policy.metadata.uid, measured);
    for (const event of planned.events) this.#deps.events.record(asOwner(policy, rolloutPolicies), event);
    return checkAgain({ at: planned.checkAgainAt }, this.#deps.wallNow());
  }

  async #deleteJob({ metadata: { namespace = '', name, uid } }: Job, signal: AbortSignal): Promise<void> {
    try {
      await this.#deps.client.delete(jobs, { namespace, name }, { uid, propagationPolicy: 'Background', signal });
    } catch (error) {
      if (!isApiError(error, 'NotFound', 'Conflict')) throw error;
    }
  }

  #writesOf({ metadata }: RolloutPolicy): OwnerWrites {
    return this.#tracker.of({ key: keyOf(metadata), uid: metadata.uid });
  }

  /** The policy is gone: owner references remove its Jobs, and nothing is remembered. */
  #forget(key: string): Result {
    this.#tracker.forget(key);
    this.#statuses.forget(key);
    return done;
  }
}
