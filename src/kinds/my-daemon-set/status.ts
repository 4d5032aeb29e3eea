// The status as it should read: the numbers of a native DaemonSet, counted anew each time. Conditions keep the times of
// their last transitions.

import { type Condition, type ConditionUpdate, setCondition } from '../../runtime/conditions.ts';
import { unavailableLimit } from './defaults.ts';
import { type DaemonState, isServed, isUpdated, type NodeState, wantedNodes } from './snapshot.ts';
import type { MyDaemonSetStatus } from './types.gen.ts';

/** The status of a MyDaemonSet and its nodes. */
export function observedStatus(state: DaemonState): MyDaemonSetStatus {
  const wanted = wantedNodes(state);
  const available = countOf(wanted, isServed);
  return {
    observedGeneration: state.object.metadata.generation ?? 0,
    desiredNumberScheduled: wanted.length,
    currentNumberScheduled: countOf(wanted, ({ pods }) => pods.length > 0),
    // A ready pod is available: there is no minReadySeconds.
    numberReady: available,
    availableReplicas: available,
    numberUnavailable: wanted.length - available,
    updatedNumberScheduled: countOf(wanted, (nodeState) => runsImage(state, nodeState)),
    numberMisscheduled: countOf(state.nodeStates, ({ eligibility, pods }) => eligibility !== 'run' && pods.length > 0),
    conditions: [noteAvailability, noteReadiness].reduce<readonly Condition[]>(
      (conditions, note) => setCondition(conditions, note(state), state.now),
      state.object.status?.conditions ?? [],
    ),
  };
}

function noteAvailability(state: DaemonState): ConditionUpdate {
  const wanted = wantedNodes(state);
  const available = countOf(wanted, isServed);
  const isEnough = wanted.length - available <= unavailableLimit(state.spec, wanted.length);
  return conditionUpdate(state, {
    type: 'Available',
    status: isEnough ? 'True' : 'False',
    reason: isEnough ? 'MinimumPodsAvailable' : 'MinimumPodsUnavailable',
    message: `${available} of ${wanted.length} nodes are served`,
  });
}

function noteReadiness(state: DaemonState): ConditionUpdate {
  const wanted = wantedNodes(state);
  const updated = countOf(wanted, (nodeState) => runsImage(state, nodeState));
  const done = countOf(wanted, (nodeState) => runsImage(state, nodeState) && isServed(nodeState));
  const isDone = done === wanted.length;
  return conditionUpdate(state, {
    type: 'Ready',
    status: isDone ? 'True' : 'False',
    reason: isDone ? 'AllNodesUpdated' : updated < wanted.length ? 'RollingOut' : 'PodsNotReady',
    message: `${done} of ${wanted.length} nodes are served by ${state.spec.image}`,
  });
}

function conditionUpdate({ object }: DaemonState, said: ConditionUpdate): ConditionUpdate {
  return { ...said, observedGeneration: object.metadata.generation ?? 0 };
}

function runsImage(state: DaemonState, { current }: NodeState): boolean {
  return current !== undefined && isUpdated(state, current);
}

function countOf(nodeStates: readonly NodeState[], test: (nodeState: NodeState) => boolean): number {
  return nodeStates.filter(test).length;
}
