// Keeps the Deployment and the Service of every ModelBox as its spec says: cache → snapshot → plan → writes, status
// last. All decisions are in plan.ts; this file collects the facts and remembers the results of the operator's writes.

import type { Informer } from '../../runtime/cache/informer.ts';
import type { OwnerWrites } from '../../runtime/consistency/owner-writes.ts';
import { WriteTracker } from '../../runtime/consistency/write-tracker.ts';
import { lastSyncedOf } from '../../runtime/consistency/written-versions.ts';
import { Controller } from '../../runtime/controller/controller.ts';
import {
  checkAgainAfter,
  done,
  notYet,
  type ReconcileContext,
  type Result,
  retry,
} from '../../runtime/controller/result.ts';
import { type KubeObject, keyOf } from '../../runtime/object.ts';
import type { Operator } from '../../runtime/operator/operator.ts';
import { StatusWriter } from '../../runtime/status-writer.ts';
import type { PlannedEvent } from '../../workload/action.ts';
import { trimDeployment, trimToMetadata } from '../../workload/trim.ts';
import { type Deployment, deployments, mayBeOurs, type Service, services } from './children.ts';
import { type Answer, answerTo } from './drift.ts';
import { modelBoxes } from './names.ts';
import { type Action, type ChildKind, plan } from './plan.ts';
import type { Found, Snapshot } from './snapshot.ts';
import { statusUrgency, withFailure } from './status.ts';
import type { ModelBox, ModelBoxStatus } from './types.gen.ts';
import { CHILDREN, execute, type WriteResult } from './writes.ts';

/** What of the operator it works with. */
export type ModelBoxDeps = Pick<Operator, 'cache' | 'client' | 'events' | 'clock' | 'wallNow' | 'controllerOptions'>;

/** How long the cache may lag before the object is reconciled again without an event. */
const LOOK_AGAIN_MS = 1000;

/** The reasons of events about writes that failed. */
const FAILED: Readonly<Record<Action['do'], string>> = {
  create: 'FailedCreate',
  apply: 'FailedApply',
  delete: 'FailedDelete',
};

/** Creates the controller; it begins to work when it is run. */
export function modelBoxController(deps: ModelBoxDeps): Controller {
  const reconciler = new Reconciler(deps);
  const { clock, wallNow, controllerOptions } = deps;
  return new Controller({ ...controllerOptions, name: 'modelbox', clock, wallNow, reconcile: reconciler.reconcile })
    .for(reconciler.boxes)
    .watches(reconciler.deployments, reconciler.boxOf)
    .watches(reconciler.services, reconciler.boxOf);
}

/** The child, by UID, that a response is about. */
interface StoredAnswer {
  readonly uid: string;
  readonly answer: Answer;
}

class Reconciler {
  readonly boxes: Informer<ModelBox>;
  readonly deployments: Informer<Deployment>;
  readonly services: Informer<Service>;
  readonly #deps: ModelBoxDeps;
  readonly #statuses: StatusWriter<ModelBox>;
  readonly #tracker: WriteTracker;
  /** By the key of the ModelBox and the kind of child: the API server's response to the last write. */
  readonly #answers = new Map<string, Partial<Record<ChildKind, StoredAnswer>>>();

  constructor(deps: ModelBoxDeps) {
    const { cache, client, clock } = deps;
    this.#deps = deps;
    this.boxes = cache.informer(modelBoxes);
    this.deployments = cache.informer(deployments, { transform: trimDeployment, whole: mayBeOurs });
    this.services = cache.informer(services, { transform: trimToMetadata, whole: mayBeOurs });
    this.#statuses = new StatusWriter(modelBoxes, { client, clock });
    this.#tracker = new WriteTracker({ clock, lastSynced: lastSyncedOf(this.boxes, this.deployments, this.services) });
  }

