// What a RolloutPolicy promises, judged from nothing but what the API server recorded, beside rollout-promises.ts and like it
// with its own arithmetic and its own reading of the records.
//
// Promises: the new revision never grows past the step that is recorded; no pod of the stable one is taken away below its share;
// no pod of a revision is made after its rejection; an attempt is rejected once, and the stable revision never; records of an
// attempt are not taken back; a step is left only when its pods are there and its gates passed; promotions and aborts are
// recorded only where somebody asked for them; the stable revision is not forgotten. They hold as long as the policy of the
// records is the one that governs.

import type { MyDeployment } from '../../src/kinds/my-deployment/types.gen.ts';
import type { RolloutPolicy, RolloutPolicySpec, RolloutPolicySpecStep } from '../../src/policy/types.gen.ts';
import { controllerOf, type ObjectRef } from '../../src/runtime/object.ts';
import type { Pod } from '../../src/workload/pod.ts';
import type { ControllerRevision } from '../../src/workload/revision.ts';
import { capOf, isBy, type Notes, notesOf } from './attempt-notes.ts';
import { hashOf, isActive, isUnderChange, readyConditionOf } from './pod-facts.ts';
import { boundsOf } from './rollout-bounds.ts';
import type { Excuses, Recorded } from './rollout-promises.ts';

export type RecordedPolicy = { readonly kind: 'RolloutPolicy' } & Pick<Recorded, 'at' | 'type'> & {
    readonly object: RolloutPolicy;
  };

/** After policies came or went, an operator may know of them only so much later. */
const LEARNS_WITHIN_MS = 70_000;
const PROMOTE = 'rolloutpolicy.kubebuilder.zq.com/promote';
const ABORT = 'rolloutpolicy.kubebuilder.zq.com/abort';
const HASH_LABEL = 'controller.kubernetes.io/hash';

/** Every promise that was broken under any policy of this history. */
export function brokenUnderPolicies(history: readonly (Recorded | RecordedPolicy)[], excuses: Excuses): string[] {
  const policies = history.filter((event) => event.kind === 'RolloutPolicy');
  const targets = new Map(policies.map(({ object: { metadata, spec } }) => [spec.targetRef.name, metadata.namespace]));
  const inOrder = history.toSorted((one, other) => versionOf(one) - versionOf(other));
  return [...targets].flatMap(([name, namespace = '']) => {
    const promises = new PolicyPromises(excuses, { namespace, name });
    return inOrder.flatMap((event) => promises.take(event));
  });
}

function versionOf({ object }: Recorded | RecordedPolicy): number {
  return Number(object.metadata.resourceVersion);
}

interface Known extends Notes {
  readonly revision: ControllerRevision;
  readonly number: number;
  readonly hash: string;
}

export class PolicyPromises {
  readonly #excuses: Excuses;
  readonly #target: ObjectRef;
  /** Specs that may be in force, by generation. */
  readonly #specs = new Map<number, MyDeployment['spec']>();
  #object: MyDeployment | undefined;
  readonly #pods = new Map<string, Pod>();
  readonly #revisions = new Map<string, Known>();
  /** The counts of revisions that another object left behind: one that adopts them has not raised them. */
  readonly #unowned = new Map<string, number>();
  readonly #policies = new Map<string, RolloutPolicy>();
  /** Every list of steps that a policy had, by its UID. */
  readonly #steps = new Map<string, (readonly RolloutPolicySpecStep[])[]>();
  /** `number/step` of every promotion that was ever asked for. */
  readonly #asked = new Set<string>();
  /** The number of every attempt that somebody wanted to abort. */
  readonly #aborted = new Set<number | undefined>();
  /** `number/step` of every gate that ever passed. */
  readonly #passed = new Set<string>();
  #changedAt = 0;
  /** True when some version of a policy had steps with a gate that it did not have: then everything stands still. */
  #isEverBroken = false;

  /** About the MyDeployment of this name. */
  constructor(excuses: Excuses, target: ObjectRef = { namespace: 'default', name: 'web' }) {
    this.#excuses = excuses;
    this.#target = target;
  }

  /** Takes the next event; returns the promises that it breaks. */
  take(event: Recorded | RecordedPolicy): string[] {
    switch (event.kind) {
      case 'MyDeployment':
        this.#changed(event.type, event.object);
        return [];
      case 'RolloutPolicy':
        this.#governed(event);
        return [];
      case 'Pod':
        return this.#podChanged(event.type, event.object, event.at ?? 0);
      case 'ControllerRevision':
        return this.#revisionChanged(event.type, event.object, event.at ?? 0);
      default:
        return event satisfies never;
    }
  }

