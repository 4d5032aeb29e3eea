// The causes that are read from pods: why a pod is not scheduled, does not start, crashes or does not become ready. Pods with the
// same problem share one cause.

import type { Pod as FullPod } from '../../runtime/built-in.ts';
import { isActive, isBeingChanged, isTerminating, type Pod, timeOf } from '../../workload/pod.ts';
import { formatDuration } from '../duration.ts';
import { ended } from '../phrasing.ts';
import { type Cause, eventOf, type Facts, podsNamed, quoted, verb } from './cause.ts';
import { containerProblem } from './container-causes.ts';
import { inPlaceProblem } from './in-place-causes.ts';
import { conditionOf, type PodProblem } from './pod-problem.ts';
import { nodeProblem, schedulingProblem } from './scheduling-causes.ts';

/** One cause for each problem that active pods have. */
export function podProblems(facts: Facts): Cause[] {
  const affected = facts.pods
    .filter((pod) => isActive(pod as Pod))
    .flatMap((pod) => {
      const problem = problemOf(pod, facts);
      return problem === undefined ? [] : [{ pod, problem }];
    });
  const groups = Map.groupBy(affected, ({ problem }) => `${problem.name} ${problem.detail}`);
  return [...groups.values()].map((members) => {
    const { problem, pod } = members[0] as (typeof members)[number];
    const { name, say, evidence, events, advice } = problem;
    return {
      name,
      sentence: say(members.map((member) => member.pod)),
      evidence: [`pod/${pod.metadata.name}: ${evidence}`, ...quoted(eventOf(facts, pod, ...events))],
      ...(advice !== undefined && { advice }),
    };
  });
}

function problemOf(pod: FullPod, facts: Facts): PodProblem | undefined {
  if (isReadyNow(pod)) return undefined;
  return (
    schedulingProblem(pod, facts) ??
    nodeProblem(pod, facts) ??
    containerProblem(pod, facts) ??
    inPlaceProblem(pod) ??
    mountProblem(pod, facts) ??
    readinessProblem(pod, facts)
  );
}

function mountProblem(pod: FullPod, facts: Facts): PodProblem | undefined {
  const event = eventOf(facts, pod, 'FailedMount', 'FailedAttachVolume');
  if (event === undefined || pod.status?.phase !== 'Pending') return undefined;
  const message = (event.message ?? '').replaceAll(/\s*\n\s*/g, ' ');
  return {
    name: 'volume-mount',
    detail: message.replace(/pod ".*?"/, ''),
    events: ['FailedMount', 'FailedAttachVolume'],
    evidence: `phase ${pod.status.phase}`,
    say: (pods) => `${podsNamed(pods)} cannot mount ${verb(pods, 'its', 'their')} volumes: ${ended(message)}`,
    advice: 'See whether the Secrets, ConfigMaps and volumes that the template mounts exist.',
  };
}

function readinessProblem(pod: FullPod, facts: Facts): PodProblem | undefined {
  if (pod.status?.phase !== 'Running') return undefined;
  const gates = (pod.spec?.readinessGates ?? []).map(({ conditionType }) => conditionType);
  const shut = gates.filter((type) => conditionOf(pod, type)?.status !== 'True');
  if (shut.length > 0 && conditionOf(pod, 'ContainersReady')?.status === 'True') {
    return {
      name: 'readiness-gate',
      detail: shut.join(','),
      events: [],
      evidence: `condition ${shut[0]} is ${conditionOf(pod, shut[0] as string)?.status ?? 'missing'}`,
      say: (pods) =>
        `${podsNamed(pods)} ${verb(pods, 'runs', 'run')}, but readiness gate "${shut.join('", "')}" is not met.`,
      advice: 'The controller that sets this condition, often one for load balancers, has not set it to True.',
    };
  }
  const container = pod.status.containerStatuses?.find(({ ready }) => !ready);
  const probe = container?.started === false ? 'startup' : 'readiness';
  const said = eventOf(facts, pod, 'Unhealthy')?.message ?? '';
  return {
    name: 'probe',
    detail: container?.name ?? '',
    events: ['Unhealthy'],
    evidence: `container ${container?.name ?? '?'} runs and is not ready`,
    say: (pods) =>
      `${podsNamed(pods)} ${verb(pods, 'runs', 'run')}, but ${verb(pods, 'is', 'are')} not ready: ${ended(
        said || `the ${probe} probe of container "${container?.name}" has not succeeded`,
      )}`,
    advice: 'Check the probe, and what the container waits for.',
  };
}

/** Pods that have been terminating for longer than their grace period. */
export function stuckTerminating({ pods, now }: Facts): Cause[] {
  const stuck = pods.filter(
    (pod) => isTerminating(pod as Pod) && now > (timeOf(pod.metadata.deletionTimestamp) ?? now) + 5_000,
  );
  const [first] = stuck;
  if (first === undefined) return [];
  const finalizers = first.metadata.finalizers ?? [];
  const since = formatDuration(now - (timeOf(first.metadata.deletionTimestamp) as number));
  return [
    {
      name: 'stuck-terminating',
      sentence: `${podsNamed(stuck)} should have ended ${since} ago and ${verb(stuck, 'has', 'have')} not${
        finalizers.length > 0 ? `: finalizer "${finalizers.join('", "')}" is left` : ''
      }.`,
      evidence: [`pod/${first.metadata.name}: deletionTimestamp ${first.metadata.deletionTimestamp}`],
      advice:
        finalizers.length > 0
          ? 'The controller that set the finalizer has to remove it.'
          : "Check whether the pod's node is Ready.",
    },
  ];
}

/** Pods that failed and are not restarted, while the rollout is not complete. */
export function evicted(facts: Facts): Cause[] {
  const gone = facts.pods.filter(({ status }) => status?.phase === 'Failed');
  const [first] = gone;
  if (first === undefined) return [];
  const { reason = 'Failed', message = '' } = first.status ?? {};
  const said = message === '' ? '' : `: ${message.replace(/\.$/, '')}`;
  return [
    {
      name: 'evicted',
      sentence: `${podsNamed(gone)} ended for good (${reason})${said}; others take ${verb(gone, 'its', 'their')} place.`,
      evidence: [
        `pod/${first.metadata.name}: phase Failed, reason ${reason}`,
        ...quoted(eventOf(facts, first, 'Evicted')),
      ],
    },
  ];
}

function isReadyNow(pod: FullPod): boolean {
  return !isBeingChanged(pod as Pod) && conditionOf(pod, 'Ready')?.status === 'True';
}
