// What to do about a MyDeployment, as a function of its snapshot; routes to the files with the details. A plan depends
// on no memory: planned again after any part of it was executed, it yields the rest.

import { type ConditionUpdate, findCondition } from '../../../runtime/conditions.ts';
import type { Action, Plan, PlannedEvent } from '../../../workload/action.ts';
import type { PodSource } from '../../../workload/build-pod.ts';
import { claimPods } from '../../../workload/claim.ts';
import { earliest, nextAvailability } from '../../../workload/pod.ts';
import { podDiff } from '../../../workload/pod-diff.ts';
import { selectsEverything } from '../../../workload/selector.ts';
import { maxTotalPods, minAvailableFor } from '../defaults.ts';
import type { MyDeployment, MyDeploymentStatus } from '../types.gen.ts';
import { type Attempt, attemptOf, NO_ATTEMPT } from './attempt.ts';
import { capped } from './cap.ts';
import { withoutLost } from './course.ts';
import { domainsOf } from './domains.ts';
import { drainCondition, withDrainSurplus } from './drain.ts';
import { handOverPartner } from './hand-over.ts';
import { type Sizes, sizeOf, surplusRevisions, type UpdateRollout, withUpdate } from './history.ts';
import { hold } from './hold.ts';
import { announceInPlace, gatedTemplate, inPlaceOf, limitsInPlace, nextInPlaceAt } from './in-place.ts';
import { keepMinAvailable, withMinAvailable } from './keep-min-available.ts';
import { selectorOf } from './ownership.ts';
import {
  isComplete,
  judgeProgress,
  notePause,
  noteUpdate,
  PROGRESSING,
  progressCheckAt,
  TIMED_OUT,
} from './progress.ts';
import { judgeReconciling, stall } from './reconciling.ts';
import { announceSizes, recordSizes } from './record-sizes.ts';
import { keepApart, recreate } from './recreate.ts';
import { answerRequests } from './requests.ts';
import { retryIfAsked } from './retry.ts';
import { requestedRevision, rollBack } from './rollback.ts';
import { roll } from './rolling.ts';
import { isScalingEvent, scale } from './scale.ts';
import { observe, type Revision, type Rollout, type Snapshot } from './snapshot.ts';
import { spreadTemplate } from './spread.ts';
import { isKeptFrom, observedStatus } from './status.ts';
import { terminatingThatCount } from './termination.ts';

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
  const current = retryIfAsked(withUpdate(rollout));
  const attempt = attemptOf(current, deadlineOf(current));
  if (attempt.targets !== undefined) return advance(followed(current, attempt), attempt);
  // What is decided of a revision that is not recorded yet is decided when it is.
  if (isScalingEvent(rollout)) return rollout.update === undefined ? resize(rollout) : resize(current, attempt);
  return advance(current, attempt);
}

/** The rollout as the attempt's decision leaves it: whether it was just rejected decides which revision leaves first. */
function followed(rollout: UpdateRollout, { rejected }: Attempt): UpdateRollout {
  const { course } = rollout;
  if (rejected === undefined || course.policy === undefined) return rollout;
  const { revisions, update = rollout.update } = withoutLost({ ...rollout, course: { ...course, rejected } });
  return { ...rollout, course: { ...course, rejected }, revisions, update };
}

/** Only a policy asks this early: natively a rollout that is overdue goes on. */
function deadlineOf(rollout: UpdateRollout): 'met' | 'exceeded' {
  if (rollout.course.policy === undefined) return 'met';
  const noted = noteUpdate(rollout, storedConditions(rollout));
  const conditions = judgeProgress(rollout, observedStatus(rollout, new Map(), noted));
  return findCondition(conditions, PROGRESSING)?.reason === TIMED_OUT ? 'exceeded' : 'met';
}

/** The next sizes: towards the targets of the attempt, or else as the strategy has it. */
function step(rollout: UpdateRollout, { targets, goesBackTo: stable }: Attempt): Step {
  const { type } = rollout.spec.strategy;
  const limited = { ...rollout, limits: limitsInPlace(rollout, stable ?? rollout.update, targets) };
  switch (type) {
    case 'Recreate':
      // Going back is a rollout to the stable revision: it is created once the rejected one has ended.
      if (stable !== undefined) return { sizes: recreate({ ...rollout, update: stable }) };
      return { sizes: targets === undefined ? recreate(rollout) : keepApart(rollout, targets) };
    case 'RollingUpdate':
      return targets === undefined ? roll(limited) : hold(limited, targets);
    default:
      return unknownStrategy(type);
  }
}

/** Only the status: for an object that is being deleted, and for steps that leave its pods alone. */
function report(rollout: Rollout): MyDeploymentPlan {
  const { spec, now } = rollout;
  const observed = observedStatus(rollout, new Map(), storedConditions(rollout));
  const status = judgeReconciling(spec, observed, now, saidBy(rollout));
  return { ...NOTHING, status, checkAgainAt: nextPodAt(rollout) };
}

