// MyDeployments on the framework for kinds that own pods: what a snapshot is made of, and how plan and status of a
// MyDeployment differ from those of other kinds.

import { keyOfOwner } from '../../runtime/controller/sources.ts';
import type { StatusUrgency } from '../../runtime/status-writer.ts';
import type { PodOwner } from '../../workload/pod-owner.ts';
import type { ControllerRevision } from '../../workload/revision.ts';
import { selectorMatches } from '../../workload/selector.ts';
import { limitsOf, withDefaults } from './defaults.ts';
import { myDeployments } from './names.ts';
import { paceMs } from './plan/batching.ts';
import { handOverPartner } from './plan/hand-over.ts';
import { plan } from './plan/plan.ts';
import { isOurRecord } from './plan/record.ts';
import type { Snapshot } from './plan/snapshot.ts';
import type { Spread } from './plan/spread.ts';
import { finishStatus } from './plan/status.ts';
import { type StatusChange, statusChange } from './plan/status-change.ts';
import { myDeployment } from './schema.ts';
import type { MyDeployment, MyDeploymentStatus } from './types.gen.ts';

export interface MyDeploymentOptions {
  /** The topologies over which new pods are spread when their template has no constraints. @default none */
  readonly spread?: () => Spread;
}

export function myDeploymentOwner({
  spread = () => 'none',
}: MyDeploymentOptions = {}): PodOwner<MyDeployment, MyDeploymentStatus, Snapshot> {
  return {
    definition: myDeployment,
    selects: ({ spec }, { metadata }) => selectorMatches(spec.selector, metadata.labels),
    snapshot: (object, near) => ({
      object,
      revisions: near.revisions,
      // During a hand-over the pods of a ReplicaSet count as well.
      pods: handOverPartner(object) === undefined ? near.pods : near.allPods,
      spread: spread(),
      refusals: near.refusals,
    }),
    plan,
    keepsRevision,
    finishStatus,
    statusUrgency: (stored, next) => URGENCY[statusChange(stored, next)],
    paceMs: ({ spec }) => paceMs(limitsOf(withDefaults(spec))),
  };
}

const URGENCY: Readonly<Record<StatusChange, StatusUrgency | undefined>> = {
  none: undefined,
  details: 'later',
  news: 'now',
};

/** A revision of a MyDeployment, or an orphan that was one: the plan reads its template. */
function keepsRevision(revision: ControllerRevision): boolean {
  return [...keyOfOwner(myDeployments)(revision)].length > 0 || isOurRecord(revision.metadata.annotations);
}
