// One key, the whole truth: a MyDaemonSet, the nodes of the cluster and the pods of its namespace, put together as nodeStates:
// a node, what should be there, and what is.

import { NO_REFUSALS, type Refusals } from '../../runtime/consistency/refusals.ts';
import { REVISION_HASH_LABEL } from '../../workload/build-pod.ts';
import { type Claim, claim } from '../../workload/claim.ts';
import { targetNode } from '../../workload/node-affinity.ts';
import { isActive, isReady, type Pod, timeOf } from '../../workload/pod.ts';
import { imageHash } from './daemon-pod.ts';
import { type ResolvedSpec, withDefaults } from './defaults.ts';
import { type Eligibility, eligibilityOf } from './eligibility.ts';
import { NAME_LABEL } from './names.ts';
import type { Node } from './node.ts';
import type { MyDaemonSet } from './types.gen.ts';
import type { UsedNames } from './used-names.ts';

export interface Snapshot {
  readonly object: MyDaemonSet;
  readonly nodes: readonly Node[];
  /** All of its namespace: those of others have names that are taken. */
  readonly pods: readonly Pod[];
  /** By node, how many milliseconds longer a failed pod has to stay. See failed-pod-backoff.ts. */
  readonly waits: ReadonlyMap<string, number>;
  readonly usedNames: UsedNames;
  /** Claims to do without, because they were refused a moment ago. @default none */
  readonly refusals?: Refusals;
}

export interface NodeState {
  readonly node: string;
  readonly eligibility: Eligibility;
  /** Our pods there, or on their way there; those that have ended or are being deleted included. */
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
  /** Pods on their way to a node that is gone, where they will never arrive. */
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

/** True when the pod also carries a hash, of whatever image: a user who labels a pod for a Service writes none. */
function isMarked({ metadata }: Pod): boolean {
  return metadata.labels?.[REVISION_HASH_LABEL] !== undefined;
}

/** Puts pods to their nodes. Pods on a node that is gone are the garbage collector's. */
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
    // A second pod on a node would have to go again.
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

/** True when the node is served. */
export function isServed({ current }: NodeState): boolean {
  return current !== undefined && isReady(current);
}

/** The nodeStates that should have a pod. */
export function wantedNodes({ nodeStates }: DaemonState): readonly NodeState[] {
  return nodeStates.filter(({ eligibility }) => eligibility === 'run');
}

/** The best orphan for each node; one that is for no node in particular is nobody that we could put anywhere. */
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

/** Those that have arrived before those that are on their way, then the oldest. */
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
