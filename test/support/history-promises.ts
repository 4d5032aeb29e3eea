// What is promised about names, history and other people's pods, judged from what the API server recorded: every pod has
// an owner and a recorded revision before it exists, and no more of a revision are made than its record says; no name is
// used twice; revisions are only ever renumbered upwards, keep their data, and do not go while pods of theirs live; and a
// pod that the operator did not make is not touched: it belongs to another controller or to nobody, and has no hash that
// was ever recorded.

import { controllerOf, type KubeObject } from '../../src/runtime/object.ts';
import type { Pod } from '../../src/workload/pod.ts';
import type { ControllerRevision } from '../../src/workload/revision.ts';
import type { LabelSelector } from '../../src/workload/selector.ts';
import { hashOf, isActive, isCounted } from './pod-facts.ts';
import type { Excuses, Recorded } from './rollout-promises.ts';

const OWNER_KIND = 'MyDeployment';
const HASH_LABEL = 'controller.kubernetes.io/hash';
/** The longest that a request may be on its way after the live check. */
const LIVE_CHECK_MS = 4_000;
const RECORDED_COUNT = 'mydeployment.kubebuilder.zq.com/replicas';

export class HistoryPromises {
  readonly #excuses: Excuses;
  /** Selectors by the uid of their owner. */
  readonly #owners = new Map<string, LabelSelector>();
  /** Owners that are gone or going: the garbage collector deletes what is theirs, in any order. */
  readonly #leaving = new Map<string, number | undefined>();
  readonly #pods = new Map<string, Pod>();
  readonly #revisions = new Map<string, ControllerRevision>();
  /** `owner uid/hash` of every revision there ever was. */
  readonly #known = new Set<string>();
  /** Every hash that was ever recorded, by whomever. */
  readonly #hashes = new Set<string>();
  /** Uids of pods that the operator did not make. */
  readonly #strangers = new Set<string>();
  /** The uid that each name belongs to. */
  readonly #names = new Map<string, string>();

  constructor(excuses: Excuses) {
    this.#excuses = excuses;
  }

  take(event: Recorded): string[] {
    switch (event.kind) {
      case 'MyDeployment':
        this.#owners.set(event.object.metadata.uid, event.object.spec.selector);
        this.#noteLeaving(event);
        return [];
      case 'ControllerRevision':
        return this.#judgeRevision(event.type, event.object);
      case 'Pod':
        return this.#judgePod(event.type, event.object, event.at);
      default:
        return event satisfies never;
    }
  }

  #noteLeaving({ type, object: { metadata }, at }: Recorded): void {
    const isLeaving = type === 'DELETED' || metadata.deletionTimestamp !== undefined;
    if (isLeaving && !this.#leaving.has(metadata.uid)) this.#leaving.set(metadata.uid, at);
  }

