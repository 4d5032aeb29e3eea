// Which of a revision's pods are deleted first, in the order that Kubernetes' ReplicaSets use. Pods that are not ready
// are deleted before ready ones; among equals, pods with a lower deletion cost, on nodes with more pods of the owner,
// and younger ones. Ages are compared on a logarithmic scale with ties broken by UID, so that deletions are spread over
// pods of similar age.
//
// One criterion is added here: among ready pods, those that are not yet available (minReadySeconds) are deleted before
// available ones. The native controller does not compare this, and so may delete an available pod where its own
// arithmetic expected an unavailable one to go. Without minReadySeconds, ready means available and the order is the
// native one.
//
// Of pods that are not ready, those that are being changed in place come first: the choice of which pods leave a revision stays the
// same from the first write about a pod to the last.
//
// Where deletions are spread over topology domains (fullest-first.ts), that comes after the deletion cost: a pod that is not
// ready still goes first, wherever it is, and a pod that costs less does, too.

import { type DomainOf, fullestFirst } from './fullest-first.ts';
import { isActive, isAvailable, isBeingChanged, isReady, type Pod, readySince, timeOf } from './pod.ts';

export const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';
const PHASES: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

export interface DeletionContext {
  /** Every pod of the owner, whatever its revision: nodes with many of them are relieved first. */
  readonly siblings: readonly Pod[];
  readonly minReadySeconds: number;
  readonly now: number;
  /** The topology domain that a pod is in, by which deletions are spread. @default they are not */
  readonly domainOf?: DomainOf | undefined;
}

/** How many of a pod's traits come before its topology domain. */
const BEFORE_DOMAIN = 6;

/** The `count` pods to delete, in order. Does not depend on the order of `pods`. */
export function podsToDelete(pods: readonly Pod[], count: number, context: DeletionContext): Pod[] {
  const onNode = countByNode(context.siblings);
  // The native comparison is not transitive (times tie by UID, equal times by restarts), so the input's order would
  // matter.
  const inFixedOrder = [...pods].sort((one, other) => compare(one.metadata.uid, other.metadata.uid));
  const ranked = inFixedOrder
    .map((pod) => traitsOf(pod, onNode, context))
    .sort((one, other) => compareTraits(one, other, context.now));
  const { domainOf } = context;
  if (domainOf === undefined) return ranked.slice(0, count).map(({ pod }) => pod);
  const byDomain = ranked.map(({ pod, usefulness }) => ({ pod, rank: usefulness.slice(0, BEFORE_DOMAIN).join() }));
  return fullestFirst(byDomain, count, { siblings: context.siblings.filter(isActive), domainOf });
}

interface Traits {
  readonly pod: Pod;
  /** Compared one after the other, lowest first. */
  readonly usefulness: readonly number[];
  readonly readySince: number | undefined;
  readonly restarts: readonly number[];
  readonly created: number | undefined;
}

function traitsOf(pod: Pod, onNode: ReadonlyMap<string, number>, context: DeletionContext): Traits {
  const node = nodeOf(pod);
  return {
    pod,
    usefulness: [
      Number(node !== ''),
      PHASES[pod.status?.phase ?? ''] ?? 0,
      Number(isReady(pod)),
      Number(!isBeingChanged(pod)),
      Number(isAvailable(pod, context.minReadySeconds, context.now)),
      deletionCost(pod),
      -(onNode.get(node) ?? 0),
    ],
    readySince: readySince(pod),
    restarts: [-regularRestarts(pod), -sidecarRestarts(pod)],
    created: timeOf(pod.metadata.creationTimestamp),
  };
}

function compareTraits(one: Traits, other: Traits, now: number): number {
  return (
    compareInTurn(one.usefulness, other.usefulness) ||
    compareAges({ one, other, time: ({ readySince }) => readySince, now }) ||
    compareInTurn(one.restarts, other.restarts) ||
    compareAges({ one, other, time: ({ created }) => created, now })
  );
}

interface AgeComparison {
  readonly one: Traits;
  readonly other: Traits;
  readonly time: (traits: Traits) => number | undefined;
  readonly now: number;
}

/** Negative when `one` is younger. No time at all counts as youngest. */
function compareAges({ one, other, time, now }: AgeComparison): number {
  const [mine, theirs] = [time(one), time(other)];
  if (mine === theirs) return 0;
  if (mine === undefined || theirs === undefined) return mine === undefined ? -1 : 1;
  return logAge(mine, now) - logAge(theirs, now) || compare(one.pod.metadata.uid, other.pod.metadata.uid);
}

/** Doublings of a nanosecond: ages from 34 s to 69 s are equal, and so are ages from 9 h 46 min to 19 h 33 min. */
function logAge(since: number, now: number): number {
  const nanoseconds = (now - since) * 1e6;
  return nanoseconds > 0 ? Math.floor(Math.log2(nanoseconds)) : -1;
}

/** What the annotation says; 0 when it is missing or not plainly an int32 (`+10`, `008` and `1e3` are not). */
function deletionCost(pod: Pod): number {
  const text = pod.metadata.annotations?.[DELETION_COST] ?? '';
  const cost = /^(?:0|[1-9]\d*|-\d+)$/.test(text) ? Number(text) : 0;
  return cost >= -(2 ** 31) && cost < 2 ** 31 ? cost : 0;
}

function regularRestarts(pod: Pod): number {
  return Math.max(0, ...(pod.status?.containerStatuses ?? []).map(({ restartCount = 0 }) => restartCount));
}

/** Restarts of init containers that run beside the regular containers. */
function sidecarRestarts(pod: Pod): number {
  const sidecars = (pod.spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  const names = new Set(sidecars.map(({ name }) => name));
  const statuses = (pod.status?.initContainerStatuses ?? []).filter(({ name }) => names.has(name));
  return Math.max(0, ...statuses.map(({ restartCount = 0 }) => restartCount));
}

function countByNode(pods: readonly Pod[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const pod of pods.filter(isActive)) {
    const node = nodeOf(pod);
    counts.set(node, (counts.get(node) ?? 0) + 1);
  }
  return counts;
}

/** Empty while the pod is not scheduled. */
function nodeOf({ spec }: Pod): string {
  return spec?.nodeName ?? '';
}

function compareInTurn(one: readonly number[], other: readonly number[]): number {
  for (const [index, value] of one.entries()) {
    const difference = value - (other[index] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
