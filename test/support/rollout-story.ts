// A MyDeployment under a policy on the model cluster, for tests that tell stories: it runs v1, people roll out other versions,
// promote and abort, and pods come up or crash.

import type { MyDeploymentSpec } from '../../src/kinds/my-deployment/types.gen.ts';
import { PROMOTE } from '../../src/policy/requests.ts';
import type { RolloutPolicySpec } from '../../src/policy/types.gen.ts';
import { isTerminating, type Pod } from '../../src/workload/pod.ts';
import type { ControllerRevision } from '../../src/workload/revision.ts';
import { template } from '../kinds/my-deployment/fixture.ts';
import { ModelCluster } from './model-cluster.ts';

export type Policy = Omit<RolloutPolicySpec, 'targetRef'>;

const selector = { matchLabels: { app: 'web' } };
export const untilPromoted = { until: 'Promoted' } as const;
export const twoSteps: Policy = {
  steps: [
    { replicas: 1, pause: untilPromoted },
    { replicas: '50%', pause: untilPromoted },
  ],
  rollback: {},
};

/** A MyDeployment that runs v1 completely under a policy, unless the policy comes later. */
export function running(spec: Partial<MyDeploymentSpec> = {}, policy: Policy | 'none' = twoSteps): ModelCluster {
  const cluster = new ModelCluster({ selector, template: template('v1'), replicas: 10, ...spec });
  if (policy !== 'none') cluster.govern(policy);
  rest(cluster);
  return cluster;
}

/** Pods come up and go; pods of a bad version crash instead. Time passes only for what `until` asks. */
export function rest(cluster: ModelCluster, bad = ''): void {
  for (let round = 0; round < 200; round++) {
    cluster.settle();
    const leaving = [...cluster.pods.values()].filter(isTerminating);
    const starting = cluster.active.filter((pod) => cluster.isStarting(pod));
    for (const pod of leaving) cluster.remove(pod);
    for (const pod of starting) {
      if (versionOf(cluster, pod) === bad) cluster.crash(pod);
      else cluster.makeReady(pod);
    }
    if (leaving.length + starting.length === 0) return;
  }
  throw new Error('no rest after 200 rounds');
}

export function roll(cluster: ModelCluster, version: string, bad = ''): void {
  cluster.edit({ template: template(version) });
  rest(cluster, bad);
}

export function promote(cluster: ModelCluster, number: number, step: number, full?: true): void {
  cluster.ask(PROMOTE, { number, step, by: 'alice', ...(full && { full }) });
  rest(cluster);
}

export function revisionOf(cluster: ModelCluster, version: string): ControllerRevision {
  const found = [...cluster.revisions.values()].find(({ data }) => JSON.stringify(data).includes(`web:${version}"`));
  return found as ControllerRevision;
}

export function versionOf(cluster: ModelCluster, pod: Pod): string {
  const hash = pod.metadata.labels?.['pod-template-hash'];
  const revision = [...cluster.revisions.values()].find(
    ({ metadata }) => metadata.labels?.['controller.kubernetes.io/hash'] === hash,
  );
  return /web:(\w+)/.exec(JSON.stringify(revision?.data))?.[1] ?? 'unknown';
}

export function versions(cluster: ModelCluster): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const pod of cluster.active) {
    const version = versionOf(cluster, pod);
    counts[version] = (counts[version] ?? 0) + 1;
  }
  return counts;
}

/** The conditions that a policy is about, as `type reason`. */
export function conditions(cluster: ModelCluster): string[] {
  const kept = cluster.object.status?.conditions?.filter(({ type }) => type !== 'Available') ?? [];
  return kept.map(({ type, status, reason }) => `${type}=${status} ${reason}`).sort();
}

export const image = ({ object }: ModelCluster) => object.spec.template.spec.containers[0]?.image;
