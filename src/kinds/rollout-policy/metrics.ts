// Metrics of policies and of the rollouts that they govern. Conditions come from the policies; what happened in a rollout is read
// off the records on revisions, which tell every transition once. Every replica of the operator exports these from its own cache: take
// the maximum over replicas, not the sum.
//
// Bounded: at most four series for each policy, for up to 1,000 policies, those with a rollout under way first.

import { type AttemptRecords, readAttempt, type StepRecord } from '../../policy/attempt.ts';
import type { RolloutPolicy } from '../../policy/types.gen.ts';
import type { Change, Informer } from '../../runtime/cache/informer.ts';
import type { WallClock } from '../../runtime/clock.ts';
import type { Labels, ObjectMetrics, Sample } from '../../runtime/metrics/objects.ts';
import type { ControllerRevision } from '../../workload/revision.ts';

const MOST_OBJECTS = 1_000;
/** Not `namespace`: the scrape itself has that label, and Prometheus would rename ours. */
const OBJECT_LABELS = ['exported_namespace', 'rolloutpolicy'] as const;
/** From a minute to a week. */
const WAIT_SECONDS = [60, 300, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 86_400, 259_200, 604_800];

export interface PolicyMetricsDeps {
  readonly policies: Pick<Informer<RolloutPolicy>, 'list'>;
  readonly revisions: Pick<Informer<ControllerRevision>, 'onChange'>;
  readonly wallNow: WallClock;
  readonly metrics: { readonly objects: ObjectMetrics };
}

/** Exports metrics of these policies from now on. */
export function observePolicies({ policies, revisions, wallNow, metrics: { objects } }: PolicyMetricsDeps): void {
  const exported = () => mostUrgent(policies.list());
  objects.gauge({
    name: 'rolloutpolicy_status_condition',
    help: '1 for each condition as it is now',
    labels: [...OBJECT_LABELS, 'condition', 'status', 'reason'],
    read: () => exported().flatMap(conditionsOf),
  });
  objects.gauge({
    name: 'rolloutpolicy_status_step',
    help: 'The step that the rollout is in; absent when nothing rolls out',
    labels: OBJECT_LABELS,
    read: () => exported().flatMap((policy) => sampleOf(policy, policy.status?.step)),
  });
  const transition = objects.counter({
    name: 'rolloutpolicy_transitions_total',
    help: 'What happened in rollouts with a policy: steps begun, promotions, rejections by reason, completions',
    labels: ['transition', 'reason'],
  });
  const waited = objects.histogram({
    name: 'rolloutpolicy_promotion_wait_seconds',
    help: 'How long a step with all of its pods waited for a promotion',
    labels: [],
    buckets: WAIT_SECONDS,
  });
  revisions.onChange((change) => {
    const [before, after] = [recordsBefore(change), readAttempt(change.object.metadata.annotations)];
    if (before === undefined || change.type === 'deleted') return;
    for (const labels of transitionsOf(before, after)) transition(labels);
    const since = promotedSince(before, after);
    if (since !== undefined) waited({}, Math.max(0, wallNow() - since) / 1000);
  });
}

/** Returns a function that counts measurements. Only the replica that leads makes any. */
export function countMeasurements({ objects }: PolicyMetricsDeps['metrics']): (labels: Labels) => void {
  return objects.counter({
    name: 'rolloutpolicy_measurements_total',
    help: 'Measurements of gates, by what came of them',
    labels: ['by', 'outcome'],
  });
}

/** Undefined where nothing happened: what was there at the start is not news. */
function recordsBefore(change: Change<ControllerRevision>): AttemptRecords | undefined {
  if (change.initial) return undefined;
  if (change.type !== 'updated') return readAttempt();
  const [old, now] = [change.old.metadata.annotations, change.object.metadata.annotations];
  return old === now ? undefined : readAttempt(old);
}

function transitionsOf(before: AttemptRecords, after: AttemptRecords): readonly Labels[] {
  const { step, rejected, completed } = after;
  const isNewStep = step !== undefined && !isSameStep(before.step, step);
  const isNewRejection = rejected !== undefined && before.rejected?.number !== rejected.number;
  // What was rolled out before its policy came is marked, too.
  const isNewCompletion = completed !== undefined && before.completed !== completed && step?.number === completed;
  return [
    ...(isNewStep ? [{ transition: 'StepBegun', reason: '' }] : []),
    ...(after.promotions.length > before.promotions.length ? [{ transition: 'Promoted', reason: '' }] : []),
    ...(isNewRejection ? [{ transition: 'Rejected', reason: rejected.reason }] : []),
    ...(isNewCompletion ? [{ transition: 'Completed', reason: '' }] : []),
  ];
}

/** Since when the step waited that has just been promoted. */
function promotedSince(before: AttemptRecords, { promotions }: AttemptRecords): number | undefined {
  return promotions.length > before.promotions.length ? before.step?.since : undefined;
}

function isSameStep(one: StepRecord | undefined, other: StepRecord): boolean {
  return one?.number === other.number && one.step === other.step && one.policy === other.policy;
}

function mostUrgent(all: readonly RolloutPolicy[]): readonly RolloutPolicy[] {
  const isUnderWay = ({ status }: RolloutPolicy): boolean =>
    status?.step !== undefined || status?.rejected !== undefined;
  return [...all.filter(isUnderWay), ...all.filter((policy) => !isUnderWay(policy))].slice(0, MOST_OBJECTS);
}

function conditionsOf(policy: RolloutPolicy): Sample[] {
  return (policy.status?.conditions ?? []).flatMap(({ type, status, reason }) =>
    sampleOf(policy, 1, { condition: type, status, reason }),
  );
}

function sampleOf({ metadata }: RolloutPolicy, value: number | undefined, more: Labels = {}): Sample[] {
  if (value === undefined) return [];
  return [{ labels: { exported_namespace: metadata.namespace ?? '', rolloutpolicy: metadata.name, ...more }, value }];
}
