// Changes pods in place where the policy asks for it: a new image without a new pod, so with the same name, address and node. Sizes
// are decided as ever; a pod that the old revision is to lose becomes one that the new revision lacks, where both templates and the
// pod allow that (workload/in-place). Its containers stop while it does, so it takes the place of a pod that may be unavailable:
// with maxUnavailable 0 there is none, and pods are replaced.
//
//   10 replicas, surge 3, unavailable 2, all 10 old pods available           old  new  total  available
//   replacing: the surge is used as well                                      8    5    13     8
//   in place: no surge is needed, 2 pods are changed                          8    2    10     8
//   the 2 have finished: 10 available, 8 required, so 2 more may change       6    4    10     8
//
// The surge is as large as the number of pods that have to be replaced all the same.

import { durationMs } from '../../../policy/duration.ts';
import type { Action, PlannedEvent } from '../../../workload/action.ts';
import { finishInPlace } from '../../../workload/in-place/finish.ts';
import { IN_PLACE_READY } from '../../../workload/in-place/names.ts';
import { changeInPlace, nextChangeAt, versionOf } from '../../../workload/in-place/pod-change.ts';
import { type Version, type Way, wayBetween } from '../../../workload/in-place/template-change.ts';
import { earliest } from '../../../workload/pod.ts';
import type { InPlace, PodGroup } from '../../../workload/pod-diff.ts';
import type { PodTemplate } from '../../../workload/template-schema.ts';
import type { Limits } from '../defaults.ts';
import { handOverPartner } from './hand-over.ts';
import type { Sizes, UpdateRollout } from './history.ts';
import type { Revision, Rollout } from './snapshot.ts';

const DEFAULT_GRACE_PERIOD = '10s';

/** True when the policy asks for changes in place. */
export function asksForInPlace({ course }: Pick<Rollout, 'course'>): boolean {
  return course.policy?.spec.pods?.inPlace?.mode === 'IfPossible';
}

/** The template for new pods of a revision: with the gate by which they leave their Services before they are changed. */
export function gatedTemplate(template: PodTemplate, rollout: Rollout): PodTemplate {
  if (!asksForInPlace(rollout)) return template;
  const readinessGates = [...(template.spec.readinessGates ?? []), { conditionType: IN_PLACE_READY }];
  return { ...template, spec: { ...template.spec, readinessGates } };
}

/** How the pods of a rollout are changed. What was begun is finished, even if the policy has gone meanwhile. */
export function inPlaceOf(rollout: Rollout): InPlace {
  const { revisions, now, refusals } = rollout;
  const versions = new Map(revisions.map((revision) => [revision.name, versionFor(revision)]));
  const context = { gracePeriodMs: gracePeriodOf(rollout), now, refusals };
  const isAllowed = isInForce(rollout);
  const version = ({ revision }: PodGroup): Version | undefined => versions.get(revision);
  const ways = new Map<string, Way | undefined>();
  const way = (from: PodGroup, to: PodGroup): Way | undefined => {
    const key = `${from.revision}/${to.revision}`;
    const [one, other] = [version(from), version(to)];
    if (!ways.has(key)) ways.set(key, one && other && wayBetween(one, other));
    return ways.get(key);
  };
  return {
    change: (pod, from, to) => {
      const between = isAllowed ? way(from, to) : undefined;
      return between && changeInPlace(pod, between, context);
    },
    finish: (pod, group) => finishInPlace(pod, version(group), context),
  };
}

/** The limits under which a rollout takes its steps towards this revision: it surges only for pods that have to be replaced. */
export function limitsInPlace(rollout: UpdateRollout, towards: Revision, targets: Sizes | undefined): Limits {
  const { limits, revisions, now, refusals } = rollout;
  const to = isInForce(rollout) ? versionFor(towards) : undefined;
  if (to === undefined) return limits;
  const context = { gracePeriodMs: 0, now, refusals };
  const replaced = revisions.flatMap((revision) => {
    if (revision === towards || revision.active.length === 0) return [];
    const from = versionFor(revision);
    const way = from && wayBetween(from, to);
    return revision.active.filter((pod) => !way || changeInPlace(pod, way, context).is === 'impossible');
  });
  // A step may have a surge of its own: the canary of a single replica.
  const wanted = [...(targets?.values() ?? [])].reduce((sum, size) => sum + size, 0) - limits.replicas;
  return { ...limits, maxSurge: Math.min(limits.maxSurge, Math.max(replaced.length, wanted)) };
}

/** The events about these actions: one for all pods that are changed, and one for each reason why others are replaced. */
export function announceInPlace(actions: readonly Action[]): PlannedEvent[] {
  const changed = actions.filter(
    (action) => action.do === 'updatePod' && action.patches.some(({ body }) => body.metadata?.labels !== undefined),
  );
  const byRevision = Map.groupBy(changed, (action) => (action as Extract<Action, { do: 'updatePod' }>).revision);
  const changes = [...byRevision].map(([revision, pods]) => `Changed ${podsIn(pods)} in place to revision ${revision}`);
  const byReason = Map.groupBy(
    actions.filter((action) => action.do === 'deletePod' && action.notInPlace !== undefined),
    (action) => (action as Extract<Action, { do: 'deletePod' }>).notInPlace,
  );
  const replaced = [...byReason].map(([reason, pods]) => `Replaced ${podsIn(pods)} instead: ${reason}`);
  return [
    ...changes.map((message): PlannedEvent => ({ type: 'Normal', reason: 'InPlaceUpdate', message })),
    ...replaced.map((message): PlannedEvent => ({ type: 'Normal', reason: 'NotInPlace', message })),
  ];
}

function podsIn({ length }: readonly unknown[]): string {
  return length === 1 ? '1 pod' : `${length} pods`;
}

/** When a pod that is being changed is due although nothing else happens. */
export function nextInPlaceAt(rollout: Rollout): number | undefined {
  const gracePeriodMs = gracePeriodOf(rollout);
  const times = rollout.revisions.flatMap(({ active }) => active.flatMap((pod) => nextChangeAt(pod, gracePeriodMs)));
  return earliest(times.filter((at) => at > rollout.now));
}

/** False where no pod may be unavailable, or where pods of another owner count as well. */
function isInForce(rollout: Rollout): boolean {
  return asksForInPlace(rollout) && rollout.limits.maxUnavailable > 0 && handOverPartner(rollout.object) === undefined;
}

function gracePeriodOf({ course }: Rollout): number {
  return durationMs(course.policy?.spec.pods?.inPlace?.gracePeriod ?? DEFAULT_GRACE_PERIOD) ?? 0;
}

function versionFor({ hash, template }: Revision): Version | undefined {
  return template && versionOf(hash, template);
}