  #judgePod(type: Recorded['type'], pod: Pod, at: number | undefined): string[] {
    const { uid } = pod.metadata;
    const before = this.#pods.get(uid);
    if (type === 'DELETED') this.#pods.delete(uid);
    else this.#pods.set(uid, pod);
    if (type === 'ADDED') return this.#judgeCreation(pod);
    if (before === undefined) return [];
    return [
      ...this.#judgeStranger(before, type === 'DELETED' ? undefined : pod),
      ...this.#judgeAdoption(before, pod, at),
    ];
  }

  /** Before an operator adopts, it asks whether the owner lives, and the answer is a few seconds old at most. */
  #judgeAdoption(before: Pod, after: Pod, at = 0): string[] {
    const { name } = after.metadata;
    const owner = controllerOf(after);
    const leftAt = this.#leaving.get(owner?.uid ?? '');
    if (controllerOf(before) !== undefined || leftAt === undefined || at - leftAt < LIVE_CHECK_MS) return [];
    return [`pod ${name} was adopted for an owner that had been on its way out for ${at - leftAt} ms`];
  }

  #judgeCreation(pod: Pod): string[] {
    const { name, namespace = '', uid } = pod.metadata;
    const owner = controllerOf(pod);
    const hash = hashOf(pod);
    if (owner?.kind !== OWNER_KIND && !this.#hashes.has(hash ?? '')) this.#strangers.add(uid);
    // Admission changed it on its way in.
    if (this.#excuses.harmed.has(name)) return [];
    if (owner === undefined) return isOfOperator(pod) ? [`pod ${name} was made without an owner`] : [];
    if (owner.kind !== OWNER_KIND) return [];
    // Who never saw it come and go may well try the same name again.
    const isExcused = this.#leaving.has(owner.uid) || this.#excuses.harmed.has(name);
    const holder = isExcused ? uid : (this.#names.get(`${namespace}/${name}`) ?? uid);
    this.#names.set(`${namespace}/${name}`, uid);
    return [
      ...(this.#owners.has(owner.uid) ? [] : [`pod ${name} was made for ${owner.uid}, which nobody knows`]),
      ...(this.#known.has(`${owner.uid}/${hash}`) ? [] : [`pod ${name} is of revision ${hash}, which nobody recorded`]),
      ...(holder === uid ? [] : [`pod ${name} was made a second time`]),
      ...this.#judgeCount(pod, owner.uid),
    ];
  }

  /** Counts are recorded before pods follow them. A revision that a user deleted took its record with it. */
  #judgeCount(pod: Pod, ownerUid: string): string[] {
    const { harmed, uninvited, unelected } = this.#excuses;
    if (unelected) return [];
    const hash = hashOf(pod);
    const isMeant = (object: KubeObject): boolean => controllerOf(object)?.uid === ownerUid;
    const record = [...this.#revisions.values()].find((each) => isMeant(each) && hashOfRevision(each) === hash);
    const count = record?.metadata.annotations?.[RECORDED_COUNT];
    const name = record?.metadata.name ?? '';
    if (count === undefined || harmed.has(name) || uninvited?.has(name)) return [];
    const siblings = this.#activePods(ownerUid, hash).filter(({ metadata }) => !uninvited?.has(metadata.name));
    return siblings.length > Number(count) && !uninvited?.has(pod.metadata.name)
      ? [`${siblings.length} pods of revision ${hash}, which is recorded as meant to have ${count}`]
      : [];
  }

  #judgeRevision(type: Recorded['type'], revision: ControllerRevision): string[] {
    const { uid, name } = revision.metadata;
    const owner = controllerOf(revision);
    const before = this.#revisions.get(uid);
    if (type === 'DELETED') this.#revisions.delete(uid);
    else this.#revisions.set(uid, revision);
    if (owner?.kind !== OWNER_KIND) return [];
    this.#known.add(`${owner.uid}/${hashOfRevision(revision)}`);
    this.#hashes.add(hashOfRevision(revision) ?? '');
    if (type === 'DELETED') return this.#judgeForgetting(revision, owner.uid);
    if (before === undefined) return [];
    return [
      ...(revision.revision < before.revision
        ? [`revision ${name} went back from number ${before.revision} to ${revision.revision}`]
        : []),
      ...(revision.data !== before.data && JSON.stringify(revision.data) !== JSON.stringify(before.data)
        ? [`the data of revision ${name} changed`]
        : []),
    ];
  }

  #judgeForgetting(revision: ControllerRevision, ownerUid: string): string[] {
    const { name, deletionTimestamp } = revision.metadata;
    const isExcused = this.#excuses.harmed.has(name) || this.#excuses.overlapped;
    if (isExcused || deletionTimestamp !== undefined || this.#leaving.has(ownerUid)) return [];
    const hash = hashOfRevision(revision);
    const left = this.#activePods(ownerUid, hash);
    return left.length > 0 ? [`revision ${name} was deleted while ${left.length} of its pods live`] : [];
  }

  /** The pods of a revision that count: those that are to be released, and may not be, do not. */
  #activePods(ownerUid: string, hash: string | undefined): Pod[] {
    const selector = this.#owners.get(ownerUid) ?? {};
    return [...this.#pods.values()].filter(
      (pod) => controllerOf(pod)?.uid === ownerUid && hashOf(pod) === hash && isActive(pod) && isCounted(selector, pod),
    );
  }

  #judgeStranger(before: Pod, after: Pod | undefined): string[] {
    const { name, uid } = before.metadata;
    if (!this.#strangers.has(uid) || this.#excuses.harmed.has(name)) return [];
    const isUntouched =
      after !== undefined &&
      after.metadata.deletionTimestamp === undefined &&
      JSON.stringify(after.metadata.ownerReferences) === JSON.stringify(before.metadata.ownerReferences) &&
      JSON.stringify(after.metadata.labels) === JSON.stringify(before.metadata.labels);
    return isUntouched ? [] : [`pod ${name}, which is not the operator's, was touched`];
  }
}

/** By its name: people make pods with such labels as well, under names of their own. */
function isOfOperator(pod: Pod): boolean {
  const hash = hashOf(pod);
  return hash !== undefined && pod.metadata.name.includes(`-${hash}-`);
}

function hashOfRevision({ metadata }: ControllerRevision): string | undefined {
  return metadata.labels?.[HASH_LABEL];
}