/** What the policy says about a rollout for which nothing is decided at present. */
function saidBy(rollout: Rollout): ConditionUpdate | undefined {
  const { update } = rollout;
  return update === undefined ? undefined : attemptOf({ ...rollout, update }, 'met').condition;
}

/**
 * Scales without rolling. History is also cleaned up while a rollout is paused. What is decided of an attempt is recorded in the
 * same write: shares are for the rest of a rollout, not for its steps.
 */
function resize(rollout: Rollout, attempt: Attempt = NO_ATTEMPT): MyDeploymentPlan {
  const { spec, now } = rollout;
  const sizes = withDrainSurplus(rollout, keepNeeded(rollout, capped(rollout, scale(rollout))), NO_ATTEMPT);
  const scope = isScalingEvent(rollout) ? 'active' : 'changed';
  const requests = answerRequests(rollout, attempt);
  const pods = podActions(rollout, sizes);
  const observed = observedStatus(rollout, sizes, notePause(rollout, storedConditions(rollout)));
  return {
    actions: [
      ...recordSizes(rollout, sizes, scope, attempt.annotations),
      ...requests.actions,
      ...pods,
      ...(spec.paused && !isKeptFrom(rollout) ? surplusRevisions(rollout, sizes) : []),
    ],
    status: judgeReconciling(spec, observed, now, saidBy(rollout) ?? drainCondition(rollout, sizes)),
    events: [...attempt.events, ...requests.events, ...announceSizes(rollout, sizes), ...announceInPlace(pods)],
    checkAgainAt: nextPodAt(rollout),
  };
}

/** The sizes, revised so that enough pods stay available: proportional shares ignore which pods are available. */
function keepNeeded(rollout: Rollout, sizes: Sizes): Sizes {
  const { revisions } = rollout;
  const sized = revisions.map((revision) => ({ ...revision, desired: sizeOf(sizes, revision) }));
  const kept = keepMinAvailable(sized, rollout);
  return new Map(revisions.map((revision, index) => [revision, (kept[index] as Revision).desired]));
}

/** Takes a step of the strategy or towards the targets of the attempt, and updates the progress of the rollout. */
function advance(rollout: UpdateRollout, attempt: Attempt): MyDeploymentPlan {
  const { sizes: steps, waitUntil } = step(rollout, attempt);
  const sizes = withDrainSurplus(rollout, steps, attempt);
  const { condition: said, annotations, checkAgainAt } = attempt;
  const noted = noteUpdate(rollout, notePause(rollout, storedConditions(rollout)));
  const observed = observedStatus(rollout, sizes, noted);
  const judged = { ...observed, conditions: judgeProgress(rollout, observed, said) };
  const status = judgeReconciling(rollout.spec, judged, rollout.now, said ?? drainCondition(rollout, sizes));
  const requests = answerRequests(rollout, attempt);
  const pods = podActions(rollout, sizes);
  // Where sizes are not shares, nothing else notes that the owner's size has changed.
  const scope = isScalingEvent(rollout) ? 'active' : 'changed';
  return {
    actions: [
      ...recordSizes(rollout, sizes, scope, annotations),
      ...requests.actions,
      ...pods,
      ...(mayForget(rollout, status) ? surplusRevisions(rollout, sizes) : []),
    ],
    status,
    events: [...attempt.events, ...requests.events, ...announceSizes(rollout, sizes), ...announceInPlace(pods)],
    checkAgainAt: earliest([checkAgainAt, waitUntil, nextPodAt(rollout), progressCheckAt(rollout.spec, status)]),
  };
}

/** History is cleaned up after a rollout. */
function mayForget(rollout: Rollout, status: MyDeploymentStatus): boolean {
  return isComplete(rollout.spec, status) && !isKeptFrom(rollout);
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
  const bounds = {
    maxTotalPods: maxTotalPods(limits),
    minAvailable: minAvailableFor(spec, limits),
    terminating: terminatingThatCount(rollout),
    domainOf: domainsOf(rollout),
    inPlace: inPlaceOf(rollout),
  };
  const diff = podDiff(groups, { ...bounds, siblings: pods.owned, minReadySeconds, now });
  return handOverPartner(object) === undefined ? diff : diff.filter((action) => action.do !== 'deletePod');
}

/** The source of new pods of a revision; undefined when its template cannot be read. */
function podSource(rollout: Rollout, revision: Revision): PodSource | undefined {
  const { spread, spec } = rollout;
  const { hash, template } = revision;
  return (
    template && {
      hash,
      template: gatedTemplate(spreadTemplate(template, spread, revision, spec.selector), rollout),
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

/** When pods become available, or are due for their change in place. */
function nextPodAt(rollout: Rollout): number | undefined {
  const { revisions, spec, now } = rollout;
  const available = revisions.map(({ active }) => nextAvailability(active, spec.minReadySeconds, now));
  return earliest([...available, nextInPlaceAt(rollout)]);
}

function storedConditions({ object }: Rollout) {
  return object.status?.conditions ?? [];
}

function unknownStrategy(type: never): never {
  throw new Error(`spec.strategy.type is neither Recreate nor RollingUpdate: ${String(type)}`);
}
