// How the shared cache keeps pods: trimmed to the fields that planning reads (a tenth of their size) and indexed by
// owner or, for pods without a controller, by namespace. Also decides which updates of a pod can change a plan; most
// cannot.

import type { Cache } from '../runtime/cache/cache.ts';
import type { Change, Informer } from '../runtime/cache/informer.ts';
import type { Share } from '../runtime/cache/shared-parts.ts';
import { controllerOf, type KubeObject } from '../runtime/object.ts';
import { sameMeaning } from './canonical.ts';
import { DELETION_COST } from './deletion-order.ts';
import { affinityTo, targetNode } from './node-affinity.ts';
import { type ContainerStatus, isReady, type Pod, readySince } from './pod.ts';
import { DISRUPTION_TARGET, isFailing, podFailure } from './pod-failure.ts';
import type { ControllerRevision } from './revision.ts';
import { trimRevision } from './trim.ts';
import { controllerRevisions, pods } from './write-context.ts';

/** Whether the pod serves, and whether something else ended it. */
const KEPT_CONDITIONS: readonly string[] = ['Ready', DISRUPTION_TARGET];
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
  };
}

/** Keeps the fields of a pod that the Pod type names; parts that are equal among the pods of an owner are shared. */
export function trimPod(pod: Pod, share: Share): Pod {
  const { metadata, spec, status } = pod;
  const cost = metadata.annotations?.[DELETION_COST];
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
      ...(cost !== undefined && { annotations: { [DELETION_COST]: cost } }),
      ...(metadata.ownerReferences && { ownerReferences: share(metadata.ownerReferences) }),
    },
    spec: share({
      ...placeOf(pod),
      ...(sidecars?.length && {
        initContainers: sidecars.map(({ name, restartPolicy }) => ({ name, ...(restartPolicy && { restartPolicy }) })),
      }),
    }),
    status: share(trimStatus(status, sidecars?.length ? 'all' : 'failing')),
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
