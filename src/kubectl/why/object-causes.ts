// The causes that are read from the object itself: that it is paused or being deleted, and why pods could not be created.

import { deadlineOf, isComplete, TIMED_OUT } from '../../kinds/my-deployment/plan/progress.ts';
import { RECONCILING, STALLED } from '../../kinds/my-deployment/plan/reconciling.ts';
import { findCondition } from '../../runtime/conditions.ts';
import { timeOf } from '../../workload/pod.ts';
import { sameTemplate } from '../../workload/revision.ts';
import { formatDuration } from '../duration.ts';
import { ended } from '../phrasing.ts';
import { rejectionTest } from '../policy/standing.ts';
import { type Cause, type CauseName, conditionLine, type Facts } from './cause.ts';
import { POLICY_STALLS } from './policy-causes.ts';

export function deleting({ rollout }: Facts): Cause[] {
  const { deletionTimestamp, finalizers = [] } = rollout.object.metadata;
  if (deletionTimestamp === undefined) return [];
  return [
    {
      name: 'deleting',
      sentence: 'It is being deleted: nothing rolls out any more.',
      evidence: [
        `metadata.deletionTimestamp is ${deletionTimestamp}`,
        ...finalizers.map((name) => `finalizer ${name} is left`),
      ],
    },
  ];
}

/** What other rules tell with more words. */
const TOLD_ELSEWHERE: readonly string[] = [TIMED_OUT, ...POLICY_STALLS];

/** The operator cannot go on with this spec. */
export function stalled({ rollout: { object } }: Facts): Cause[] {
  const condition = findCondition(object.status?.conditions, STALLED);
  if (condition?.status !== 'True' || TOLD_ELSEWHERE.includes(condition.reason ?? '')) return [];
  return [
    {
      name: 'stalled',
      sentence: `The operator does nothing with this spec: ${ended(condition.message ?? 'it gives no reason')}`,
      evidence: [conditionLine(condition)],
      advice: 'Correct the spec: the operator tries again with every change of it.',
    },
  ];
}

/** A pause matters while there is something to roll out. */
export function paused({ rollout }: Facts): Cause[] {
  const { spec, object, update } = rollout;
  const isDone = update !== undefined && isComplete(spec, object.status ?? { replicas: 0 });
  if (!spec.paused || isDone) return [];
  const waits = update === undefined ? 'a new template waits to be rolled out' : 'the rollout is held where it is';
  return [
    {
      name: 'paused',
      sentence: `It is paused: ${waits}.`,
      evidence: ['spec.paused is true'],
      advice: `kubectl md rollout resume ${object.metadata.name}`,
    },
  ];
}

interface Refusal {
  readonly name: CauseName;
  readonly pattern: RegExp;
  readonly say: (match: RegExpMatchArray) => string;
  readonly advice?: string;
}

/** How the API server words its refusals to create a pod; the first pattern that matches counts. */
const REFUSALS: readonly Refusal[] = [
  {
    name: 'quota',
    pattern: /exceeded quota: ([^,]+), requested: ([^,]+)/,
    say: ([, quota, requested]) => `ResourceQuota "${quota}" is used up: one more pod would need ${requested}.`,
    advice: 'Raise the quota, ask for less in the template, or lower replicas or maxSurge.',
  },
  {
    name: 'quota',
    pattern: /failed quota: ([^:]+): must specify (.+)$/m,
    say: ([, quota, fields]) => `ResourceQuota "${quota}" wants every pod to say ${fields}, and the template does not.`,
    advice: 'Set resources in the template, or give the namespace a LimitRange with defaults.',
  },
  {
    name: 'pod-security',
    pattern: /violates PodSecurity "([^"]+)": (.+)$/m,
    say: ([, level, reasons]) =>
      `The namespace enforces PodSecurity "${level}", which the template violates: ${ended(reasons ?? '')}`,
    advice: 'Add the securityContext it asks for to the template.',
  },
  {
    name: 'limit-range',
    pattern: /((?:maximum|minimum|max limit).*? (?:per|to request ratio).*)$/m,
    say: ([, reason]) => `A LimitRange of the namespace refuses the pods: ${ended(reason?.replace(/\]$/, '') ?? '')}`,
    advice: "Change the template's resources, or the LimitRange.",
  },
  {
    name: 'webhook-denied',
    pattern: /admission webhook "([^"]+)" denied the request(?:: (.+))?$/m,
    say: ([, webhook, reason]) =>
      `Admission webhook "${webhook}" refuses the pods: ${ended(reason ?? 'it gives no reason')}`,
  },
  {
    name: 'webhook-unreachable',
    pattern: /failed calling webhook "([^"]+)": (.+)$/m,
    say: ([, webhook, reason]) =>
      `Admission webhook "${webhook}" cannot be reached, and its failurePolicy forbids creating pods without it: ${ended(reason ?? '')}`,
    advice: 'See whether the Service behind the webhook has endpoints.',
  },
  {
    name: 'admission-policy',
    pattern: /ValidatingAdmissionPolicy '([^']+)' with binding '[^']+' denied request: (.+)$/m,
    say: ([, policy, reason]) => `ValidatingAdmissionPolicy "${policy}" refuses the pods: ${ended(reason ?? '')}`,
  },
  {
    name: 'service-account',
    pattern: /error looking up service account (\S+?): (.+)$/m,
    say: ([, account]) => `ServiceAccount "${account}" does not exist.`,
    advice: 'Create it, or name another one in spec.template.spec.serviceAccountName.',
  },
  {
    name: 'priority-class',
    pattern: /no PriorityClass with name (\S+) was found/,
    say: ([, name]) => `PriorityClass "${name}" does not exist.`,
    advice: 'Create it, or name another one in spec.template.spec.priorityClassName.',
  },
  {
    name: 'changed-on-admission',
    pattern: /lost (.+) on admission/,
    say: ([, lost]) => `A mutating webhook or policy takes ${lost} from new pods, so that they cannot be kept.`,
    advice: 'Exempt these pods from it.',
  },
  {
    name: 'selector',
    pattern: /no pod of this template can match (.+)$/m,
    say: ([, unmet]) => `No pod can match ${unmet}, because the operator sets that label itself.`,
    advice: 'Create another MyDeployment: a selector cannot change.',
  },
];

