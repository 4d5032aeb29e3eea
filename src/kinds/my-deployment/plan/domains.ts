// The topology domain of a pod: the value of the label that the policy names, on the pod's node. Pods on nodes that are not known,
// or have no such label, are in one domain of their own. Where that is every pod, the order of deletions is the native one.

import type { DomainOf } from '../../../workload/fullest-first.ts';
import type { Rollout } from './snapshot.ts';

/** By which domains scale-downs are spread; undefined when they are not. */
export function domainsOf({ course, nodes }: Rollout): DomainOf | undefined {
  const spreadBy = course.policy?.spec.pods?.scaleDown?.spreadBy;
  if (spreadBy === undefined) return undefined;
  const labels = new Map(nodes.map(({ metadata }) => [metadata.name, metadata.labels?.[spreadBy]]));
  return ({ spec }) => labels.get(spec?.nodeName ?? '') ?? '';
}
