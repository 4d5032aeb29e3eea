// Why a pod is not scheduled, or is on a node that is not ready.

import type { Pod as FullPod } from '../../runtime/built-in.ts';
import { type DeploymentCondition, findCondition } from '../../runtime/conditions.ts';
import { timeOf } from '../../workload/pod.ts';
import { formatDuration } from '../duration.ts';
import { ended } from '../phrasing.ts';
import { type Facts, podsAtEnd, podsNamed, verb } from './cause.ts';
import { conditionOf, type PodProblem } from './pod-problem.ts';

/** Undefined for a pod that is scheduled, or that the scheduler has not seen yet. */
export function schedulingProblem(pod: FullPod, facts: Facts): PodProblem | undefined {
  const scheduled = conditionOf(pod, 'PodScheduled');
  if (scheduled?.status !== 'False') return undefined;
  const { reason = '', message = '' } = scheduled;
  const evidence = `condition PodScheduled (${reason}): ${message}`;
  if (reason === 'SchedulingGated') {
    const gates = (pod.spec?.schedulingGates ?? []).map(({ name }) => name).join(', ');
    const say = (pods: readonly FullPod[]): string =>
      `${podsNamed(pods)} ${verb(pods, 'waits', 'wait')} for scheduling gates to be lifted: ${gates}.`;
    return { name: 'scheduling-gate', detail: gates, events: [], evidence, say };
  }
  return claimProblem(pod, facts, evidence) ?? unschedulable(message, evidence);
}

function claimProblem(pod: FullPod, { claims }: Facts, evidence: string): PodProblem | undefined {
  const names = (pod.spec?.volumes ?? []).flatMap(
    ({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? [],
  );
  const claimName = names.find(
    (name) => claims.find(({ metadata }) => metadata.name === name)?.status?.phase !== 'Bound',
  );
  if (claimName === undefined || !/persistentvolumeclaim|volume/i.test(evidence)) return undefined;
  const claim = claims.find(({ metadata }) => metadata.name === claimName);
  const what = claim === undefined ? 'does not exist' : `is ${claim.status?.phase ?? 'Pending'}`;
  return {
    name: 'volume-claim',
    detail: claimName,
    events: ['FailedScheduling', 'FailedBinding'],
    evidence,
    say: (pods) => `${podsNamed(pods)} cannot be scheduled: PersistentVolumeClaim "${claimName}" ${what}.`,
    advice: claim === undefined ? 'Create the claim.' : `kubectl describe pvc ${claimName} says what it waits for.`,
  };
}

function unschedulable(message: string, evidence: string): PodProblem {
  return {
    name: 'unschedulable',
    detail: '',
    events: ['FailedScheduling'],
    evidence,
    say: (pods) => `No node takes ${podsAtEnd(pods)}: ${shortened(message)}`,
    advice: 'Ask for less, loosen selectors, affinities and spread constraints, tolerate taints, or add nodes.',
  };
}

/** The scheduler's first sentence; what it tried besides, such as preemption, follows in others that are rarely complete. */
function shortened(message: string): string {
  const nodes = /^\d+\/\d+ nodes are available: .*?\.(?=\s|$)/s.exec(message)?.[0];
  return ended(nodes ?? (message.trim() || 'the scheduler gives no reason'));
}

/** Undefined for a pod on a ready node, or on one that the user may not read. */
export function nodeProblem(pod: FullPod, { nodes, now }: Facts): PodProblem | undefined {
  const node = nodes.find(({ metadata }) => metadata.name === pod.spec?.nodeName);
  const ready = findCondition(node?.status?.conditions as readonly DeploymentCondition[] | undefined, 'Ready');
  if (node === undefined || ready === undefined || ready.status === 'True') return undefined;
  const since = timeOf(ready.lastTransitionTime);
  const ago = since === undefined ? '' : ` for ${formatDuration(now - since)}`;
  return {
    name: 'node-lost',
    detail: node.metadata.name,
    events: ['NodeNotReady'],
    evidence: `runs on node ${node.metadata.name}, whose condition Ready is ${ready.status} (${ready.reason ?? ''})`,
    say: (pods) => `Node "${node.metadata.name}" is not ready${ago}, and with it ${podsAtEnd(pods)}.`,
    advice: 'Mend the node, or drain it so that its pods are made elsewhere.',
  };
}
