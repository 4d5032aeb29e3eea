// How the shared cache keeps pods: trimmed to the fields that planning reads (a tenth of their size) and indexed by
// owner or, for pods without a controller, by namespace. Also decides which updates of a pod can change a plan; most
// cannot. What a change in place depends on is kept of pods that can be changed so, and of no others.

import type { Cache } from '../runtime/cache/cache.ts';
import type { Change, Informer } from '../runtime/cache/informer.ts';
import type { Share } from '../runtime/cache/shared-parts.ts';
import { controllerOf, type KubeObject } from '../runtime/object.ts';
import { sameMeaning } from './canonical.ts';
import { DELETION_COST } from './deletion-order.ts';
import { IN_PLACE, IN_PLACE_READY } from './in-place/names.ts';
import { hasInPlaceGate } from './in-place/record.ts';
import { affinityTo, targetNode } from './node-affinity.ts';
import { type ContainerStatus, isReady, type Pod, readySince } from './pod.ts';
import { DISRUPTION_TARGET, isFailing, podFailure } from './pod-failure.ts';
import type { ControllerRevision } from './revision.ts';
import { trimRevision } from './trim.ts';
import { controllerRevisions, pods } from './write-context.ts';

/** Whether the pod serves, and whether something else ended it. */
const KEPT_CONDITIONS: readonly string[] = ['Ready', DISRUPTION_TARGET];
/** How far a pod is that is changed in place. */
const IN_PLACE_CONDITIONS: readonly string[] = [
  IN_PLACE_READY,
  'ContainersReady',
  'PodResizePending',
  'PodResizeInProgress',
];
/** Index of objects without a controller, by namespace. */
const ORPHANS = 'orphansOfNamespace';

const orphansOfNamespace = (object: KubeObject): readonly string[] =>
  controllerOf(object) === undefined && object.metadata.namespace !== undefined ? [object.metadata.namespace] : [];

/** What `ownedAndOrphans` needs of an informer. */
export const orphanIndexes = { [ORPHANS]: orphansOfNamespace };

/** The pods of all namespaces, shared by every kind that owns some. */
export function podInformer(cache: Cache): Informer<Pod> {
  return cache.informer(pods, { transform: trimPod, indexes: orphanIndexes });
}

/** The revisions of all namespaces. Where no kind asks for whole revisions, only their metadata is kept. */
export function revisionInformer(
  cache: Cache,
  whole?: (revision: ControllerRevision) => boolean,
): Informer<ControllerRevision> {
  return cache.informer(controllerRevisions, {
    transform: trimRevision,
    ...(whole && { whole }),
    indexes: orphanIndexes,
  });
}

/** The objects that concern an owner: those it owns, and those in its namespace without a controller. */
export function ownedAndOrphans<T extends KubeObject>(informer: Informer<T>, owner: KubeObject): readonly T[] {
  const { uid, namespace = '' } = owner.metadata;
  return [...informer.byIndex('ownerUid', uid), ...informer.byIndex(ORPHANS, namespace)];
}

/** True unless a pod's update changed nothing that a plan depends on, such as its node or its address. */
export function podMatters(change: Change<Pod>): boolean {
  return change.type !== 'updated' || !sameMeaning(essence(change.old), essence(change.object));
}

/** Compares whole parts by identity: the cache shares parts that did not change. */
function essence(pod: Pod): object {
  const { labels, deletionTimestamp, ownerReferences } = pod.metadata;
  const phase = pod.status?.phase;
  return {
    labels,
    ownerReferences,
    deletionTimestamp,
    phase,
    isReady: isReady(pod),
    readySince: readySince(pod),
    failure: podFailure(pod),
    ...(hasInPlaceGate(pod) && { inPlace: essenceInPlace(pod) }),
  };
}

/** While nothing changes in place, only the gate and the spec matter. */
function essenceInPlace({ metadata, spec, status }: Pod): object {
  const { conditions = [], containerStatuses, observedGeneration } = status ?? {};
  const annotation = metadata.annotations?.[IN_PLACE];
  const isServing = conditions.some((each) => each.type === IN_PLACE_READY && each.status === 'True');
  const gates = { annotation, isServing, containers: spec?.containers, observedGeneration };
  if (annotation === undefined) return gates;
  const states = conditions.filter(({ type }) => IN_PLACE_CONDITIONS.includes(type));
  return { ...gates, states, started: containerStatuses?.map(({ containerID }) => containerID) };
}

