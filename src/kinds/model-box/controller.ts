// Keeps the Deployment and the Service of every ModelBox as its spec says: cache → snapshot → plan → writes, status last.
// Everything that is decided is decided in plan.ts; this file gathers the facts and remembers what came of our writes.

import type { Cache } from '../../runtime/cache/cache.ts';
import type { Informer } from '../../runtime/cache/informer.ts';
import type { Client } from '../../runtime/client/client.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type LastSynced, lastSyncedOf, WrittenVersions } from '../../runtime/consistency/written-versions.ts';
import { Controller, type ControllerOptions } from '../../runtime/controller/controller.ts';
import {
  checkAgainAfter,
  checkAgainAt,
  done,
  type ReconcileContext,
  type Result,
  retry,
} from '../../runtime/controller/result.ts';
import type { EventRecorder } from '../../runtime/events.ts';
import { type KubeObject, keyOf } from '../../runtime/object.ts';
import { apiVersionOf, groupResourceOf } from '../../runtime/resource.ts';
import { StatusWriter } from '../../runtime/status-writer.ts';
import type { PlannedEvent } from '../../workload/action.ts';
import { trimDeployment, trimToMetadata } from '../../workload/trim.ts';
import { type Deployment, deployments, mayBeOurs, type Service, services } from './children.ts';
import { type Answer, answerTo } from './drift.ts';
import { modelBoxes } from './names.ts';
import { plan } from './plan.ts';
import type { Found, Snapshot } from './snapshot.ts';
import { statusChange, withFailure } from './status.ts';
import type { ModelBox, ModelBoxStatus } from './types.gen.ts';
import { CHILDREN, carryOut, type Outcome } from './writes.ts';

export interface ModelBoxDeps {
  readonly cache: Cache;
  readonly client: Client;
  readonly events: EventRecorder;
  readonly clock: Clock;
  /** Workers, log, metrics. */
  readonly controllerOptions?: Omit<ControllerOptions, 'name' | 'reconcile' | 'clock' | 'limiter'>;
}

/** How long a cache may lag before we look again without having been woken. */
const LOOK_AGAIN_MS = 1000;

/** Creates the controller; it begins to work when it is run. */
export function modelBoxController(deps: ModelBoxDeps): Controller {
  const reconciler = new Reconciler(deps);
  const { clock, controllerOptions } = deps;
  return new Controller({ ...controllerOptions, name: 'modelbox', clock, reconcile: reconciler.reconcile })
    .for(reconciler.boxes)
    .watches(reconciler.deployments, reconciler.boxOf)
    .watches(reconciler.services, reconciler.boxOf);
}

class Reconciler {
  readonly boxes: Informer<ModelBox>;
  readonly deployments: Informer<Deployment>;
  readonly services: Informer<Service>;
  readonly #deps: ModelBoxDeps;
  readonly #statuses: StatusWriter<ModelBox>;
  readonly #versions = new WrittenVersions();
  readonly #lastSynced: LastSynced;
  /** By the uid of the Deployment or Service. */
  readonly #answers = new Map<string, Answer>();

  constructor(deps: ModelBoxDeps) {
    const { cache, client, clock } = deps;
    this.#deps = deps;
    this.boxes = cache.informer(modelBoxes);
    this.deployments = cache.informer(deployments, { transform: trimDeployment, whole: mayBeOurs });
    this.services = cache.informer(services, { transform: trimToMetadata, whole: mayBeOurs });
    this.#statuses = new StatusWriter(modelBoxes, { client, clock });
    this.#lastSynced = lastSyncedOf(this.boxes, this.deployments, this.services);
    this.#forgetWhatIsGone();
  }

