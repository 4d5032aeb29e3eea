// Everything that a plan needs to know about one MyDaemonSet: its spec, the nodes of the cluster and the pods of its
// namespace, combined into one state for each node.

import { NO_REFUSALS, type Refusals } from '../../runtime/consistency/refusals.ts';
import { REVISION_HASH_LABEL } from '../../workload/build-pod.ts';
import { type Claim, claim } from '../../workload/claim.ts';
import type { Node } from '../../workload/node.ts';
import { targetNode } from '../../workload/node-affinity.ts';
import { isActive, isReady, type Pod, timeOf } from '../../workload/pod.ts';
import { imageHash } from './daemon-pod.ts';
import { type ResolvedSpec, withDefaults } from './defaults.ts';
import { type Eligibility, eligibilityOf } from './eligibility.ts';
import { NAME_LABEL } from './names.ts';
import type { MyDaemonSet } from './types.gen.ts';
import type { UsedNames } from './used-names.ts';

export interface Snapshot {
  readonly object: MyDaemonSet;
  readonly nodes: readonly Node[];
  /** All pods of its namespace: the names of pods that it does not own are taken, too. */
  readonly pods: readonly Pod[];
  /** By node, how many milliseconds longer a failed pod is kept. See failed-pod-backoff.ts. */
  readonly waits: ReadonlyMap<string, number>;
  readonly usedNames: UsedNames;
  /** Claims that the plan leaves out, because the API server refused them a moment ago. @default none */
  readonly refusals?: Refusals;
}

export interface NodeState {
  readonly node: string;
  readonly eligibility: Eligibility;
  /** Its pods on the node or scheduled to it, including those that have ended or are being deleted. */
  readonly pods: readonly Pod[];
  /** The one that counts; undefined when none is active. */
  readonly current: Pod | undefined;
}

export interface DaemonState {
  readonly object: MyDaemonSet;
  readonly spec: ResolvedSpec;
  /** Of the present image. */
  readonly hash: string;
  readonly now: number;
  /** One for each node, in the order of their names. */
  readonly nodeStates: readonly NodeState[];
  /** Pods that are bound to a node that no longer exists. */
  readonly podsOfMissingNodes: readonly Pod[];
  readonly pods: Claim<Pod>;
  /** Names that a new pod cannot have. */
  readonly taken: ReadonlySet<string>;
  readonly waits: ReadonlyMap<string, number>;
  readonly usedNames: UsedNames;
}

/** True when the pod carries the set's label. */
export function selects({ metadata }: Pick<MyDaemonSet, 'metadata'>, pod: Pod): boolean {
  return pod.metadata.labels?.[NAME_LABEL] === metadata.name;
}

/** True when the pod also carries a hash, of any image: users who label a pod for a Service do not add one. */
function isMarked({ metadata }: Pod): boolean {
  return metadata.labels?.[REVISION_HASH_LABEL] !== undefined;
}

/** Assigns pods to their nodes. The garbage collector deletes pods on nodes that are gone. */
export function observe(snapshot: Snapshot, now: number): DaemonState {
  const { object, nodes, pods, waits, usedNames, refusals: refused = NO_REFUSALS } = snapshot;
  const spec = withDefaults(object.spec);
  const claimed = claim(object, pods, { matches: (pod) => selects(object, pod), isMarked, alive: isActive, refused });
  const byNode = Map.groupBy(claimed.owned, targetNode);
  const names = new Set(nodes.map(({ metadata }) => metadata.name));
  return {
    object,
    spec,
    hash: imageHash(spec.image),
    now,
    nodeStates: nodes.map((node) => nodeStateOf(node, byNode.get(node.metadata.name) ?? [])).sort(byNodeName),
    podsOfMissingNodes: claimed.owned.filter(
      (pod) => !pod.spec?.nodeName && !names.has(targetNode(pod) ?? '') && isActive(pod),
    ),
    // A second pod on a node would be deleted again.
    pods: { ...claimed, adopt: onePerNode(claimed.adopt).filter((pod) => !byNode.has(targetNode(pod))) },
    taken: new Set(pods.map(({ metadata }) => metadata.name)),
    waits,
    usedNames,
  };
}

/** True when the pod is of the present image. */
export function isUpdated({ hash }: DaemonState, { metadata }: Pod): boolean {
  return metadata.labels?.[REVISION_HASH_LABEL] === hash;
}

/** True when the node has an available pod. */
export function isServed({ current }: NodeState): boolean {
  return current !== undefined && isReady(current);
}

/** The nodes that should have a pod. */
export function wantedNodes({ nodeStates }: DaemonState): readonly NodeState[] {
  return nodeStates.filter(({ eligibility }) => eligibility === 'run');
}

/** The best orphan for each node; an orphan that is not bound to a node is not adopted. */
function onePerNode(orphans: readonly Pod[]): Pod[] {
  const worstFirst = orphans.toSorted((one, other) => byMerit(other, one));
  const best = new Map(worstFirst.map((pod) => [targetNode(pod), pod]));
  best.delete(undefined);
  return [...best.values()];
}

function nodeStateOf(node: Node, pods: readonly Pod[]): NodeState {
  const active = pods.filter(isActive).sort(byMerit);
  return { node: node.metadata.name, eligibility: eligibilityOf(node), pods, current: active[0] };
}

/** Pods that are on the node before pods that are only bound to it, then the oldest. */
function byMerit(one: Pod, other: Pod): number {
  const arrival = Number(!one.spec?.nodeName) - Number(!other.spec?.nodeName);
  const age = (timeOf(one.metadata.creationTimestamp) ?? 0) - (timeOf(other.metadata.creationTimestamp) ?? 0);
  return arrival || age || compare(one.metadata.name, other.metadata.name);
}

function byNodeName(one: NodeState, other: NodeState): number {
  return compare(one.node, other.node);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