  readonly reconcile = async (key: string, { signal, log }: ReconcileContext): Promise<Result> => {
    const snapshot = this.#snapshot(key);
    if (snapshot === undefined) return this.#forget(key);
    const { object } = snapshot;
    // The change that the cache lacks wakes the object sooner.
    if (this.#writesOf(object).behindUntil() !== undefined) return notYet(LOOK_AGAIN_MS);
    const { actions, events, status } = plan(snapshot, this.#deps.wallNow());
    if (actions.length > 0) log.debug('planned', { actions: actions.map((action) => action.event.message) });
    const context = { object, client: this.#deps.client, signal };
    const results = await Promise.all(actions.map((action) => execute(context, action)));
    for (const event of events) this.#record(object, event);
    for (const result of results) this.#note(object, result);
    return this.#finish(object, status, results, signal);
  };

  /** Every object with the name of a ModelBox concerns it, whatever its owner. */
  readonly boxOf = ({ metadata }: KubeObject): Iterable<string> => {
    const key = keyOf(metadata);
    return this.boxes.get(key) === undefined ? [] : [key];
  };

  #snapshot(key: string): Snapshot | undefined {
    const object = this.boxes.get(key);
    const found = <T extends KubeObject>(kind: ChildKind, live: T | undefined): Found<T> => {
      const last = this.#answers.get(key)?.[kind];
      return { live, answer: last?.uid === live?.metadata.uid ? last?.answer : undefined };
    };
    return (
      object && {
        object,
        deployment: found('Deployment', this.deployments.get(key)),
        service: found('Service', this.services.get(key)),
      }
    );
  }

  #note(object: ModelBox, result: WriteResult): void {
    const { action } = result;
    if (result.came === 'late') return;
    if (result.came === 'failed') {
      this.#record(object, { type: 'Warning', reason: FAILED[action.do], message: result.message });
      return;
    }
    this.#record(object, action.event);
    if (result.stored === undefined) return;
    this.#writesOf(object).wrote(CHILDREN[action.kind], result.stored.metadata.resourceVersion);
    if (action.do !== 'delete') {
      const stored = { uid: result.stored.metadata.uid, answer: answerTo(action.manifest, result.stored) };
      const key = keyOf(object.metadata);
      this.#answers.set(key, { ...this.#answers.get(key), [action.kind]: stored });
    }
  }

  async #finish(
    object: ModelBox,
    planned: ModelBoxStatus | undefined,
    results: readonly WriteResult[],
    signal: AbortSignal,
  ): Promise<Result> {
    const failures = results.filter((result) => result.came === 'failed');
    const [first] = failures;
    const late = results.find((result) => result.came === 'late');
    if (late) return retry(late.because);
    // The status follows when the cache shows the writes: one status update instead of two.
    if (!first && results.length > 0) return checkAgainAfter(LOOK_AGAIN_MS);
    const status = planned && first ? withFailure(planned, first.message, this.#deps.wallNow()) : planned;
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
    const urgency = status && statusUrgency(object.status, status);
    if (status === undefined || urgency === undefined) return done;
    const written = await this.#statuses.write(object, status, urgency, signal);
    switch (written.wrote) {
      case 'now':
        this.#writesOf(object).wrote(modelBoxes, written.resourceVersion);
        return done;
      case 'later':
        return checkAgainAfter(written.afterMs);
      case 'conflict':
        return retry(written.message);
      case 'gone':
        return done;
      default:
        return written satisfies never;
    }
  }

  #writesOf({ metadata }: ModelBox): OwnerWrites {
    return this.#tracker.of({ key: keyOf(metadata), uid: metadata.uid });
  }

  #record(object: ModelBox, event: PlannedEvent): void {
    this.#deps.events.record(object, event, modelBoxes);
  }

  /** The ModelBox is gone: owner references remove the rest, and nothing is remembered. */
  #forget(key: string): Result {
    this.#tracker.forget(key);
    this.#answers.delete(key);
    this.#statuses.forget(key);
    return done;
  }
}