/** Keeps the fields of a pod that the Pod type names; parts that are equal among the pods of an owner are shared. */
export function trimPod(pod: Pod, share: Share): Pod {
  const { metadata, spec, status } = pod;
  const isGated = hasInPlaceGate(pod);
  const annotations = keptAnnotations(pod, isGated);
  const sidecars = spec?.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always');
  return {
    metadata: {
      name: metadata.name,
      uid: metadata.uid,
      resourceVersion: metadata.resourceVersion,
      ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
      ...(metadata.creationTimestamp !== undefined && { creationTimestamp: metadata.creationTimestamp }),
      ...(metadata.deletionTimestamp !== undefined && { deletionTimestamp: metadata.deletionTimestamp }),
      ...(metadata.labels && { labels: share(metadata.labels) }),
      ...(annotations !== undefined && { annotations }),
      ...(isGated && metadata.generation !== undefined && { generation: metadata.generation }),
      ...(metadata.ownerReferences && { ownerReferences: share(metadata.ownerReferences) }),
    },
    spec: share({
      ...placeOf(pod),
      ...(sidecars?.length && {
        initContainers: sidecars.map(({ name, restartPolicy }) => ({ name, ...(restartPolicy && { restartPolicy }) })),
      }),
      ...(isGated && gatedSpec(spec)),
    }),
    status: isGated
      ? gatedStatus(status, sidecars?.length ? 'all' : 'failing')
      : share(trimStatus(status, sidecars?.length ? 'all' : 'failing')),
  };
}

function keptAnnotations({ metadata: { annotations } }: Pod, isGated: boolean): Pod['metadata']['annotations'] {
  const keys = isGated ? [DELETION_COST, IN_PLACE] : [DELETION_COST];
  const kept = keys.flatMap((key) => (annotations?.[key] === undefined ? [] : [[key, annotations[key]] as const]));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function gatedSpec({ readinessGates = [], containers = [] }: NonNullable<Pod['spec']> = {}): Pod['spec'] {
  return {
    readinessGates: readinessGates.filter(({ conditionType }) => conditionType === IN_PLACE_READY),
    containers: containers.map(({ name, image, resources }) => ({
      name,
      ...(image !== undefined && { image }),
      ...(resources && { resources }),
    })),
  };
}

/** The IDs of containers are in it, so that it is not worth sharing. */
function gatedStatus(status: Pod['status'], initContainers: 'all' | 'failing'): NonNullable<Pod['status']> {
  const { conditions = [], containerStatuses, observedGeneration } = status ?? {};
  const trimmed = trimStatus(status, initContainers);
  const ours = conditions
    .filter(({ type }) => IN_PLACE_CONDITIONS.includes(type))
    .map(({ type, status, reason, lastTransitionTime }) => ({
      type,
      status,
      ...(reason && { reason }),
      ...(lastTransitionTime && { lastTransitionTime }),
    }));
  return {
    ...trimmed,
    ...(observedGeneration !== undefined && { observedGeneration }),
    ...(ours.length > 0 && { conditions: [...(trimmed.conditions ?? []), ...ours] }),
    ...(containerStatuses && {
      containerStatuses: containerStatuses.map((container, index) => ({
        ...trimmed.containerStatuses?.[index],
        ...(container.name && { name: container.name }),
        ...(container.containerID && { containerID: container.containerID }),
        ...(container.state?.running && { state: { running: container.state.running } }),
      })),
    }),
  };
}

/** Of init containers, the restarts of sidecars decide about deletions, and those that fail about a rollback. */
function trimStatus(status: Pod['status'] = {}, initContainers: 'all' | 'failing'): NonNullable<Pod['status']> {
  const { phase, reason, conditions, containerStatuses, initContainerStatuses = [] } = status;
  const kept = conditions?.filter(({ type }) => KEPT_CONDITIONS.includes(type)) ?? [];
  const init = initContainers === 'all' ? initContainerStatuses : initContainerStatuses.filter(isFailing);
  const hasFailed = phase === 'Failed';
  return {
    ...(phase !== undefined && { phase }),
    ...(hasFailed && reason !== undefined && { reason }),
    ...(kept.length > 0 && { conditions: kept }),
    ...(containerStatuses && { containerStatuses: containerStatuses.map((each) => trimContainer(each, hasFailed)) }),
    ...(init.length > 0 && {
      initContainerStatuses: init.map((each) => ({ name: each.name, ...trimContainer(each, hasFailed) })),
    }),
  };
}

/** The node that the pod is on, or is meant for; no other affinity matters once the pod is scheduled. */
function placeOf(pod: Pod): Pod['spec'] {
  const nodeName = pod.spec?.nodeName;
  if (nodeName !== undefined) return { nodeName };
  const target = targetNode(pod);
  return target === undefined ? {} : { affinity: affinityTo(target) };
}

/** The restarts; of a container that fails also why. */
function trimContainer(container: ContainerStatus, hasFailed: boolean): ContainerStatus {
  const { name, restartCount = 0, state, lastState } = container;
  if (!hasFailed && !isFailing(container)) return { restartCount };
  return { restartCount, ...(name && { name }), ...(state && { state }), ...(lastState && { lastState }) };
}
