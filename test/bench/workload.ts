// The object that the contenders work on. A Deployment and a MyDeployment say the same thing in the same words, so there
// is one manifest, and the same pod for those who create pods by themselves.

import { myDeployments as ours } from '../../src/kinds/my-deployment/names.ts';
import * as builtIn from '../../src/runtime/built-in.ts';
import type { KubeObject, Manifest } from '../../src/runtime/object.ts';
import type { Resource } from '../../src/runtime/resource.ts';
import type { WatchedPod } from './pod-tally.ts';

export interface Strategy {
  readonly maxSurge: number | string;
  readonly maxUnavailable: number | string;
}

/** The part of a status that `kubectl rollout status` waits for; both kinds have it. */
interface WorkloadStatus {
  readonly observedGeneration?: number;
  readonly replicas?: number;
  readonly updatedReplicas?: number;
  readonly availableReplicas?: number;
}

export interface Workload extends KubeObject {
  readonly status?: WorkloadStatus;
  readonly spec: {
    readonly replicas: number;
    readonly selector: object;
    readonly strategy: object;
    readonly template: object;
  };
}

export const deployments = builtIn.deployments as Resource<KubeObject> as Resource<Workload>;

export const myDeployments = ours as Resource<KubeObject> as Resource<Workload>;

export const QUARTER: Strategy = { maxSurge: '25%', maxUnavailable: '25%' };
export const ONE_BY_ONE: Strategy = { maxSurge: 1, maxUnavailable: 0 };

export interface WorkloadProps {
  readonly namespace: string;
  readonly name: string;
  readonly replicas: number;
  readonly image: string;
  readonly strategy: Strategy;
}

/** A manifest for either kind. */
export function workload({ namespace, name, replicas, image, strategy }: WorkloadProps): Manifest<Workload> {
  const labels = { app: name };
  return {
    metadata: { namespace, name },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      strategy: { type: 'RollingUpdate', rollingUpdate: strategy },
      template: { metadata: { labels }, spec: podSpec(image) },
    },
  };
}

/** True when the status says that the rollout is complete, as `kubectl rollout status` judges it. */
export function isReported({ metadata, spec, status = {} }: Workload): boolean {
  const { observedGeneration = 0, replicas, updatedReplicas, availableReplicas } = status;
  return (
    observedGeneration >= (metadata.generation ?? 0) &&
    [replicas, updatedReplicas, availableReplicas].every((count) => (count ?? 0) === spec.replicas)
  );
}

/** The merge patch that rolls a workload to another image. */
export function toImage(image: string): object {
  return { spec: { template: { spec: podSpec(image) } } };
}

/** A pod as the template above makes it, without an owner. */
export function barePod(namespace: string, name: string, image: string): Manifest<WatchedPod> {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace, name, labels: { app: 'bare' } },
    spec: podSpec(image),
  };
}

function podSpec(image: string): { containers: { name: string; image: string }[] } {
  return { containers: [{ name: 'app', image }] };
}
