// MyDeployments on the framework for kinds that own pods: what a snapshot is made of, and how plan and status of a
// MyDeployment differ from those of other kinds.

import type { RolloutPolicy } from '../../policy/types.gen.ts';
import type { Change, Informer } from '../../runtime/cache/informer.ts';
import type { Controller } from '../../runtime/controller/controller.ts';
import { keyOfOwner } from '../../runtime/controller/sources.ts';
import { keyOf } from '../../runtime/object.ts';
import type { StatusUrgency } from '../../runtime/status-writer.ts';
import { sameMeaning } from '../../workload/canonical.ts';
import type { PodOwner } from '../../workload/pod-owner.ts';
import type { ControllerRevision } from '../../workload/revision.ts';
import { selectorMatches } from '../../workload/selector.ts';
import { limitsOf, withDefaults } from './defaults.ts';
import { myDeployments } from './names.ts';
import type { OnDemand } from './on-demand.ts';
import { paceMs } from './plan/batching.ts';
import { policyOf } from './plan/course.ts';
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
  /** @default MyDeployments have no policies */
  readonly policies?: Informer<RolloutPolicy>;
  /** Nodes and budgets, for policies that ask for something that depends on them. @default unknown */
  readonly onDemand?: OnDemand;
}

export function myDeploymentOwner({
  spread = () => 'none',
  policies,
  onDemand,
}: MyDeploymentOptions = {}): PodOwner<MyDeployment, MyDeploymentStatus, Snapshot> {
  return {
    ...(policies && {
      reads: [policies],
      watches: (controller: Controller) => {
        controller.watches(policies, targetOf, policyMatters);
        return onDemand === undefined ? controller : onDemand.wake(controller);
      },
    }),
    definition: myDeployment,
    selects: ({ spec }, { metadata }) => selectorMatches(spec.selector, metadata.labels),
    snapshot: (object, near) => {
      const ofNamespace = policies?.byIndex('namespace', object.metadata.namespace ?? '') ?? [];
      return {
        object,
        revisions: near.revisions,
        // During a hand-over the pods of a ReplicaSet count as well.
        pods: handOverPartner(object) === undefined ? near.pods : near.allPods,
        spread: spread(),
        policies: ofNamespace,
        ...onDemand?.seenBy(policyOf(object, ofNamespace)?.spec.pods, object, near),
        refusals: near.refusals,
      };
    },
    plan,
    keepsRevision,
    finishStatus,
    statusUrgency: (stored, next) => URGENCY[statusChange(stored, next)],
    paceMs: ({ spec }) => paceMs(limitsOf(withDefaults(spec))),
  };
}

/** The key of the MyDeployment that a policy is about. */
function targetOf({ metadata, spec }: RolloutPolicy): string[] {
  return [keyOf({ namespace: metadata.namespace as string, name: spec.targetRef.name })];
}

/** Of a policy's status, plans read the results of gates; the rest says what plans have recorded. */
function policyMatters(change: Change<RolloutPolicy>): boolean {
  return change.type !== 'updated' || !sameMeaning(essence(change.old), essence(change.object));
}

function essence({ metadata, spec, status }: RolloutPolicy): object {
  const results = status?.gates?.map(({ name, number, step, state, measuredAt }) => {
    // A final result counts only if it was measured after the step's clock began; others say no more with each measurement.
    const isFinal = state === 'Passed' || state === 'Failed';
    return { name, number, step, state, ...(isFinal && { measuredAt }) };
  });
  return { spec, results, annotations: metadata.annotations, deletionTimestamp: metadata.deletionTimestamp };
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
