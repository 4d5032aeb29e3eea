// The target of a policy: a MyDeployment, with the fields that its policy reads. Kinds do not know each other, so the fields
// are named here; they are those of an apps/v1 Deployment.

import type { StepSize } from '../../policy/steps.ts';
import type { KubeObject } from '../../runtime/object.ts';
import type { Resource } from '../../runtime/resource.ts';
import { scaledValue } from '../../workload/fenceposts.ts';
import type { LabelSelector } from '../../workload/selector.ts';

export interface Target extends KubeObject {
  readonly spec: {
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    readonly paused?: boolean;
    readonly selector: LabelSelector;
    readonly strategy?: {
      readonly type?: string;
      readonly rollingUpdate?: { readonly maxSurge?: number | string };
    };
  };
  readonly status?: {
    readonly updateRevision?: string;
    readonly conditions?: readonly TargetCondition[];
  };
}

export interface TargetCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

export const targets: Resource<Target> = {
  group: 'kubebuilder.zq.com',
  version: 'v1beta1',
  kind: 'MyDeployment',
  plural: 'mydeployments',
  namespaced: true,
};

/** What the counts of its steps are computed from. */
export function sizeOf({ spec: { replicas = 1, strategy = {} } }: Target): StepSize {
  const { type, rollingUpdate: { maxSurge = '25%' } = {} } = strategy;
  return { replicas, maxSurge: type === 'Recreate' ? 0 : Math.ceil(scaledValue(maxSurge, replicas)) };
}
