// What has to be done to a pod so that it becomes one of another revision in place: it leaves its Services, waits for the grace
// period, and gets the labels, images and resources of the other template. Or why it has to be replaced instead.

import { timestamp } from '../../runtime/conditions.ts';
import type { Refusals } from '../../runtime/consistency/refusals.ts';
import type { PodPatch } from '../action.ts';
import { HASH_LABELS } from '../build-pod.ts';
import { type ContainerStatus, isReady, type Pod, timeOf } from '../pod.ts';
import type { PodTemplate } from '../template-schema.ts';
import { IN_PLACE, IN_PLACE_READY } from './names.ts';
import { formatInPlaceRecord, hasInPlaceGate, type InPlaceRecord, inPlaceRecord } from './record.ts';
import { restartsToResize, sameResources, storedResources } from './resources.ts';
import type { Version, Way } from './template-change.ts';

/** How long a kubelet may be silent, or a resize may be deferred, before the pod is replaced. */
export const PATIENCE_MS = 60_000;

export type PodChange =
  | { readonly is: 'due'; readonly patches: readonly PodPatch[]; readonly what: string }
  | { readonly is: 'waiting' }
  | { readonly is: 'impossible'; readonly because: string };

export interface ChangeContext {
  /** How long a pod stays without requests before its containers are stopped. */
  readonly gracePeriodMs: number;
  readonly now: number;
  /** Updates that the API server refused a moment ago, by the UID of the pod. */
  readonly refusals: Refusals;
}

/** The template of a revision with the labels of its pods. */
export function versionOf(hash: string, template: PodTemplate): Version {
  const marks = Object.fromEntries(HASH_LABELS.map((label) => [label, hash]));
  return { hash, template, labels: { ...template.metadata?.labels, ...marks } };
}

/** The next step on the way from one version to the other. */
export function changeInPlace(pod: Pod, { from, to, obstacle }: Way, context: ChangeContext): PodChange {
  const because = obstacle ?? podReason(pod, from, context);
  if (because !== undefined) return { is: 'impossible', because };
  if (isUnsettled(pod)) return { is: 'waiting' };
  const record = inPlaceRecord(pod);
  const isLeaving = record !== undefined && record.changed === undefined;
  const mustLeave = context.gracePeriodMs > 0 && (isLeaving || isReady(pod)) && isRestarted(pod, to.template);
  if (!mustLeave) return changed(pod, from, to, context.now);
  if (!isLeaving) return leave(from, to, context.now);
  return isOver(record, context.gracePeriodMs, context.now) ? changed(pod, from, to, context.now) : { is: 'waiting' };
}

/** The images that differ from those of the template, by container. */
export function imagesDue({ spec }: Pod, template: PodTemplate): { readonly name: string; readonly image: string }[] {
  return template.spec.containers.flatMap(({ name, image }) => {
    const present = spec?.containers?.find((container) => container.name === name);
    return image === undefined || present?.image === image ? [] : [{ name, image }];
  });
}

/** The patch that gives the containers the resources of the template; undefined when they have them. */
export function resizePatch({ spec }: Pod, template: PodTemplate): PodPatch | undefined {
  const containers = template.spec.containers.flatMap(({ name, resources }) => {
    const present = spec?.containers?.find((container) => container.name === name);
    return sameResources(present?.resources, resources) ? [] : [{ name, resources: storedResources(resources) }];
  });
  return containers.length === 0 ? undefined : { subresource: 'resize', body: { spec: { containers } } };
}

/** True when the kubelet has not seen the pod as it is. */
export function isBehind({ metadata, status }: Pod): boolean {
  return (status?.observedGeneration ?? 0) < (metadata.generation ?? 1);
}

/**
 * True when the kubelet has not begun what the pod says. Until a container was stopped for one image, it cannot be told whether
 * the kubelet will still do that: given the former image again, it may as well leave the container running.
 */
function isUnsettled(pod: Pod): boolean {
  const { containers = {} } = inPlaceRecord(pod)?.changed ?? {};
  return (
    isBehind(pod) ||
    Object.entries(containers).some(([name, { id }]) => {
      const container = containerOf(pod, name);
      return container?.containerID === id && container.state?.running !== undefined;
    })
  );
}

export function containerOf({ status }: Pod, name: string): ContainerStatus | undefined {
  return status?.containerStatuses?.find((container) => container.name === name);
}

