// What a rollout promises, judged from nothing but what the API server recorded: every change of every pod, revision and
// MyDeployment, in the order of resourceVersions (one etcd numbers them all, so the order is the true one). Shares no
// code with the operator: its own arithmetic, its own idea of an available pod.
//
// Promises: a pod is never created above replicas + maxSurge; an available pod is never taken away so that fewer than
// replicas - maxUnavailable are left, whether it is deleted or changed in place; under Recreate no pod starts while one of another template has not ended. A spec
// is in force from the moment it is stored, the one before until the status says that a newer one was observed. What is
// promised about history and names is in history-promises.ts, about the status in status-claims.ts.

import type { MyDeployment } from '../../src/kinds/my-deployment/types.gen.ts';
import { controllerOf } from '../../src/runtime/object.ts';
import type { Pod } from '../../src/workload/pod.ts';
import type { ControllerRevision } from '../../src/workload/revision.ts';
import { HistoryPromises } from './history-promises.ts';
import { hasEnded, hashOf, isActive, isUnderChange, readyConditionOf, servesSince } from './pod-facts.ts';
import { boundsOf, type SpecBounds } from './rollout-bounds.ts';
import { StatusClaims } from './status-claims.ts';

const RECORDED_COUNT = 'mydeployment.kubebuilder.zq.com/replicas';

type Change = 'ADDED' | 'MODIFIED' | 'DELETED';

/** `at`: when it happened, in milliseconds; undefined where the time is unknown. */
export type Recorded = { readonly at?: number } & (
  | { readonly kind: 'Pod'; readonly type: Change; readonly object: Pod }
  | { readonly kind: 'ControllerRevision'; readonly type: Change; readonly object: ControllerRevision }
  | { readonly kind: 'MyDeployment'; readonly type: Change; readonly object: MyDeployment }
);

/** What is not held against the operator. */
export interface Excuses {
  /** Names of pods and revisions that the test itself deletes or harms. */
  readonly harmed: ReadonlySet<string>;
  /** Names of those pods among them that say of themselves, untruly, how they are being changed in place. */
  readonly scribbledOn?: ReadonlySet<string>;
  /** Names of pods made or adopted by a leader that had been deposed: its successor could not know of them. */
  readonly uninvited?: ReadonlySet<string>;
  /** Two operators work at the same time, or did so a moment ago: what they know and tell may go back and forth. */
  readonly overlapped?: boolean;
  /** Several operators work all the time without an election: each keeps to the counts that it knows of. */
  readonly unelected?: boolean;
  /** How long a delete may be on its way while time alone (minReadySeconds) makes its pod available. @default 0 */
  readonly underwayMs?: number;
  /** How wrong the operator's wall clock was at the most: with minReadySeconds it judges that much early or late. @default 0 */
  readonly wallSkewMs?: number;
}

/** Bounds alone, or also names, history and status: for those who take away nothing that they do not own up to. */
export type Scope = 'bounds' | 'everything';

/** Every broken promise, each with the events that led to it; none means that all were kept. */
export function brokenPromises(history: readonly Recorded[], excuses: Excuses, scope: Scope = 'bounds'): string[] {
  const promises = new Promises(excuses, scope);
  return history.toSorted(byVersion).flatMap((event) => promises.take(event));
}

/** Judges events one by one as they come, in the order of their versions. */
export class Promises {
  readonly #excuses: Excuses;
  readonly #owners = new Map<string, Owner>();
  readonly #history: HistoryPromises;
  readonly #scope: Scope;
  readonly #events: Recorded[] = [];

  constructor(excuses: Excuses, scope: Scope) {
    this.#excuses = excuses;
    this.#scope = scope;
    this.#history = new HistoryPromises(excuses);
  }