  #changed(type: Recorded['type'], object: MyDeployment): void {
    const { namespace, name } = object.metadata;
    if (namespace !== this.#target.namespace || name !== this.#target.name) return;
    const { uid, generation = 0, deletionTimestamp } = object.metadata;
    // What belonged to an earlier object of this name is for the garbage collector.
    if (this.#object?.metadata.uid !== uid)
      for (const known of [this.#specs, this.#revisions, this.#pods]) known.clear();
    this.#object = type === 'DELETED' || deletionTimestamp !== undefined ? undefined : object;
    this.#specs.set(generation, object.spec);
    const observed = object.status?.observedGeneration ?? 0;
    for (const old of this.#specs.keys()) if (old < observed && !this.#excuses.overlapped) this.#specs.delete(old);
  }

  #governed({ type, object, at = 0 }: RecordedPolicy): void {
    const { uid, annotations = {} } = object.metadata;
    if (object.spec.targetRef.name !== this.#target.name) return;
    if (!this.#policies.has(uid) || type === 'DELETED') this.#changedAt = at;
    if (type === 'DELETED') this.#policies.delete(uid);
    else this.#policies.set(uid, object);
    const known = this.#steps.get(uid) ?? [];
    this.#steps.set(uid, [...known, object.spec.steps ?? []]);
    const { number, step } = requestIn(annotations[PROMOTE]);
    this.#asked.add(`${number}/${step}`);
    this.#aborted.add(requestIn(annotations[ABORT]).number);
    this.#isEverBroken ||= lacksGate(object.spec);
    for (const gate of object.status?.gates ?? [])
      if (gate.state === 'Passed') this.#passed.add(`${gate.number}/${gate.step}`);
  }

  #podChanged(type: Recorded['type'], pod: Pod, at: number): string[] {
    const { uid, name, deletionTimestamp } = pod.metadata;
    const before = this.#pods.get(uid);
    const isGone = type === 'DELETED' || deletionTimestamp !== undefined;
    if (isGone || !this.#isOurs(pod)) this.#pods.delete(uid);
    else this.#pods.set(uid, pod);
    if (!this.#holds(at) || this.#excuses.harmed.has(name) || this.#excuses.uninvited?.has(name)) return [];
    return this.#judgePod(type, before, pod, isGone);
  }

  #judgePod(type: Recorded['type'], before: Pod | undefined, pod: Pod, isGone: boolean): string[] {
    const { name } = pod.metadata;
    const revision = this.#revisionOf(pod);
    // A pod that is changed in place is taken from one revision and made for another.
    const isMoved = before !== undefined && this.#isOurs(pod) && !isGone && hashOf(before) !== hashOf(pod);
    const isMade = (type === 'ADDED' || isMoved) && this.#isOurs(pod);
    if (revision !== undefined && isMade && this.#isRejected(revision))
      return [`pod ${name} was made for ${revision.revision.metadata.name}, which is rejected`];
    const former = before && this.#revisionOf(before);
    // One that cannot be changed in place after all makes room for another one of its revision.
    const isReplaced = isGone && before !== undefined && isUnderChange(before);
    const isTaken = before !== undefined && isActive(before) && (isGone || isMoved) && !isReplaced;
    return isTaken && former !== undefined ? this.#judgeShare(former, name) : [];
  }

  #revisionOf(pod: Pod): Known | undefined {
    return [...this.#revisions.values()].find(({ hash }) => hash === hashOf(pod));
  }

  /** How many pods of the revision were harmed. Where pods are changed in place their names do not tell: any of them may be. */
  #harmedOf({ hash }: Known): number {
    const isChanged = [...this.#pods.values()].some((pod) => !pod.metadata.name.includes(`-${hashOf(pod)}-`));
    return [...this.#excuses.harmed].filter((name) => isChanged || name.includes(`-${hash}-`)).length;
  }

  #revisionChanged(type: Recorded['type'], revision: ControllerRevision, at: number): string[] {
    const { name, labels = {} } = revision.metadata;
    const before = this.#revisions.get(name);
    const isOurs = this.#object !== undefined && controllerOf(revision)?.uid === this.#object.metadata.uid;
    if (!isOurs || type === 'DELETED') {
      this.#revisions.delete(name);
      if (type === 'DELETED') this.#unowned.delete(name);
      else this.#unowned.set(name, notesOf(revision).desired);
      return type === 'DELETED' && before !== undefined ? this.#judgeForgetting(name, at) : [];
    }
    const known = { ...notesOf(revision), revision, number: revision.revision, hash: labels[HASH_LABEL] ?? '' };
    this.#revisions.set(name, known);
    if (!this.#holds(at)) return [];
    const former =
      before?.number === known.number && before.revision.metadata.uid === revision.metadata.uid ? before : undefined;
    return [
      ...this.#judgeGrowth(known, before?.desired ?? this.#unowned.get(name) ?? 0),
      ...this.#judgePromotions(known, before),
      ...this.#judgeAbort(known),
      ...(former === undefined ? [] : [...judgeRecords(known, former), ...this.#judgeLeaving(known, former)]),
    ].map((what) => `${name}, number ${known.number}: ${what}`);
  }

  /** While a step is recorded, the count of the revision never rises above it. */
  #judgeGrowth(revision: Known, before: number): string[] {
    const most = this.#capOf(revision, Math.max);
    // Whoever has lost the revision to go back to begins with the next template as with the first one.
    const isLost = this.#excuses.harmed.has(revision.step?.stable ?? '');
    const isNewest = this.#newest === revision && !isLost;
    const isGrown = most !== undefined && isNewest && revision.desired > Math.max(most, before);
    return isGrown ? [`has ${revision.desired} pods in step ${revision.step?.step}, where ${most} are allowed`] : [];
  }

  #judgePromotions({ promotions, number }: Known, before: Known | undefined): string[] {
    const added = promotions.slice(before?.promotions.length ?? 0);
    const unasked = added.filter((each) => each.number !== number || !this.#asked.has(`${each.number}/${each.step}`));
    return unasked.map((each) => `nobody promoted step ${each.step} of attempt ${each.number}`);
  }

  #judgeAbort({ rejected, number }: Known): string[] {
    const isAborted = rejected?.number === number && rejected.reason === 'Aborted';
    return isAborted && !this.#aborted.has(number) ? ['nobody aborted it'] : [];
  }

  /** Pods that the campaign harms count as if they were there: the operator may not have seen it. */
  #judgeLeaving(revision: Known, former: Known): string[] {
    const [from, to] = [former.step, revision.step];
    if (from === undefined || to === undefined || from.steps !== to.steps || to.step === from.step) return [];
    if (!isBy(from, revision.number, to.policy) || revision.promotions.length > former.promotions.length) return [];
    const count = this.#capOf(former, Math.min) ?? 0;
    if (count === 0) return []; // skipped: a single replica has no canary without a surge
    const ready = [...this.#pods.values()].filter((pod) => hashOf(pod) === revision.hash && readyConditionOf(pod));
    const harmed = this.#harmedOf(revision);
    const lists = (this.#steps.get(from.policy) ?? []).map((steps) => steps[from.step - 1]);
    const isGated = lists.length > 0 && lists.every((each) => (each?.gates ?? []).length > 0);
    if (isGated && !this.#passed.has(`${from.number}/${from.step}`))
      return [`left step ${from.step}, whose gates did not pass`];
    return ready.length + harmed < count ? [`left step ${from.step} with ${ready.length} of ${count} pods`] : [];
  }

  /** No pod of the stable revision is taken away below its share, unless it has lost others of its own. */
  #judgeShare(revision: Known, name: string): string[] {
    const newest = this.#newest;
    const note = newest && this.#isRejected(newest) ? newest.rejected : newest?.step;
    if (newest === undefined || note?.stable !== revision.revision.metadata.name) return [];
    if (!isBy(note, newest.number, this.#governor?.metadata.uid) || newest.completed === newest.number) return [];
    const specs = [...this.#specs.values()];
    if (specs.some(({ paused, strategy }) => paused || strategy?.type === 'Recreate') || this.#isEverBroken) return [];
    const replicas = Math.min(...specs.map((spec) => spec.replicas ?? 1));
    const most = this.#isRejected(newest) ? 0 : this.#capOf(newest, Math.max);
    if (most === undefined) return [];
    const share = replicas === 1 ? 1 : replicas - most;
    const left = [...this.#pods.values()].filter((pod) => hashOf(pod) === revision.hash && isActive(pod)).length;
    const harmed = this.#harmedOf(revision);
    // An orphan that is adopted may be one too many while a pod that is to go is still there.
    const active = [...this.#pods.values()].filter(isActive).length;
    if (active >= Math.max(...specs.map((spec) => boundsOf(spec).ceiling))) return [];
    return left + harmed < share ? [`${name} was taken away, ${left} stable pods are left where ${share} are due`] : [];
  }

  #judgeForgetting(name: string, at: number): string[] {
    const newest = this.#newest;
    if (newest === undefined || this.#excuses.harmed.has(name) || !this.#holds(at)) return [];
    const isUnderWay =
      newest.completed !== newest.number && this.#object?.status?.currentRevision !== newest.revision.metadata.name;
    const notes = [newest.step, newest.rejected].filter((note) =>
      isBy(note, newest.number, this.#governor?.metadata.uid),
    );
    return isUnderWay && notes.some((note) => note?.stable === name)
      ? [`the stable revision ${name} was forgotten`]
      : [];
  }

  /** How many pods the recorded step has, by any steps and specs that may be in force; undefined past the last step. */
  #capOf({ step, number, completed }: Known, choose: (...numbers: number[]) => number): number | undefined {
    const uid = this.#governor?.metadata.uid;
    if (!isBy(step, number, uid) || completed === number) return undefined;
    const lists = this.#steps.get(uid ?? '') ?? [];
    const listed = lists.map((steps) => steps[(step?.step ?? 0) - 1]);
    const sizes = [...this.#specs.values()].map((spec) => ({ replicas: spec.replicas ?? 1, surge: surgeOf(spec) }));
    const caps = sizes.flatMap(({ replicas, surge }) =>
      listed.map((each) => capOf(each?.replicas ?? replicas, replicas, surge)),
    );
    // By other steps that the policy had, the attempt may be past the last one.
    return listed.every((each) => each !== undefined) ? choose(...caps) : undefined;
  }

  #isRejected({ rejected, number }: Known): boolean {
    return isBy(rejected, number, this.#governor?.metadata.uid);
  }

  get #newest(): Known | undefined {
    return [...this.#revisions.values()].toSorted((one, other) => other.number - one.number)[0];
  }

  /** The oldest policy. */
  get #governor(): RolloutPolicy | undefined {
    const ageOf = ({ metadata: { creationTimestamp = '', name } }: RolloutPolicy): string =>
      `${creationTimestamp} ${name}`;
    return [...this.#policies.values()].toSorted((one, other) => (ageOf(one) < ageOf(other) ? -1 : 1))[0];
  }

  #holds(at: number): boolean {
    const isSettled = this.#steps.size <= 1 || at - this.#changedAt > LEARNS_WITHIN_MS;
    return this.#object !== undefined && this.#governor !== undefined && isSettled && !this.#excuses.overlapped;
  }

  #isOurs(pod: Pod): boolean {
    return this.#object !== undefined && controllerOf(pod)?.uid === this.#object.metadata.uid;
  }
}

/** Within an attempt nothing that was recorded is taken back, and it is rejected once at most; stable never is. */
function judgeRecords(revision: Known, former: Known): string[] {
  const { step, rejected, completed, number } = revision;
  const name = revision.revision.metadata.name;
  const isSame = isBy(former.step, number, step?.policy) && former.step?.steps === step?.steps;
  const isBack = isSame && (step?.step ?? 0) < (former.step?.step ?? 0);
  const isReset =
    isSame && step?.step === former.step?.step && former.step?.since !== undefined && step?.since !== former.step.since;
  const isTwice =
    isBy(former.rejected, number, rejected?.policy) && JSON.stringify(former.rejected) !== JSON.stringify(rejected);
  const isLost = former.rejected?.number === number && rejected === undefined;
  return [
    ...(isBack ? [`went back from step ${former.step?.step} to ${step?.step}`] : []),
    ...(isReset ? ['the clock of its step was set again'] : []),
    ...(isTwice || isLost ? ['its rejection was written a second time'] : []),
    ...(rejected?.number === number && (rejected.stable === name || completed === number)
      ? ['stable was rejected']
      : []),
  ];
}

function requestIn(text = '{}'): { readonly number?: number; readonly step?: number } {
  try {
    return JSON.parse(text);
  } catch {
    return {}; // anybody can write anything
  }
}

function lacksGate({ steps = [], gates = [] }: RolloutPolicySpec): boolean {
  return steps.some((step) => step.gates?.some((name) => gates.every((gate) => gate.name !== name)));
}

function surgeOf(spec: MyDeployment['spec']): number {
  return boundsOf({ ...spec, replicas: spec.replicas || 1 }).ceiling - (spec.replicas || 1);
}
