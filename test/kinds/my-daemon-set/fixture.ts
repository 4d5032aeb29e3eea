// MyDaemonSets, nodes and pods in a few words, for tables.

import { imageHash } from '../../../src/kinds/my-daemon-set/daemon-pod.ts';
import { NAME_LABEL } from '../../../src/kinds/my-daemon-set/names.ts';
import type { Snapshot } from '../../../src/kinds/my-daemon-set/snapshot.ts';
import type { MyDaemonSet } from '../../../src/kinds/my-daemon-set/types.gen.ts';
import { timestamp } from '../../../src/runtime/conditions.ts';
import type { ObjectMeta } from '../../../src/runtime/object.ts';
import { controllerReference, type Owner } from '../../../src/runtime/owner.ts';
import type { Node } from '../../../src/workload/node.ts';
import { affinityTo } from '../../../src/workload/node-affinity.ts';
import type { Pod } from '../../../src/workload/pod.ts';
import { nodePodName } from '../../../src/workload/pod-name.ts';

export const NOW = Date.UTC(2026, 0, 1, 12);

export interface ObjectOptions {
  readonly image?: string;
  readonly maxUnavailable?: number | string;
  readonly status?: MyDaemonSet['status'];
  readonly metadata?: Partial<ObjectMeta>;
}

/** A MyDaemonSet "agent" of the image agent:v2, unless told otherwise. */
export function myDaemonSet(options: ObjectOptions = {}): MyDaemonSet & Owner {
  const { image = 'agent:v2', maxUnavailable, status, metadata } = options;
  return {
    apiVersion: 'apps.zhongmingmao.io/v1beta1',
    kind: 'MyDaemonSet',
    metadata: {
      name: 'agent',
      namespace: 'default',
      uid: 'agent-uid',
      resourceVersion: '1',
      generation: 2,
      ...metadata,
    },
    spec: { image, ...(maxUnavailable !== undefined && { maxUnavailable }) },
    ...(status && { status }),
  };
}

/** `NoSchedule` and `NoExecute` stand for taints of somebody's own; others are written `key:effect`. */
export function node(name: string, ...taints: readonly string[]): Node {
  return {
    metadata: { name, uid: `uid-of-${name}`, resourceVersion: '1' },
    spec: {
      taints: taints.map((taint) => {
        const [effect = '', key = 'example.com/dedicated'] = taint.split(':').reverse();
        return { key, effect };
      }),
    },
  };
}

export type Look = 'ready' | 'starting' | 'unscheduled' | 'done' | 'failed' | 'terminating';

const PHASES: Record<Look, string> = {
  ready: 'Running',
  starting: 'Pending',
  unscheduled: 'Pending',
  done: 'Succeeded',
  failed: 'Failed',
  terminating: 'Running',
};

export interface PodOptions {
  readonly look?: Look;
  readonly image?: string;
  readonly owner?: 'agent' | 'nobody' | 'other';
  readonly labels?: Readonly<Record<string, string>>;
  readonly name?: string;
  /** Seconds since it was created. */
  readonly age?: number;
}

const OTHER = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'other', uid: 'other', controller: true };

/** The pod of "agent" on a node: ready and of the present image, unless told otherwise. */
export function podOn(nodeName: string, options: PodOptions = {}): Pod {
  const { look = 'ready', image = 'agent:v2', owner = 'agent', name = nodePodName('agent', nodeName) } = options;
  const references = { agent: [controllerReference(myDaemonSet())], other: [OTHER], nobody: [] };
  return {
    metadata: {
      name,
      namespace: 'default',
      uid: `uid-of-${name}`,
      resourceVersion: '9',
      creationTimestamp: timestamp(NOW - (options.age ?? 60) * 1000),
      labels: options.labels ?? { [NAME_LABEL]: 'agent', 'controller-revision-hash': imageHash(image) },
      ownerReferences: references[owner],
      ...(look === 'terminating' && { deletionTimestamp: timestamp(NOW) }),
    },
    spec: look === 'unscheduled' ? { affinity: affinityTo(nodeName) } : { nodeName },
    status: {
      phase: PHASES[look],
      conditions: [{ type: 'Ready', status: look === 'ready' || look === 'terminating' ? 'True' : 'False' }],
    },
  };
}

export function snapshotOf(
  options: ObjectOptions,
  nodes: readonly Node[],
  pods: readonly Pod[] = [],
  memory: Partial<Pick<Snapshot, 'waits' | 'usedNames'>> = {},
): Snapshot {
  return { object: myDaemonSet(options), nodes, pods, waits: new Map(), usedNames: new Map(), ...memory };
}
