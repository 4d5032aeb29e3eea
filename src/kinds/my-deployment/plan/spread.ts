// Spreads pods whose template has no constraints, as the scheduler spreads those of a Deployment. The scheduler has
// default constraints, but finds the pods that they apply to through ReplicaSets and Services only, so the operator
// writes the same constraints into each new pod. The template stays as the user wrote it, and so does its hash.

import { TEMPLATE_HASH_LABEL } from '../../../workload/build-pod.ts';
import type { LabelSelector } from '../../../workload/selector.ts';
import type { PodTemplate } from '../../../workload/template-schema.ts';
import type { RevisionRecord } from './record.ts';

export const ZONE_LABEL = 'topology.kubernetes.io/zone';
const HOST_LABEL = 'kubernetes.io/hostname';
const DEFAULT_SCHEDULER = 'default-scheduler';

/**
 * The topologies of the default constraints. Zones are left out where nodes have no zone label: the scheduler ignores
 * nodes that lack the key of any constraint of a pod, and so would not spread at all.
 */
export type Spread = 'none' | 'nodes' | 'nodes and zones';

/** The scheduler's own default constraints: `systemDefaultConstraints` of its plugin PodTopologySpread. */
const CONSTRAINTS: Readonly<Record<Spread, readonly { topologyKey: string; maxSkew: number }[]>> = {
  none: [],
  nodes: [{ topologyKey: HOST_LABEL, maxSkew: 3 }],
  'nodes and zones': [
    { topologyKey: HOST_LABEL, maxSkew: 3 },
    { topologyKey: ZONE_LABEL, maxSkew: 5 },
  ],
};

/**
 * The template for new pods of a revision: with the default constraints, unless it has its own or names another
 * scheduler.
 */
export function spreadTemplate(
  template: PodTemplate,
  spread: Spread,
  revision: Pick<RevisionRecord, 'hash' | 'aliases'>,
  selector: LabelSelector,
): PodTemplate {
  const { topologySpreadConstraints: own = [], schedulerName = DEFAULT_SCHEDULER } = template.spec;
  if (own.length > 0 || schedulerName !== DEFAULT_SCHEDULER || spread === 'none') return template;
  const labelSelector = podsOf(revision, selector);
  const topologySpreadConstraints = CONSTRAINTS[spread].map((constraint) => ({
    ...constraint,
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector,
  }));
  return { ...template, spec: { ...template.spec, topologySpreadConstraints } };
}

/** Matches the pods of this revision alone, as a ReplicaSet's selector does: old pods are about to be deleted. */
function podsOf({ hash, aliases }: Pick<RevisionRecord, 'hash' | 'aliases'>, selector: LabelSelector): LabelSelector {
  const ofRevision = { key: TEMPLATE_HASH_LABEL, operator: 'In', values: [hash, ...aliases] } as const;
  return { ...selector, matchExpressions: [...(selector.matchExpressions ?? []), ofRevision] };
}
