// The object of which every node gets a pod. A DaemonSet carries a template and a MyDaemonSet only an image, so each says
// in its own words what both mean.

import { myDaemonSets as ours } from '../../src/kinds/my-daemon-set/names.ts';
import type { KubeObject, Manifest } from '../../src/runtime/object.ts';
import type { Resource } from '../../src/runtime/resource.ts';

export interface DaemonKind {
  readonly resource: Resource;
  /** The object, and the merge patch that rolls it to another image. */
  spec(image: string): object;
}

/** How much may be missing while an update rolls out. */
const MAX_UNAVAILABLE = '25%';
const LABELS = { app: 'daemon' };

export const daemonSets: DaemonKind = {
  resource: { group: 'apps', version: 'v1', kind: 'DaemonSet', plural: 'daemonsets', namespaced: true },
  spec: (image) => ({
    selector: { matchLabels: LABELS },
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: MAX_UNAVAILABLE } },
    template: { metadata: { labels: LABELS }, spec: { containers: [{ name: 'app', image }] } },
  }),
};

export const myDaemonSets: DaemonKind = {
  resource: ours as Resource<KubeObject>,
  spec: (image) => ({ image, maxUnavailable: MAX_UNAVAILABLE }),
};

/** A manifest of either kind. */
export function daemon(
  kind: DaemonKind,
  ref: { namespace: string; name: string },
  image: string,
): Manifest<KubeObject> {
  return { metadata: ref, spec: kind.spec(image) } as Manifest<KubeObject>;
}

/** The counts of a DaemonSet; MyDaemonSet has another word for those that are available. */
interface DaemonStatus {
  readonly observedGeneration?: number;
  readonly desiredNumberScheduled?: number;
  readonly updatedNumberScheduled?: number;
  readonly numberAvailable?: number;
  readonly availableReplicas?: number;
}

/** True when the status says that every node has an available pod of the present image. */
export function isDaemonReported({ metadata, status = {} }: KubeObject & { readonly status?: DaemonStatus }): boolean {
  const { observedGeneration = 0, desiredNumberScheduled: desired = 0, updatedNumberScheduled } = status;
  const available = status.numberAvailable ?? status.availableReplicas;
  const isObserved = observedGeneration >= (metadata.generation ?? 0);
  return isObserved && desired > 0 && updatedNumberScheduled === desired && available === desired;
}
