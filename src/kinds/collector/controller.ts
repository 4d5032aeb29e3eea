// Keeps the change log of every Collector: each event of the caches is recorded when it arrives, and every reconcile
// writes the status. Events are recorded only while this controller runs, hence only by the leader; objects that
// existed before are not changes.

import type { Change, Informer } from '../../runtime/cache/informer.ts';
import type { WallClock } from '../../runtime/clock.ts';
import { Controller } from '../../runtime/controller/controller.ts';
import { generationChanged } from '../../runtime/controller/predicates.ts';
import { checkAgain, done, type ReconcileContext, type Result, retry } from '../../runtime/controller/result.ts';
import type { Source } from '../../runtime/controller/sources.ts';
import { type KubeObject, keyOf } from '../../runtime/object.ts';
import type { Operator } from '../../runtime/operator/operator.ts';
import { StatusWriter } from '../../runtime/status-writer.ts';
import { isTerminating, type Pod } from '../../workload/pod.ts';
import { podInformer, revisionInformer } from '../../workload/pod-cache.ts';
import { trimDeployment, trimToMetadata } from '../../workload/trim.ts';
import { type ChangeLog, type Observation, reconciled, record } from './change-log.ts';
import { collectors } from './names.ts';
import { observeOther, observePod, observeTarget } from './observation.ts';
import { plan } from './plan.ts';
import type { ObservedTarget } from './snapshot.ts';
import { changeLogFrom, statusUrgency } from './status.ts';
import * as targets from './targets.ts';
import type { Collector, CollectorStatus } from './types.gen.ts';

/** What of the operator it works with. */
export type CollectorDeps = Pick<Operator, 'cache' | 'client' | 'clock' | 'wallNow' | 'controllerOptions'>;

/** Changes of counts alone are written at most this often. */
const COUNTS_INTERVAL_MS = 5000;

/** Creates the controller; it begins to observe when it is run. */
export function collectorController(deps: CollectorDeps): Controller {
  const reconciler = new Reconciler(deps);
  const { clock, wallNow, controllerOptions } = deps;
  const controller = new Controller({
    ...controllerOptions,
    name: 'collector',
    clock,
    wallNow,
    reconcile: reconciler.reconcile,
  }).for(reconciler.collectors, generationChanged); // its own status is no reason to reconcile
  reconciler.observe(controller);
  return controller;
}

/** A change log, and the target that it is about. */
interface KeptLog {
  readonly of: string;
  readonly changeLog: ChangeLog;
}

type Kind = targets.TargetKind;
type WhichTarget = (object: KubeObject) => targets.TargetRef | undefined;

class Reconciler {
  readonly collectors: Informer<Collector>;
  readonly #targets: Readonly<Record<Kind, Informer<targets.Target>>>;
  readonly #replicaSets: Informer<KubeObject>;
  readonly #revisions: Informer<KubeObject>;
  readonly #pods: Informer<Pod>;
  readonly #wallNow: WallClock;
  readonly #statuses: StatusWriter<Collector>;
  /** By the uid of the Collector. */
  readonly #logs = new Map<string, KeptLog>();

