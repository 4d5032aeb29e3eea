// What holds up pods that are changed in place, and why others are replaced although their policy asks for changes in place. The
// operator's own functions decide, so that the answer is what it does.

import type { Pod as FullPod } from '../../runtime/built-in.ts';
import { NO_REFUSALS } from '../../runtime/consistency/refusals.ts';
import { changeInPlace, isBehind, versionOf } from '../../workload/in-place/pod-change.ts';
import { inPlaceRecord } from '../../workload/in-place/record.ts';
import { type Way, wayBetween } from '../../workload/in-place/template-change.ts';
import type { Pod } from '../../workload/pod.ts';
import { ended } from '../phrasing.ts';
import { type Cause, type Facts, podsNamed, verb } from './cause.ts';
import { conditionOf, type PodProblem } from './pod-problem.ts';
import { standingIn } from './policy-causes.ts';

const NONE_MAY_LACK = 'maxUnavailable allows none, and a change in place makes a pod unavailable';

/** Where a pod is that is being changed in place. */
export function inPlaceProblem(pod: FullPod): PodProblem | undefined {
  const record = inPlaceRecord(pod as Pod);
  if (record === undefined) return undefined;
  const what = record.changed === undefined ? 'leaving' : waitingFor(pod);
  return {
    name: 'in-place',
    detail: what,
    events: [],
    evidence: `annotation kubebuilder.zq.com/in-place: from ${record.from} to ${record.to} since ${record.at}`,
    say: (pods) => {
      const which = `${podsNamed(pods)} ${verb(pods, 'is', 'are')}`;
      return what === 'leaving'
        ? `${which} leaving ${verb(pods, 'its', 'their')} Services for the grace period, to be changed in place then.`
        : `${which} being changed in place: ${ended(what)}`;
    },
  };
}

function waitingFor(pod: FullPod): string {
  if (isBehind(pod as Pod)) return `kubelet of node "${pod.spec?.nodeName}" has not seen it yet`;
  for (const type of ['PodResizePending', 'PodResizeInProgress']) {
    const condition = conditionOf(pod, type);
    if (condition?.status === 'True')
      return `the resize waits (${condition.reason || type}): ${condition.message ?? ''}`;
  }
  return 'the new containers are not ready yet';
}

/** Old pods that the rollout replaces. */
export function notInPlace(facts: Facts): Cause[] {
  const { revisions, update, limits, now } = facts.rollout;
  const policy = standingIn(facts)?.policy;
  if (policy?.spec.pods?.inPlace?.mode !== 'IfPossible' || update?.template === undefined) return [];
  const to = versionOf(update.hash, update.template);
  const replaced = revisions.flatMap(({ name, hash, template, active }) => {
    if (name === update.name || template === undefined) return [];
    const way = wayBetween(versionOf(hash, template), to);
    return active.flatMap((pod) => {
      const because = limits.maxUnavailable > 0 ? whyReplaced(pod, way, now) : NONE_MAY_LACK;
      return because === undefined ? [] : [{ pod: pod as FullPod, because }];
    });
  });
  const groups = Map.groupBy(replaced, ({ because }) => because);
  return [...groups].map(([because, members]) => {
    const pods = members.map(({ pod }) => pod);
    return {
      name: 'not-in-place',
      sentence: `${podsNamed(pods)} ${verb(pods, 'is', 'are')} replaced, not changed in place: ${ended(because)}`,
      evidence: [`rolloutpolicy/${policy.metadata.name}: spec.pods.inPlace.mode is IfPossible`],
    };
  });
}

function whyReplaced(pod: Pod, way: Way, now: number): string | undefined {
  const change = changeInPlace(pod, way, { gracePeriodMs: 0, now, refusals: NO_REFUSALS });
  return change.is === 'impossible' ? change.because : undefined;
}
