// How a pod is bound to a node without bypassing the scheduler: by a required affinity to the node's name, as the pods
// of native DaemonSets are.

import type { Pod, PodAffinity } from './pod.ts';

const NAME_FIELD = 'metadata.name';

/** The affinity of a pod that may run on this node only. */
export function affinityTo(node: string): PodAffinity {
  const matchFields = [{ key: NAME_FIELD, operator: 'In', values: [node] }];
  return {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] } },
  };
}

/**
 * The node that the pod is on, or the only one that it may be scheduled to; undefined when the scheduler may choose.
 */
export function targetNode({ spec }: Pick<Pod, 'spec'>): string | undefined {
  if (spec?.nodeName) return spec.nodeName;
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  const fields = (terms ?? []).flatMap(({ matchFields = [] }) => matchFields);
  const field = fields.find(({ key, operator }) => key === NAME_FIELD && operator === 'In');
  return field?.values?.length === 1 ? field.values[0] : undefined;
}
