// What has to be done to a pod that stays of its revision, so that its change in place comes to an end: the rest of the change, the
// end of it, or the way back into its Services. Everything follows from the pod, so it does not matter who began.

import { timestamp } from '../../runtime/conditions.ts';
import type { PodPatch } from '../action.ts';
import { isActive, type Pod, timeOf } from '../pod.ts';
import { IN_PLACE, IN_PLACE_READY } from './names.ts';
import {
  type ChangeContext,
  containerOf,
  isBehind,
  noted,
  PATIENCE_MS,
  type PodChange,
  resizePatch,
  stuckResizes,
  withRecord,
} from './pod-change.ts';
import { hasInPlaceGate, type InPlaceRecord, inPlaceRecord } from './record.ts';
import type { Version } from './template-change.ts';

/** The rest of a change; undefined when there is nothing to do about the pod. */
export function finishInPlace(
  pod: Pod,
  version: Version | undefined,
  { now, refusals }: Omit<ChangeContext, 'gracePeriodMs'>,
): PodChange | undefined {
  if (!isActive(pod) || !hasInPlaceGate(pod)) return undefined;
  const record = inPlaceRecord(pod);
  if (record === undefined && pod.metadata.annotations?.[IN_PLACE] !== undefined) {
    return impossible(`its annotation ${IN_PLACE} cannot be read`);
  }
  const isServing = pod.status?.conditions?.some(({ type, status }) => type === IN_PLACE_READY && status === 'True');
  if (record === undefined && isServing) return undefined;
  if (record?.changed === undefined) return { is: 'due', patches: [serve(now)], what: 'may serve' };
  const refusal = refusals.get(pod.metadata.uid);
  if (refusal?.reason === 'FailedUpdate') return impossible(`the API server refuses the change: ${refusal.message}`);
  if (version === undefined) return undefined;
  if (record.to !== version.hash) return impossible(`it was to become a pod of ${record.to}`);
  return rest(pod, record, version, now);
}

function rest(pod: Pod, record: InPlaceRecord, version: Version, now: number): PodChange {
  const stuck = isBehind(pod) ? undefined : stuckReason(pod, now);
  if (stuck !== undefined) return impossible(stuck);
  const resize = resizePatch(pod, version.template);
  if (resize !== undefined) return { is: 'due', patches: [resize], what: 'is resized' };
  const crashed = crashedBefore(pod, record);
  if (crashed !== undefined) {
    return { is: 'due', patches: [{ body: { metadata: withRecord(crashed) } }], what: 'has crashed before its change' };
  }
  return isDone(pod, record) ? { is: 'due', patches: [serve(now)], what: 'is changed' } : { is: 'waiting' };
}

/**
 * True when the kubelet has seen everything and every noted container has a successor. A container is never recognized by its
 * image: two tags may have one digest.
 */
function isDone(pod: Pod, { changed }: InPlaceRecord): boolean {
  const { conditions = [] } = pod.status ?? {};
  const isTrue = (wanted: string): boolean =>
    conditions.some(({ type, status }) => type === wanted && status === 'True');
  return (
    !isBehind(pod) &&
    !isTrue('PodResizePending') &&
    !isTrue('PodResizeInProgress') &&
    isTrue('ContainersReady') &&
    Object.entries(changed?.containers ?? {}).every(([name, { id }]) => ![id, ''].includes(noted(pod, name).id))
  );
}

/** What is to be noted anew: a container that crashed before the kubelet saw the change got a successor with the old image. */
function crashedBefore(pod: Pod, record: InPlaceRecord): InPlaceRecord | undefined {
  const { changed } = record;
  if (changed === undefined || (pod.status?.observedGeneration ?? 0) >= changed.generation) return undefined;
  const names = Object.keys(changed.containers).filter((name) => containerOf(pod, name)?.containerID !== undefined);
  const containers = Object.fromEntries(names.map((name) => [name, noted(pod, name)]));
  const isNews = names.some((name) => changed.containers[name]?.id !== containers[name]?.id);
  return isNews
    ? { ...record, changed: { ...changed, containers: { ...changed.containers, ...containers } } }
    : undefined;
}

function stuckReason(pod: Pod, now: number): string | undefined {
  const infeasible = pod.status?.conditions?.find(
    ({ type, status, reason }) => type === 'PodResizePending' && status === 'True' && reason === 'Infeasible',
  );
  if (infeasible !== undefined) return 'its node cannot be resized to what it asks for (Infeasible)';
  const late = stuckResizes(pod).find(
    ({ lastTransitionTime }) => (timeOf(lastTransitionTime) ?? 0) + PATIENCE_MS <= now,
  );
  return late && `its resize is stuck (${late.reason}) for ${PATIENCE_MS / 1000} seconds`;
}

/** The end of a change, and the beginning of a pod. */
function serve(now: number): PodPatch {
  const condition = { type: IN_PLACE_READY, status: 'True', lastTransitionTime: timestamp(now) };
  const body = { metadata: { annotations: { [IN_PLACE]: null } }, status: { conditions: [condition] } };
  return { subresource: 'status', body };
}

function impossible(because: string): PodChange {
  return { is: 'impossible', because };
}