/** Why this pod cannot be changed, whatever is to change; undefined when it can, if need be a moment later. */
function podReason(pod: Pod, from: Version, { refusals, now }: ChangeContext): string | undefined {
  const record = inPlaceRecord(pod);
  const refusal = refusals.get(pod.metadata.uid);
  if (refusal?.reason === 'FailedUpdate') return `the API server refuses the change: ${refusal.message}`;
  if (!hasInPlaceGate(pod)) return `it was created without the readiness gate ${IN_PLACE_READY}`;
  if (record === undefined && pod.metadata.annotations?.[IN_PLACE] !== undefined) {
    return `its annotation ${IN_PLACE} cannot be read`;
  }
  if (pod.spec?.nodeName === undefined) return 'it is not scheduled yet';
  if (pod.status?.observedGeneration === undefined) return 'its kubelet has not reported status.observedGeneration';
  const isOurs = record?.changed !== undefined;
  if (isUnsettled(pod) && (!isOurs || isOver(record, PATIENCE_MS, now)))
    return 'its kubelet has not done its last change';
  if (imagesDue(pod, from.template).length > 0) return 'it has other images than its template';
  // What is left of a resize of ours becomes part of the next one.
  if (!isOurs && resizePatch(pod, from.template) !== undefined) return 'it has other resources than its template';
  return undefined;
}

/** True when this phase has lasted so long; also when it began in the future, by a clock that was set back since. */
function isOver({ at }: InPlaceRecord, ms: number, now: number): boolean {
  const began = Date.parse(at);
  return now < began || now >= began + ms;
}

function isRestarted(pod: Pod, template: PodTemplate): boolean {
  return (
    imagesDue(pod, template).length > 0 ||
    template.spec.containers.some((to) => {
      const present = pod.spec?.containers?.find(({ name }) => name === to.name);
      return restartsToResize(to, present?.resources);
    })
  );
}

function leave(from: Version, to: Version, now: number): PodChange {
  const record = { from: from.hash, to: to.hash, at: new Date(now).toISOString() };
  const condition = {
    type: IN_PLACE_READY,
    status: 'False',
    reason: 'ChangingInPlace',
    message: 'The pod is about to be changed in place',
    lastTransitionTime: timestamp(now),
  };
  const body = { metadata: withRecord(record), status: { conditions: [condition] } };
  return { is: 'due', patches: [{ subresource: 'status', body }], what: 'leaves its Services' };
}

/** Labels, images and the record of both in one patch. A resize follows: it cannot carry them. */
function changed(pod: Pod, from: Version, to: Version, now: number): PodChange {
  const images = imagesDue(pod, to.template);
  const resize = resizePatch(pod, to.template);
  const containers = { ...stillDue(pod), ...Object.fromEntries(images.map(({ name }) => [name, noted(pod, name)])) };
  const generation = (pod.metadata.generation ?? 0) + Number(images.length > 0);
  const isUnderWay = Object.keys(containers).length > 0 || resize !== undefined || inPlaceRecord(pod) !== undefined;
  const record = { from: from.hash, to: to.hash, at: new Date(now).toISOString(), changed: { generation, containers } };
  const body = {
    metadata: { labels: labelChanges(from, to), ...(isUnderWay && withRecord(record)) },
    ...(images.length > 0 && { spec: { containers: images } }),
  };
  return { is: 'due', patches: [{ body }, ...(resize ? [resize] : [])], what: `becomes a pod of ${to.hash}` };
}

function labelChanges(from: Version, to: Version): Readonly<Record<string, string | null>> {
  const removed = Object.keys(from.labels).filter((key) => !Object.hasOwn(to.labels, key));
  return { ...Object.fromEntries(removed.map((key) => [key, null])), ...to.labels };
}

/** Containers that the change before has not started anew yet. */
function stillDue(pod: Pod): Readonly<Record<string, { readonly id: string; readonly restarts: number }>> {
  const { containers = {} } = inPlaceRecord(pod)?.changed ?? {};
  return Object.fromEntries(Object.entries(containers).filter(([name, { id }]) => noted(pod, name).id === id));
}

/** A container as it is now, by which its successor is recognized. */
export function noted(pod: Pod, name: string): { readonly id: string; readonly restarts: number } {
  const { containerID: id = '', restartCount: restarts = 0 } = containerOf(pod, name) ?? {};
  return { id, restarts };
}

export function withRecord(record: InPlaceRecord): { readonly annotations: Readonly<Record<string, string>> } {
  return { annotations: { [IN_PLACE]: formatInPlaceRecord(record) } };
}

/** When to look at the pod again although nothing changes; perhaps in the past. */
export function nextChangeAt(pod: Pod, gracePeriodMs: number): readonly number[] {
  const record = inPlaceRecord(pod);
  if (record === undefined) return [];
  const began = Date.parse(record.at);
  if (record.changed === undefined) return [began + gracePeriodMs];
  const stuck = stuckResizes(pod).map(({ lastTransitionTime }) => timeOf(lastTransitionTime) ?? began);
  return [began, ...stuck].map((since) => since + PATIENCE_MS);
}

/** The conditions by which the kubelet says that a resize waits or fails. */
export function stuckResizes({ status }: Pod) {
  return (status?.conditions ?? []).filter(
    ({ type, status: holds, reason }) =>
      holds === 'True' &&
      ((type === 'PodResizePending' && reason === 'Deferred') ||
        (type === 'PodResizeInProgress' && reason === 'Error')),
  );
}