  readonly reconcile = async (key: string, { signal, log }: ReconcileContext): Promise<Result> => {
    const snapshot = this.#snapshot(key);
    if (snapshot === undefined) return done; // deleted: owner references remove the rest
    const { object } = snapshot;
    if (this.#versions.isStale(key, this.#lastSynced)) return checkAgainAfter(LOOK_AGAIN_MS); // woken sooner, most likely
    const { actions, status } = plan(snapshot, this.#deps.clock.now());
    if (actions.length > 0) log.debug('planned', { actions: actions.map((action) => action.event.message) });
    const context = { object, client: this.#deps.client, signal };
    const outcomes = await Promise.all(actions.map((action) => carryOut(context, action)));
    for (const outcome of outcomes) this.#note(object, outcome);
    return this.#finish(object, status, outcomes, signal);
  };

  /** Whatever bears the name of a ModelBox concerns it, whoever owns it. */
  readonly boxOf = ({ metadata }: KubeObject): Iterable<string> => {
    const key = keyOf(metadata);
    return this.boxes.get(key) === undefined ? [] : [key];
  };

  #snapshot(key: string): Snapshot | undefined {
    const object = this.boxes.get(key);
    const found = <T extends KubeObject>(live: T | undefined): Found<T> => ({
      live,
      answer: live && this.#answers.get(live.metadata.uid),
    });
    return (
      object && {
        object,
        deployment: found(this.deployments.get(key)),
        service: found(this.services.get(key)),
      }
    );
  }

  #note(object: ModelBox, outcome: Outcome): void {
    const { action } = outcome;
    if (outcome.came === 'late') return;
    if (outcome.came === 'failed') {
      const reason = action.do === 'apply' ? 'FailedApply' : 'FailedDelete';
      this.#tell(object, { type: 'Warning', reason, message: outcome.message });
      return;
    }
    this.#tell(object, action.event);
    if (outcome.stored === undefined) return;
    this.#wrote(object, groupResourceOf(CHILDREN[action.kind]), outcome.stored.metadata.resourceVersion);
    if (action.do === 'apply') {
      this.#answers.set(outcome.stored.metadata.uid, answerTo(action.manifest, outcome.stored));
    }
  }

  async #finish(
    object: ModelBox,
    planned: ModelBoxStatus | undefined,
    outcomes: readonly Outcome[],
    signal: AbortSignal,
  ): Promise<Result> {
    const failures = outcomes.filter((outcome) => outcome.came === 'failed');
    const [first] = failures;
    const late = outcomes.find((outcome) => outcome.came === 'late');
    if (late) return retry(late.because);
    // What we did is told when it can be seen: one status instead of two.
    if (!first && outcomes.length > 0) return checkAgainAfter(LOOK_AGAIN_MS);
    const status = planned && first ? withFailure(planned, first.message, this.#deps.clock.now()) : planned;
    const next = await this.#writeStatus(object, status, signal);
    if (failures.length > 0) {
      throw new AggregateError(
        failures.map(({ error }) => error),
        `${failures.length} writes failed`,
      );
    }
    return next;
  }

  async #writeStatus(object: ModelBox, status: ModelBoxStatus | undefined, signal: AbortSignal): Promise<Result> {
    const change = status === undefined ? 'none' : statusChange(object.status, status);
    if (status === undefined || change === 'none') return done;
    const written = await this.#statuses.write(object, status, change === 'counts' ? 'later' : 'now', signal);
    switch (written.wrote) {
      case 'now':
        this.#wrote(object, groupResourceOf(modelBoxes), written.resourceVersion);
        return done;
      case 'later':
        return checkAgainAt(written.at);
      case 'conflict':
        return retry(written.message);
      case 'gone':
        return done;
      default:
        return written satisfies never;
    }
  }

  #wrote({ metadata }: ModelBox, groupResource: string, resourceVersion: string): void {
    this.#versions.wrote({ key: keyOf(metadata), uid: metadata.uid }, groupResource, resourceVersion);
  }

  #tell(object: ModelBox, event: PlannedEvent): void {
    // Items of a list do not say of which kind they are.
    this.#deps.events.record({ ...object, apiVersion: apiVersionOf(modelBoxes), kind: modelBoxes.kind }, event);
  }

  #forgetWhatIsGone(): void {
    for (const children of [this.deployments, this.services] as readonly Pick<Informer<KubeObject>, 'onChange'>[]) {
      children.onChange(({ type, object }) => {
        if (type === 'deleted') this.#answers.delete(object.metadata.uid);
      });
    }
    this.boxes.onChange(({ type, object: { metadata } }) => {
      if (type !== 'deleted') return;
      this.#versions.forget(keyOf(metadata), metadata.uid);
      this.#statuses.forget(metadata.uid);
    });
  }
}
