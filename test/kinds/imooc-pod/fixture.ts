// ImoocPods and their pods in a few words, for tables.

import type { ImoocPod } from '../../../src/kinds/imooc-pod/types.gen.ts';
import { timestamp } from '../../../src/runtime/conditions.ts';
import type { ObjectMeta } from '../../../src/runtime/object.ts';
import { controllerReference, type Owner } from '../../../src/runtime/owner.ts';
import type { Pod } from '../../../src/workload/pod.ts';
import type { ReplicasSnapshot } from '../../../src/workload/replicas-owner.ts';

export const NOW = Date.UTC(2026, 0, 1, 12);

export interface ObjectOptions {
  readonly replicas?: number;
  readonly status?: ImoocPod['status'];
  readonly metadata?: Partial<ObjectMeta>;
}

/** An ImoocPod "nap". */
export function imoocPod({ replicas, status, metadata }: ObjectOptions = {}): ImoocPod & Owner {
  return {
    apiVersion: 'batch.tutorial.kubebuilder.io/v1alpha1',
    kind: 'ImoocPod',
    metadata: { name: 'nap', namespace: 'default', uid: 'nap-uid', resourceVersion: '1', generation: 4, ...metadata },
    spec: { ...(replicas !== undefined && { replicas }) },
    ...(status && { status }),
  };
}

export type Look =
  | 'ready'
  | 'starting'
  | 'done'
  | 'failed'
  | 'terminating'
  | 'relabelled'
  | 'orphan'
  /** A user made it, with the label of the ImoocPod. */
  | 'bare'
  | 'stranger';

const OTHER = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'other', uid: 'other', controller: true };
const PHASES: Partial<Record<Look, string>> = { starting: 'Pending', done: 'Succeeded', failed: 'Failed' };

const OWNERLESS: readonly Look[] = ['orphan', 'bare'];

/** Pods of "nap", one for each look, named p0, p1 and so on; orphans have names of the operator's making. */
export function pods(...looks: readonly Look[]): Pod[] {
  return looks.map((look, index) => ({
    metadata: {
      name: look === 'orphan' ? `nap-pod-orph${index}` : `p${index}`,
      namespace: 'default',
      uid: `uid-${index}`,
      resourceVersion: `7${index}`,
      creationTimestamp: timestamp(NOW - 60_000),
      labels: { app: look === 'relabelled' ? 'other' : 'nap' },
      ...(look === 'terminating' && { deletionTimestamp: timestamp(NOW) }),
      ...(!OWNERLESS.includes(look) && {
        ownerReferences: [look === 'stranger' ? OTHER : controllerReference(imoocPod())],
      }),
    },
    spec: { nodeName: 'node' },
    status: {
      phase: PHASES[look] ?? 'Running',
      conditions: PHASES[look] === undefined ? [{ type: 'Ready', status: 'True' }] : [],
    },
  }));
}

export function snapshotOf(options: ObjectOptions, ...looks: readonly Look[]): ReplicasSnapshot<ImoocPod> {
  return { object: imoocPod(options), pods: pods(...looks) };
}
