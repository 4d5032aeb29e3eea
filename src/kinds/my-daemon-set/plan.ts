// What to do about a MyDaemonSet: claim its pods, correct every node, then replace pods of an old image. A node gets a
// new pod only when its old pod is gone, so it never has two.

import type { Action, NamedPod, Plan, PlannedEvent } from '../../workload/action.ts';
import { REVISION_HASH_LABEL } from '../../workload/build-pod.ts';
import { claimPods } from '../../workload/claim.ts';
import { earliest, type Pod } from '../../workload/pod.ts';
import { BURST } from '../../workload/pod-diff.ts';
import { nodePodName } from '../../workload/pod-name.ts';
import { daemonPodTemplate } from './daemon-pod.ts';
import { NAME_LABEL } from './names.ts';
import { lacksPod, nodeDiffOf, type Removal } from './node-diff.ts';
import { podsToReplace } from './rolling.ts';
import { type DaemonState, observe, type Snapshot } from './snapshot.ts';
import { observedStatus } from './status.ts';
import type { MyDaemonSetStatus } from './types.gen.ts';

export interface MyDaemonSetPlan extends Plan<MyDaemonSetStatus> {
  /** Nodes from which a failed pod is deleted. */
  readonly failedOn: readonly string[];
}

/** Failures are reported for the MyDaemonSet as a whole. */
const REVISION = 'daemon';

const NOTHING: MyDaemonSetPlan = { actions: [], status: undefined, events: [], checkAgainAt: undefined, failedOn: [] };

/** Decides what to do now, and when to check again if nothing changes. */
export function plan(snapshot: Snapshot | undefined, now: number): MyDaemonSetPlan {
  if (snapshot === undefined) return NOTHING; // gone: the garbage collector deletes its pods
  const state = observe(snapshot, now);
  const report = { ...NOTHING, status: observedStatus(state) };
  if (snapshot.object.metadata.deletionTimestamp !== undefined) return report;
  // Admission refuses such an object; if it was bypassed, there is nothing to run.
  if (state.spec.image === '') return report;
  const claims = claimPods(state.pods);
  // Claims are executed alone: the operator counts pods only when it knows which ones it owns.
  if (claims.length > 0) return { ...report, actions: claims };
  return { ...report, ...putInOrder(state) };
}

function putInOrder(state: DaemonState): Omit<MyDaemonSetPlan, 'status'> {
  const nodeDiffs = state.nodeStates.map((nodeState) => ({ node: nodeState.node, ...nodeDiffOf(state, nodeState) }));
  const removals: readonly Removal[] = [
    ...nodeDiffs.flatMap((each) => each.removals),
    ...state.podsOfMissingNodes.map((pod) => ({ pod, because: 'its node is gone' })),
    ...podsToReplace(state).map((pod) => ({ pod, because: 'it is of an old image' })),
  ].slice(0, BURST);
  const failedOn = nodeDiffs.filter(({ hasFailed }) => hasFailed).map(({ node }) => node);
  const lacking = state.nodeStates
    .filter(lacksPod)
    .map(({ node }) => node)
    .slice(0, BURST);
  return {
    actions: [...removals.map(deletion), ...creation(state, lacking)],
    events: announce({ lacking, removed: removals.map(({ pod }) => pod), failedOn }),
    checkAgainAt: earliest(nodeDiffs.map(({ waitUntil }) => waitUntil)),
    failedOn,
  };
}

function deletion({ pod: { metadata }, because }: Removal): Action {
  return { do: 'deletePod', name: metadata.name, uid: metadata.uid, revision: REVISION, because };
}

function creation(state: DaemonState, lacking: readonly string[]): Action[] {
  const { object, spec, hash } = state;
  const selector = { matchLabels: { [NAME_LABEL]: object.metadata.name, [REVISION_HASH_LABEL]: hash } };
  const pods = lacking.map((node): NamedPod => {
    const template = daemonPodTemplate(object.metadata.name, spec.image, node);
    return { name: freeName(state, node), source: { hash, template, selector } };
  });
  return pods.length === 0 ? [] : [{ do: 'createNamedPods', revision: REVISION, pods }];
}

/** The node has no pod of this owner, so a pod of that name belongs to another owner, or was released. */
function freeName({ object, usedNames, taken }: DaemonState, node: string): string {
  const set = object.metadata.name;
  let attempt = usedNames.get(node) ?? 0;
  while (taken.has(nodePodName(set, node, attempt))) attempt += 1;
  return nodePodName(set, node, attempt);
}

interface News {
  readonly lacking: readonly string[];
  readonly removed: readonly Pod[];
  readonly failedOn: readonly string[];
}

/** One event for each kind of action, whatever the number of nodes. */
function announce({ lacking, removed, failedOn }: News): PlannedEvent[] {
  const names = removed.map(({ metadata }) => metadata.name);
  const reported: readonly (readonly [readonly string[], PlannedEvent])[] = [
    [lacking, { type: 'Normal', reason: 'SuccessfulCreate', message: `Created pods on nodes ${listed(lacking)}` }],
    [names, { type: 'Normal', reason: 'SuccessfulDelete', message: `Deleted pods ${listed(names)}` }],
    [failedOn, { type: 'Warning', reason: 'FailedDaemonPod', message: `Pods failed on nodes ${listed(failedOn)}` }],
  ];
  return reported.filter(([subjects]) => subjects.length > 0).map(([, event]) => event);
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ');
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}