  /** Takes the next event; returns the promises that it breaks, each with what led to it. */
  take(event: Recorded): string[] {
    this.#events.push(event);
    const broken = [...(this.#scope === 'bounds' ? [] : this.#history.take(event)), ...this.#judge(event)];
    return broken.map((what) => [what, ...describe(this.#events.slice(-LINES))].join('\n'));
  }

  #judge(event: Recorded): string[] {
    switch (event.kind) {
      case 'MyDeployment': {
        const { uid } = event.object.metadata;
        const owner = this.#owners.get(uid) ?? new Owner(this.#excuses, this.#scope);
        this.#owners.set(uid, owner);
        return owner.changed(event.type, event.object);
      }
      case 'Pod':
        // A pod that changes hands is an event for both.
        return [...this.#owners].flatMap(([uid, owner]) => owner.podChanged(event, uid));
      case 'ControllerRevision':
        return this.#owners.get(controllerOf(event.object)?.uid ?? '')?.revisionChanged(event.type, event.object) ?? [];
      default:
        return event satisfies never;
    }
  }
}

class Owner {
  readonly #excuses: Excuses;
  readonly #scope: Scope;
  readonly #specs = new Map<number, SpecBounds>();
  readonly #pods = new Map<string, Pod>();
  readonly #claims = new StatusClaims();
  /** How many pods each revision is recorded to have. */
  readonly #counts = new Map<string, number>();
  /** How many pods were recorded at the most since there are two operators. */
  #mostRecorded = 0;
  /** Harmed pods that were ready, each as it was before; their readiness may have grown into availability since. */
  readonly #lost = new Map<string, Pod>();
  #observed = 0;
  #deleted = false;
  #lastStatus: MyDeployment['status'];
  #knowsOfDeletion = false;

  constructor(excuses: Excuses, scope: Scope) {
    this.#excuses = excuses;
    this.#scope = scope;
  }

  changed(type: Change, object: MyDeployment): string[] {
    const { metadata, spec, status } = object;
    const { generation = 0 } = metadata;
    this.#observed = Math.max(this.#observed, status?.observedGeneration ?? 0);
    const { minReadySeconds = 0, paused = false } = spec;
    this.#specs.set(generation, { ...boundsOf(spec), minReadySeconds, paused });
    // Of two operators, one may have seen a spec that the other has not.
    const outdated = [...this.#specs.keys()].filter((old) => old < this.#observed && old < generation);
    if (!this.#excuses.overlapped) for (const old of outdated) this.#specs.delete(old);
    // A status is written over a version that was seen: after the deletion was asked for, its writer knows of that.
    const isTold = this.#deleted && type === 'MODIFIED' && JSON.stringify(this.#lastStatus) !== JSON.stringify(status);
    this.#knowsOfDeletion ||= isTold && !this.#excuses.overlapped;
    this.#lastStatus = status;
    this.#deleted ||= type === 'DELETED' || metadata.deletionTimestamp !== undefined;
    if (this.#deleted) return [];
    this.#claims.select(spec.selector, this.#pods.values());
    // Of two operators, the one that writes the status may have seen losses that the other has not.
    if (this.#isAtRest(object) && !this.#excuses.overlapped) this.#lost.clear();
    return this.#scope === 'bounds' ? [] : this.#claims.judge(object, this.#excuses.overlapped ?? false);
  }

  revisionChanged(type: Change, revision: ControllerRevision): string[] {
    this.#claims.learn(revision);
    const { name, annotations } = revision.metadata;
    // One that is adopted brings its count along.
    const before = this.#counts.get(name) ?? (type === 'ADDED' ? 0 : Number.POSITIVE_INFINITY);
    const count = type === 'DELETED' ? 0 : Number(annotations?.[RECORDED_COUNT] ?? 0);
    this.#mostRecorded = this.#excuses.overlapped ? Math.max(this.#mostRecorded, this.#recorded) : 0;
    this.#counts.set(name, count);
    if (this.#deleted) return [];
    const isPaused = [...this.#specs.values()].every(({ paused }) => paused);
    return [
      ...(type === 'ADDED' && isPaused ? [`${name} was rolled out although it is paused`] : []),
      ...(count > before && !this.#excuses.overlapped ? this.#judgeCounts() : []),
    ];
  }

  /** Pods follow what is recorded, so even a crash between two records must not leave more than is allowed. */
  #judgeCounts(): string[] {
    const ceiling = Math.max(...[...this.#specs.values()].map((bounds) => bounds.ceiling));
    const recorded = this.#recorded;
    return recorded > ceiling
      ? [`the revisions are recorded to have ${recorded} pods where ${ceiling} are allowed`]
      : [];
  }

  podChanged({ type, object: pod, at }: Extract<Recorded, { kind: 'Pod' }>, ownerUid: string): string[] {
    const { uid, name } = pod.metadata;
    const before = this.#pods.get(uid);
    const isOurs = controllerOf(pod)?.uid === ownerUid;
    if (before === undefined && !isOurs) return [];
    if (type === 'DELETED' || !isOurs) this.#pods.delete(uid);
    else this.#pods.set(uid, pod);
    this.#claims.podChanged(uid, this.#pods.get(uid));
    if (this.#deleted) return type === 'ADDED' ? this.#judgeLate(name) : [];
    if (before === undefined) return type === 'ADDED' && isActive(pod) ? this.#judgeCreation(pod) : [];
    return this.#judgeChange(before, pod, at);
  }

  #judgeChange(before: Pod, pod: Pod, at = Number.POSITIVE_INFINITY): string[] {
    const { uid, name } = pod.metadata;
    const isTaken = isUnderChange(pod) && !isUnderChange(before);
    const now = isTaken ? at : deletionTime(pod);
    const isGone = isTaken || !this.#pods.has(uid) || pod.metadata.deletionTimestamp !== undefined;
    if (this.#excuses.harmed.has(name)) {
      const wasReady = this.#isAvailable(before, Number.POSITIVE_INFINITY);
      const isHarmed = wasReady && (isGone || readyConditionOf(pod) === undefined);
      // Harmed twice, it may still be known as it was before the first time.
      if (isHarmed && !this.#lost.has(name)) this.#lost.set(name, before);
      return [];
    }
    const unknownMs = (this.#excuses.underwayMs ?? 0) + (this.#excuses.wallSkewMs ?? 0);
    // A pod that its owner does not count, because admission took its labels, may be removed whether it is ready or not.
    const wasKnown = this.#claims.counts(before) && this.#isAvailable(before, now - unknownMs, 'by every spec');
    return wasKnown && isGone ? this.#judgeLoss(name, now + (this.#excuses.wallSkewMs ?? 0)) : [];
  }

  /** How many pods all revisions together are recorded to have. */
  get #recorded(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  #judgeLate(name: string): string[] {
    const isExcused = !this.#knowsOfDeletion || this.#excuses.uninvited?.has(name);
    return isExcused ? [] : [`pod ${name} was made for an owner that was known to be on its way out`];
  }

  #judgeCreation(pod: Pod): string[] {
    const { name } = pod.metadata;
    // A pod that is harmed before it exists was changed by admission.
    if (this.#excuses.uninvited?.has(name) || this.#excuses.harmed.has(name)) return [];
    const inForce = [...this.#specs.values()];
    const ceiling = Math.max(...inForce.map((bounds) => bounds.ceiling));
    const invited = [...this.#pods.values()].filter(
      (each) => !this.#excuses.uninvited?.has(each.metadata.name) && this.#claims.counts(each),
    );
    const active = invited.filter(isActive).length;
    // A ceiling that was lowered finds counts that were decided before it: they hold until they are lowered, too.
    // Of two operators, one may go by counts that the other has just lowered.
    const allowed = Math.max(ceiling, this.#recorded, this.#excuses.overlapped ? this.#mostRecorded : 0);
    const hash = hashOf(pod);
    const others = invited.filter((other) => hashOf(other) !== hash && !hasEnded(other));
    // A paused mix of templates is kept as it is, so pods that are lost come back beside the others.
    const isMix = inForce.some(({ paused }) => paused) && others.some(isActive);
    return [
      ...(active > allowed && !this.#excuses.unelected ? [`${active} pods where ${allowed} are allowed`] : []),
      ...(others.length > 0 && !isMix && inForce.every(({ recreate }) => recreate)
        ? [`Recreate made a pod while ${others.length} of another template had not ended`]
        : []),
    ];
  }

  #judgeLoss(name: string, now: number): string[] {
    const floor = Math.min(...[...this.#specs.values()].map((bounds) => bounds.floor));
    const available = [...this.#pods.values()].filter((pod) => this.#isAvailable(pod, now));
    const left = available.length;
    const back = new Set(available.map(({ metadata }) => metadata.name));
    const lost = [...this.#lost].filter(([each, pod]) => !back.has(each) && this.#isAvailable(pod, now)).length;
    if (this.#excuses.unelected || left >= floor - lost) return [];
    return [`${name} was taken away, ${left} are left where ${floor} have to be available`];
  }

  #isAvailable(pod: Pod, now: number, by: 'by every spec' | 'by some spec' = 'by some spec'): boolean {
    if (!isActive(pod) || readyConditionOf(pod) === undefined) return false;
    const seconds = [...this.#specs.values()].map((spec) => spec.minReadySeconds);
    const minReadySeconds = by === 'by every spec' ? Math.max(...seconds) : Math.min(...seconds);
    return minReadySeconds === 0 || servesSince(pod) + minReadySeconds * 1000 <= now;
  }

  /** The status says that all is well and it is: whatever was taken away has been seen and made up for. */
  #isAtRest({ metadata, spec: { replicas = 1 }, status }: MyDeployment): boolean {
    const available = [...this.#pods.values()].filter((pod) => this.#isAvailable(pod, Number.POSITIVE_INFINITY)).length;
    const counts = [status?.replicas, status?.updatedReplicas, status?.availableReplicas, available];
    return status?.observedGeneration === metadata.generation && counts.every((count) => count === replicas);
  }
}

/** How many events a complaint tells of. */
const LINES = 25;

function describe(events: readonly Recorded[]): string[] {
  return events.map(({ kind, type, object }) => {
    const { name, resourceVersion, deletionTimestamp } = object.metadata;
    return `  ${resourceVersion}: ${kind} ${name} ${type}${deletionTimestamp ? ', terminating' : ''}${detailOf({ kind, type, object } as Recorded)}`;
  });
}

function detailOf(event: Recorded): string {
  switch (event.kind) {
    case 'MyDeployment': {
      const { metadata, spec, status } = event.object;
      const counts = [status?.replicas, status?.readyReplicas, status?.updatedReplicas, status?.availableReplicas];
      const seen = `generation ${metadata.generation}, observed ${status?.observedGeneration ?? 0}`;
      return `, ${seen}, replicas ${spec.replicas ?? 1}${spec.paused ? ' paused' : ''}, status ${counts.map((count) => count ?? 0).join('/')}`;
    }
    case 'Pod':
      return `, ${event.object.status?.phase ?? 'new'}${readyConditionOf(event.object) ? ' and ready' : ''}`;
    case 'ControllerRevision':
      return `, number ${event.object.revision}`;
    default:
      return event satisfies never;
  }
}

/** When the deletion was requested; a pod that is not being deleted is judged as if time did not matter. */
function deletionTime({ metadata: { deletionTimestamp, deletionGracePeriodSeconds = 0 } }: Pod): number {
  return deletionTimestamp === undefined
    ? Number.POSITIVE_INFINITY
    : Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
}

function byVersion(one: Recorded, other: Recorded): number {
  return Number(one.object.metadata.resourceVersion) - Number(other.object.metadata.resourceVersion);
}