  constructor({ cache, client, clock, wallNow }: CollectorDeps) {
    this.collectors = cache.informer(collectors);
    this.#targets = {
      Deployment: cache.informer(targets.TARGETS.Deployment, { transform: trimDeployment }),
      MyDeployment: cache.informer(targets.TARGETS.MyDeployment),
    };
    this.#replicaSets = cache.informer(targets.replicaSets, { transform: trimToMetadata });
    this.#revisions = revisionInformer(cache) as unknown as Informer<KubeObject>;
    this.#pods = podInformer(cache);
    this.#wallNow = wallNow;
    this.#statuses = new StatusWriter(collectors, { client, clock, intervalMs: COUNTS_INTERVAL_MS });
    this.collectors.onChange(({ type, object: { metadata } }) => {
      if (type === 'deleted') this.#logs.delete(metadata.uid);
    });
  }

  /** Records every event of a target and of its objects, and reconciles the Collectors that observe it. */
  observe(controller: Controller): void {
    const watch = <T extends KubeObject>(
      informer: Informer<T>,
      whose: WhichTarget,
      seen: (change: Change<T>) => Omit<Observation, 'target' | 'at'>,
    ): void => {
      controller.watches(this.#entered(informer, whose, seen), (object) =>
        this.#observersOf(whose(object)).map(keyOfObject),
      );
    };
    for (const [kind, informer] of Object.entries(this.#targets) as [Kind, Informer<targets.Target>][]) {
      watch(
        informer,
        ({ metadata }) => targets.refTo(kind, metadata),
        (change) => observeTarget(kind, change),
      );
    }
    watch(this.#replicaSets, targets.targetOf, (change) => observeOther('ReplicaSet', change));
    watch(this.#revisions, targets.targetOf, (change) => observeOther('ControllerRevision', change));
    watch(this.#pods, targets.targetOf, observePod);
  }

  readonly reconcile = async (key: string, { signal }: ReconcileContext): Promise<Result> => {
    const object = this.collectors.get(key);
    if (object === undefined) {
      this.#statuses.forget(key);
      return done;
    }
    const changeLog = reconciled(this.#changeLogOf(object));
    const planned = plan({ object, changeLog, targets: this.#targetsOf(object) }, this.#wallNow());
    this.#keep(object, planned.changeLog);
    return this.#writeStatus(object, planned.status, planned.checkAgainAt, signal);
  };

  /** The informer, with every event recorded before the controller's own handler runs. */
  #entered<T extends KubeObject>(
    informer: Informer<T>,
    whose: WhichTarget,
    seen: (change: Change<T>) => Omit<Observation, 'target' | 'at'>,
  ): Source<T> {
    return {
      resource: informer.resource,
      catchUp: () => informer.catchUp(),
      onChange: (handler) =>
        informer.onChange((change) => {
          const target = change.initial ? undefined : whose(change.object);
          for (const collector of this.#observersOf(target)) {
            const observation = { ...seen(change), target: target?.name ?? '', at: this.#wallNow() };
            this.#keep(collector, record(this.#changeLogOf(collector), observation));
          }
          handler(change);
        }),
    };
  }

  /** Collectors that observe this target, or that have an open change of it. */
  #observersOf(target: targets.TargetRef | undefined): readonly Collector[] {
    if (target === undefined) return [];
    const inNamespace = this.collectors.byIndex('namespace', target.namespace);
    if (inNamespace.length === 0) return [];
    const labels = this.#targets[target.kind].get(keyOf(target))?.metadata.labels;
    return inNamespace.filter(
      (collector) => targets.observes(collector, target, labels) || this.#follows(collector, target),
    );
  }

  #follows(collector: Collector, { kind, name }: targets.TargetRef): boolean {
    const { changes } = this.#changeLogOf(collector);
    return (
      kind === collector.spec.target.kind && changes.some(({ state, target }) => state === 'Open' && target === name)
    );
  }

  #targetsOf(collector: Collector): readonly ObservedTarget[] {
    const { kind } = collector.spec.target;
    const candidates = this.#targets[kind].byIndex('namespace', collector.metadata.namespace ?? '');
    return candidates
      .filter(({ metadata }) => targets.observes(collector, targets.refTo(kind, metadata), metadata.labels ?? {}))
      .map((target) => ({
        name: target.metadata.name,
        settled: targets.isSettled(target, this.#podsOf(target).filter(isTerminating).length),
      }));
  }

  /** The pods of the target and of its ReplicaSets. */
  #podsOf({ metadata: { uid } }: KubeObject): readonly Pod[] {
    const owners = [uid, ...this.#replicaSets.byIndex('ownerUid', uid).map(({ metadata }) => metadata.uid)];
    return owners.flatMap((owner) => this.#pods.byIndex('ownerUid', owner));
  }

  #changeLogOf(collector: Collector): ChangeLog {
    const kept = this.#logs.get(collector.metadata.uid);
    return kept?.of === targets.describeTarget(collector.spec.target) ? kept.changeLog : changeLogFrom(collector);
  }

  #keep({ metadata, spec }: Collector, changeLog: ChangeLog): void {
    this.#logs.set(metadata.uid, { of: targets.describeTarget(spec.target), changeLog });
  }

  async #writeStatus(
    object: Collector,
    status: CollectorStatus,
    at: number | undefined,
    signal: AbortSignal,
  ): Promise<Result> {
    const urgency = statusUrgency(object.status, status);
    if (urgency === undefined) return checkAgain({ at }, this.#wallNow());
    const written = await this.#statuses.write(object, status, urgency, signal);
    if (written.wrote === 'conflict') return retry(written.message);
    const afterMs = written.wrote === 'later' ? written.afterMs : undefined;
    return checkAgain({ at, afterMs }, this.#wallNow());
  }
}

function keyOfObject({ metadata }: KubeObject): string {
  return keyOf(metadata);
}
