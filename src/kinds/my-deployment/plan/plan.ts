// What to do about a MyDeployment, as a function of its snapshot; routes to the files with the details. A plan depends
// on no memory: planned again after any part of it was executed, it yields the rest.

import type { Action, Plan, PlannedEvent } from '../../../workload/action.ts';
import type { PodSource } from '../../../workload/build-pod.ts';
import { claimPods } from '../../../workload/claim.ts';
import { earliest, nextAvailability } from '../../../workload/pod.ts';
import { podDiff } from '../../../workload/pod-diff.ts';
import { selectsEverything } from '../../../workload/selector.ts';
import { maxTotalPods, minAvailableFor } from '../defaults.ts';
import type { MyDeployment, MyDeploymentStatus } from '../types.gen.ts';
import { handOverPartner } from './hand-over.ts';
import { type Sizes, sizeOf, surplusRevisions, withUpdate } from './history.ts';
import { keepMinAvailable, withMinAvailable } from './keep-min-available.ts';
import { selectorOf } from './ownership.ts';
import { isComplete, judgeProgress, notePause, noteUpdate, progressCheckAt } from './progress.ts';
import { judgeReconciling, stall } from './reconciling.ts';
import { announceSizes, recordSizes } from './record-sizes.ts';
import { recreate } from './recreate.ts';
import { requestedRevision, rollBack } from './rollback.ts';
import { roll } from './rolling.ts';
import { isScalingEvent, scale } from './scale.ts';
import { observe, type Revision, type Rollout, type Snapshot } from './snapshot.ts';
import { spreadTemplate } from './spread.ts';
import { observedStatus } from './status.ts';

export type MyDeploymentPlan = Plan<MyDeploymentStatus>;

const NOTHING: MyDeploymentPlan = { actions: [], status: undefined, events: [], checkAgainAt: undefined };

/** Decides what to do now, and when to check again if nothing changes. */
export function plan(snapshot: Snapshot | undefined, now: number): MyDeploymentPlan {
  if (snapshot === undefined) return NOTHING; // gone: the garbage collector deletes its pods and revisions
  if (selectsEverything(snapshot.object.spec.selector)) return refuseAll(snapshot.object, now);
  const rollout = withMinAvailable(observe(snapshot, now));
  if (snapshot.object.metadata.deletionTimestamp !== undefined) return report(rollout);
  const claims = claimActions(rollout);
  if (claims.length > 0) return { ...report(rollout), actions: claims };
  if (rollout.spec.paused) return resize(rollout);
  const requested = requestedRevision(snapshot.object);
  if (requested !== undefined) return { ...report(rollout), ...rollBack(rollout, requested) };
  if (isScalingEvent(rollout)) return resize(rollout);
  const { type } = rollout.spec.strategy;
  switch (type) {
    case 'Recreate':
      return advance(withUpdate(rollout), (current) => ({ sizes: recreate(current) }));
    case 'RollingUpdate':
      return advance(withUpdate(rollout), roll);
    default:
      return unknownStrategy(type);
  }
}

/** Only the status: for an object that is being deleted, and for steps that leave its pods alone. */
function report(rollout: Rollout): MyDeploymentPlan {
  const { spec, now } = rollout;
  const status = judgeReconciling(spec, observedStatus(rollout, new Map(), storedConditions(rollout)), now);
  return { ...NOTHING, status, checkAgainAt: nextAvailabilityOf(rollout) };
}

/** Scales without rolling. History is also cleaned up while a rollout is paused. */
function resize(rollout: Rollout): MyDeploymentPlan {
  const { spec, now } = rollout;
  const sizes = keepNeeded(rollout, scale(rollout));
  const scope = isScalingEvent(rollout) ? 'active' : 'changed';
  return {
    actions: [
      ...recordSizes(rollout, sizes, scope),
      ...podActions(rollout, sizes),
      ...(spec.paused ? surplusRevisions(rollout, sizes) : []),
    ],
    status: judgeReconciling(spec, observedStatus(rollout, sizes, notePause(rollout, storedConditions(rollout))), now),
    events: announceSizes(rollout, sizes),
    checkAgainAt: nextAvailabilityOf(rollout),
  };
}

