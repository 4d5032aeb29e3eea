// Metrics of each MyDeployment, with the names that kube-state-metrics has for Deployments, and the durations of
// rollouts. Every replica of the operator exports them from its own cache: take the maximum over replicas, not the sum.
//
// Bounded: at most eight series for each object (four counts, and its conditions), for up to 1,000 objects. Beyond
// that, objects with an unfinished rollout come first, and `mydeployment_objects` says how many are left out.

import type { Change, Informer } from '../../runtime/cache/informer.ts';
import type { Clock } from '../../runtime/clock.ts';
import { findCondition } from '../../runtime/conditions.ts';
import { type Instant, msBetween } from '../../runtime/instant.ts';
import type { Labels, ObjectMetrics } from '../../runtime/metrics/objects.ts';
import { isComplete } from './plan/progress.ts';
import type { MyDeployment } from './types.gen.ts';

const MOST_OBJECTS = 1_000;

/** Not `namespace`: the scrape itself has that label, and Prometheus would rename ours. */
const OBJECT_LABELS = ['exported_namespace', 'mydeployment'] as const;

const ROLLOUT_SECONDS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200];

const COUNTS: Readonly<Record<string, readonly [help: string, count: (object: MyDeployment) => number]>> = {
  mydeployment_spec_replicas: ['Pods asked for', ({ spec }) => spec.replicas ?? 1],
  mydeployment_status_replicas_updated: ['Pods of the newest revision', ({ status }) => status?.updatedReplicas ?? 0],
  mydeployment_status_replicas_available: ['Pods that are available', ({ status }) => status?.availableReplicas ?? 0],
  mydeployment_status_replicas_unavailable: ['Pods still missing', ({ status }) => status?.unavailableReplicas ?? 0],
};

export interface RolloutMetricsDeps {
  readonly clock: Clock;
  readonly metrics: { readonly objects: ObjectMetrics };
}

/** Exports metrics of these objects from now on. */
export function observeRollouts(
  objects: Pick<Informer<MyDeployment>, 'list' | 'onChange'>,
  { clock, metrics }: RolloutMetricsDeps,
): void {
  const exported = () => mostUrgent(objects.list());
  for (const [name, [help, count]] of Object.entries(COUNTS)) {
    const read = () => exported().map((object) => ({ labels: labelsOf(object), value: count(object) }));
    metrics.objects.gauge({ name, help, labels: OBJECT_LABELS, read });
  }
  metrics.objects.gauge({
    name: 'mydeployment_status_condition',
    help: '1 for each condition as it is now',
    labels: [...OBJECT_LABELS, 'condition', 'status', 'reason'],
    read: () => exported().flatMap(conditionsOf),
  });
  metrics.objects.gauge({
    name: 'mydeployment_objects',
    help: 'MyDeployments there are, by whether the metrics tell about each',
    labels: ['exported'],
    read: () => {
      const all = objects.list().length;
      return [
        { labels: { exported: 'true' }, value: Math.min(all, MOST_OBJECTS) },
        { labels: { exported: 'false' }, value: Math.max(0, all - MOST_OBJECTS) },
      ];
    },
  });
  timeRollouts(objects, { clock, metrics });
}

/** Only rollouts that were seen from beginning to end; a rollout that another one replaces never finishes. */
function timeRollouts(objects: Pick<Informer<MyDeployment>, 'onChange'>, { clock, metrics }: RolloutMetricsDeps): void {
  const finished = metrics.objects.histogram({
    name: 'mydeployment_rollout_duration_seconds',
    help: 'How long rollouts took that are complete, or failed at their deadline',
    labels: ['result'],
    buckets: ROLLOUT_SECONDS,
  });
  const startedAt = new Map<string, Instant>();
  objects.onChange((change) => {
    const { uid } = change.object.metadata;
    if (begins(change)) startedAt.set(uid, clock.now());
    const start = startedAt.get(uid);
    const result = resultOf(change.object);
    if (start !== undefined && result !== undefined) finished({ result }, msBetween(start, clock.now()) / 1000);
    if (result !== undefined || change.type === 'deleted') startedAt.delete(uid);
  });
}

function begins(change: Change<MyDeployment>): boolean {
  return (
    change.type === 'updated' &&
    change.object.status?.updateRevision !== undefined &&
    change.object.status.updateRevision !== change.old.status?.updateRevision
  );
}

function resultOf(object: MyDeployment): 'complete' | 'failed' | undefined {
  if (isFinished(object)) return 'complete';
  const reason = findCondition(object.status?.conditions ?? [], 'Progressing')?.reason;
  return reason === 'ProgressDeadlineExceeded' ? 'failed' : undefined;
}

function isFinished({ metadata, spec, status }: MyDeployment): boolean {
  const isObserved = (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  return status !== undefined && isObserved && isComplete({ replicas: spec.replicas ?? 1 }, status);
}

function mostUrgent(all: readonly MyDeployment[]): readonly MyDeployment[] {
  if (all.length <= MOST_OBJECTS) return all;
  const unfinished = all.filter((object) => !isFinished(object));
  return [...unfinished, ...all.filter(isFinished)].slice(0, MOST_OBJECTS);
}

function labelsOf({ metadata }: MyDeployment): Labels {
  return { exported_namespace: metadata.namespace ?? '', mydeployment: metadata.name };
}

function conditionsOf(object: MyDeployment): { labels: Labels; value: number }[] {
  return (object.status?.conditions ?? []).map(({ type, status, reason = '' }) => ({
    labels: { ...labelsOf(object), condition: type, status, reason },
    value: 1,
  }));
}
