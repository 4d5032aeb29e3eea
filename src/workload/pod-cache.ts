// How pods are kept in the shared cache: trimmed to what planning reads (a tenth of their size), found by owner or, when
// nobody owns them, by namespace. Also which changes of a pod can change a plan: most of a pod's updates cannot.

import type { Cache } from '../runtime/cache/cache.ts';
import type { Change, Informer } from '../runtime/cache/informer.ts';
import type { Share } from '../runtime/cache/shared-parts.ts';
import { controllerOf, type KubeObject } from '../runtime/object.ts';
import { sameMeaning } from './canonical.ts';
import { DELETION_COST } from './deletion-order.ts';
import { affinityTo, targetNode } from './node-affinity.ts';
import { isReady, type Pod, readySince } from './pod.ts';
import type { ControllerRevision } from './revision.ts';
import { trimRevision } from './trim.ts';
import { controllerRevisions, pods } from './write-context.ts';

/** Index of what no controller owns, by namespace. */
const ORPHANS = 'orphansOfNamespace';

const orphansOfNamespace = (object: KubeObject): readonly string[] =>
  controllerOf(object) === undefined && object.metadata.namespace !== undefined ? [object.metadata.namespace] : [];

/** The pods of all namespaces, shared by every kind that owns some. */
export function podInformer(cache: Cache): Informer<Pod> {
  return cache.informer(pods, { transform: trimPod, indexes: { [ORPHANS]: orphansOfNamespace } });
}

/** The revisions of all namespaces; of those that nobody asks for as a whole, only whose they are. */
export function revisionInformer(
  cache: Cache,
  whole?: (revision: ControllerRevision) => boolean,
): Informer<ControllerRevision> {
  return cache.informer(controllerRevisions, {
    transform: trimRevision,
    ...(whole && { whole }),
    indexes: { [ORPHANS]: orphansOfNamespace },
  });
}

/** What an owner may have to do with: what it owns, and what nobody in its namespace owns. */
export function ownedAndOrphans<T extends KubeObject>(informer: Informer<T>, owner: KubeObject): readonly T[] {
  const { uid, namespace = '' } = owner.metadata;
  return [...informer.byIndex('ownerUid', uid), ...informer.byIndex(ORPHANS, namespace)];
}

/** True unless a pod's update changed nothing that a plan depends on, such as its node or its address. */
export function podMatters(change: Change<Pod>): boolean {
  return change.type !== 'updated' || !sameMeaning(essence(change.old), essence(change.object));
}

/** Whole parts, not texts of them: those that did not change are shared, and known to be the same at a glance. */
function essence(pod: Pod): object {
  const { labels, deletionTimestamp, ownerReferences } = pod.metadata;
  const phase = pod.status?.phase;
  return { labels, ownerReferences, deletionTimestamp, phase, isReady: isReady(pod), readySince: readySince(pod) };
}

/** Keeps of a pod what the Pod type names, and nothing else; what its siblings have, too, is shared with them. */
export function trimPod(pod: Pod, share: Share): Pod {
  const { metadata, spec, status } = pod;
  const cost = metadata.annotations?.[DELETION_COST];
  const sidecars = spec?.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always');
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
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
    status: share({
      ...(status?.phase !== undefined && { phase: status.phase }),
      ...(ready && { conditions: [ready] }),
      ...(status?.containerStatuses && { containerStatuses: status.containerStatuses.map(restarts) }),
      ...(sidecars?.length &&
        status?.initContainerStatuses && {
          initContainerStatuses: status.initContainerStatuses.map(({ name, ...rest }) => ({ name, ...restarts(rest) })),
        }),
    }),
  };
}

/** Where the pod is, or is to be; every other affinity has done its work when the scheduler has. */
function placeOf(pod: Pod): Pod['spec'] {
  const nodeName = pod.spec?.nodeName;
  if (nodeName !== undefined) return { nodeName };
  const target = targetNode(pod);
  return target === undefined ? {} : { affinity: affinityTo(target) };
}

function restarts({ restartCount = 0 }: { readonly restartCount?: number }): { readonly restartCount: number } {
  return { restartCount };
}