/** The sizes, revised so that enough pods stay available: proportional shares ignore which pods are available. */
function keepNeeded(rollout: Rollout, sizes: Sizes): Sizes {
  const { revisions } = rollout;
  const sized = revisions.map((revision) => ({ ...revision, desired: sizeOf(sizes, revision) }));
  const kept = keepMinAvailable(sized, rollout);
  return new Map(revisions.map((revision, index) => [revision, (kept[index] as Revision).desired]));
}

/** Takes a step of the strategy, and updates the progress of the rollout. */
function advance<R extends Rollout>(rollout: R, step: (rollout: R) => Step): MyDeploymentPlan {
  const { sizes, waitUntil } = step(rollout);
  const noted = noteUpdate(rollout, notePause(rollout, storedConditions(rollout)));
  const observed = observedStatus(rollout, sizes, noted);
  const judged = { ...observed, conditions: judgeProgress(rollout, observed) };
  const status = judgeReconciling(rollout.spec, judged, rollout.now);
  return {
    actions: [
      ...recordSizes(rollout, sizes, 'changed'),
      ...podActions(rollout, sizes),
      ...(isComplete(rollout.spec, status) ? surplusRevisions(rollout, sizes) : []),
    ],
    status,
    events: announceSizes(rollout, sizes),
    checkAgainAt: earliest([waitUntil, nextAvailabilityOf(rollout), progressCheckAt(rollout.spec, status)]),
  };
}

interface Step {
  readonly sizes: Sizes;
  readonly waitUntil?: number | undefined;
}

/** Claims are executed alone: the operator counts pods only when it knows which ones it owns. */
function claimActions({ pods, orphanRevisions }: Rollout): Action[] {
  const adopted = orphanRevisions.map(({ metadata: { name, uid } }): Action => ({ do: 'adoptRevision', name, uid }));
  return [...adopted, ...claimPods(pods)];
}

function podActions(rollout: Rollout, sizes: Sizes): Action[] {
  const { object, revisions, limits, pods, spec, now } = rollout;
  const groups = revisions.map((revision) => ({
    revision: revision.name,
    source: podSource(rollout, revision),
    active: revision.active,
    desired: sizeOf(sizes, revision),
  }));
  const { minReadySeconds } = spec;
  const bounds = { maxTotalPods: maxTotalPods(limits), minAvailable: minAvailableFor(spec, limits) };
  const diff = podDiff(groups, { ...bounds, siblings: pods.owned, minReadySeconds, now });
  return handOverPartner(object) === undefined ? diff : diff.filter((action) => action.do !== 'deletePod');
}

/** The source of new pods of a revision; undefined when its template cannot be read. */
function podSource({ spread, spec }: Rollout, revision: Revision): PodSource | undefined {
  const { hash, template } = revision;
  return (
    template && {
      hash,
      template: spreadTemplate(template, spread, revision, spec.selector),
      selector: selectorOf(spec.selector, hash),
    }
  );
}

/** Admission refuses such an object; without admission it would claim every orphan of its namespace. */
function refuseAll(
  { metadata: { generation = 0 }, status = { replicas: 0 } }: MyDeployment,
  now: number,
): MyDeploymentPlan {
  const reason = 'SelectingAll';
  const message = 'This MyDeployment is selecting all pods. A non-empty selector is required.';
  const warning: PlannedEvent = { type: 'Warning', reason, message };
  const isSaid = (status.observedGeneration ?? 0) >= generation;
  const refused = stall({ ...status, observedGeneration: generation }, { reason, message }, now);
  return { ...NOTHING, status: refused, events: isSaid ? [] : [warning] };
}

function nextAvailabilityOf({ revisions, spec, now }: Rollout): number | undefined {
  return earliest(revisions.map(({ active }) => nextAvailability(active, spec.minReadySeconds, now)));
}

function storedConditions({ object }: Rollout) {
  return object.status?.conditions ?? [];
}

function unknownStrategy(type: never): never {
  throw new Error(`spec.strategy.type is neither Recreate nor RollingUpdate: ${String(type)}`);
}