/** A rollout goes on in spite of these, but the user should know about them. */
const REFUSED_CLAIMS: Readonly<Record<string, { readonly name: CauseName; readonly sentence: string }>> = {
  FailedAdopt: { name: 'adopt-failed', sentence: 'The API server refuses to let it adopt what has its hash.' },
  FailedRelease: { name: 'release-failed', sentence: 'The API server refuses to let it release a relabelled pod.' },
};

/** Pods that could not be created, deleted, adopted or released, as the ReplicaFailure condition has it. */
export function replicaFailure({ rollout }: Facts): Cause[] {
  const condition = findCondition(rollout.object.status?.conditions ?? [], 'ReplicaFailure');
  if (condition?.status !== 'True') return [];
  const { reason = '', message = '' } = condition;
  const evidence = [conditionLine(condition)];
  const refusedClaim = REFUSED_CLAIMS[reason];
  if (refusedClaim !== undefined) return [{ ...refusedClaim, evidence }];
  for (const { name, pattern, say, advice } of REFUSALS) {
    const match = message.match(pattern);
    if (match !== null) return [{ name, sentence: say(match), evidence, ...(advice !== undefined && { advice }) }];
  }
  const isDelete = reason === 'FailedDelete';
  const sentence = `The API server refuses to ${isDelete ? 'delete' : 'create'} pods.`;
  return [{ name: isDelete ? 'delete-failed' : 'create-failed', sentence, evidence }];
}

export function revisionFailure({ rollout }: Facts): Cause[] {
  const condition = findCondition(rollout.object.status?.conditions ?? [], 'Progressing');
  if (condition?.reason !== 'ReplicaSetCreateError') return [];
  return [
    {
      name: 'revision-failed',
      sentence: 'The new revision could not be recorded, so nothing of it can roll out.',
      evidence: [conditionLine(condition)],
    },
  ];
}

/** Comes after the other causes, because an exceeded deadline does not say why. */
export function deadline(facts: Facts): Cause[] {
  const { rollout, now } = facts;
  const { object, spec } = rollout;
  const condition = findCondition(object.status?.conditions ?? [], 'Progressing');
  if (condition?.reason !== TIMED_OUT) return [];
  const since = timeOf(condition.lastUpdateTime ?? condition.lastTransitionTime);
  const duration = since === undefined ? '' : ` for ${formatDuration(now - since)}`;
  return [
    {
      name: 'deadline',
      sentence: `It has counted as failed${duration}: no progress within ${spec.progressDeadlineSeconds} s. The operator goes on trying.`,
      evidence: [conditionLine(condition)],
      advice: wayBack(facts),
    },
  ];
}

/** What undo would do; a first revision has nothing to return to. */
function wayBack({ rollout: { object, revisions }, policies }: Facts): string {
  const isRejected = rejectionTest(object, policies);
  const earlier = revisions.findLast(
    (revision) =>
      revision.template !== undefined &&
      !sameTemplate(revision.template, object.spec.template) &&
      !isRejected(revision),
  );
  return earlier === undefined
    ? 'There is no earlier revision to return to: correct spec.template, and the operator rolls it out.'
    : `kubectl md rollout undo ${object.metadata.name} returns to revision ${earlier.number}.`;
}

/** When no rule finds a cause: the rollout makes progress, or it is complete. */
export function howItGoes({ rollout, now }: Facts): Cause[] {
  const { object, spec } = rollout;
  const status = object.status ?? { replicas: 0 };
  const reconciling = findCondition(status.conditions, RECONCILING);
  const evidence = reconciling?.status === 'True' ? [conditionLine(reconciling)] : [];
  if (isComplete(spec, status)) {
    const sentence =
      spec.replicas === 0
        ? 'Nothing is wrong: it asks for no replicas and has none.'
        : spec.replicas === 1
          ? 'Nothing is wrong: its 1 replica is updated and available.'
          : `Nothing is wrong: all ${spec.replicas} replicas are updated and available.`;
    return [{ name: 'complete', sentence, evidence }];
  }
  const { updatedReplicas = 0, availableReplicas = 0 } = status;
  const until = deadlineOf(spec, status.conditions ?? []);
  const left = until === undefined ? '' : `; without progress it counts as failed in ${formatDuration(until - now)}`;
  const sentence = `It is moving: ${updatedReplicas} of ${spec.replicas} updated, ${availableReplicas} available${left}.`;
  return [{ name: 'moving', sentence, evidence }];
}
